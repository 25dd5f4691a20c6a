// Checks files with Lemmata from C++ and keeps the evidence beside them. Shows every call of the
// interface: read, check, evidence, stop.
//
//   g++ -std=c++20 check_files.cpp $(pkg-config --cflags --libs lemmata) -o check_files
//   ./check_files 10 model.vmt program.c      # 10 seconds for all files
#include <lemmata/lemmata.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

static const char* word(lemmata::Verdict verdict) {
  switch (verdict) {
    case lemmata::Verdict::Safe:
      return "safe";
    case lemmata::Verdict::Unsafe:
      return "unsafe";
    case lemmata::Verdict::Unknown:
      break;
  }
  return "unknown";
}

static void print(const lemmata::Remark& remark) {
  std::printf("    %s:%u: %s\n", remark.place.file.c_str(), remark.place.line, remark.text.c_str());
}

/// Prints a result and, where it has evidence, validates it and writes it to the current folder.
static bool report(const lemmata::Model& model, const lemmata::Result& result, int number) {
  std::printf("%s: %s: %s by %s %s\n", model.file().c_str(), result.property.c_str(),
              word(result.verdict), result.engine.c_str(), result.reason.c_str());
  for (const lemmata::Remark& step : result.steps) print(step);
  for (const lemmata::Remark& part : result.invariant) print(part);
  if (!result.evidence) return result.verdict == lemmata::Verdict::Unknown;
  std::string why = lemmata::validate(model, result.property, *result.evidence);
  std::filesystem::path file = model.file().stem();
  file += "." + std::to_string(number) + result.evidence->extension;
  std::ofstream(file) << result.evidence->text;
  std::printf("  evidence: %s, %s\n", file.c_str(), why.empty() ? "accepted" : why.c_str());
  return why.empty();
}

static bool check_file(const char* file, const std::stop_token& stop) try {
  lemmata::Model model = lemmata::Model::read(file);
  lemmata::CheckOptions options;
  options.on_verdict = [](lemmata::Verdict verdict, std::string_view property) {
    std::fprintf(stderr, "%s is %s\n", std::string(property).c_str(), word(verdict));
  };
  bool fine = true;
  int number = 0;
  for (const lemmata::Result& result : lemmata::check(model, options, stop).results)
    fine = report(model, result, ++number) && fine;
  return fine;
} catch (const lemmata::Error& error) {
  std::printf("%s (line %u)\n", error.what(), error.place().line);
  return false;
}

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: check_files SECONDS FILE...\n");
    return 64;
  }
  std::stop_source stop;
  std::jthread clock([&stop, seconds = std::atof(argv[1])](const std::stop_token& enough) {
    auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (!enough.stop_requested() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop.request_stop();  // every check that still runs ends, with what it knows
  });
  bool fine = true;
  for (int i = 2; i < argc; ++i) fine = check_file(argv[i], stop.get_token()) && fine;
  return fine ? 0 : 1;
}
