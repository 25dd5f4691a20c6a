#include "app/check/several.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "app/check/child_check.h"
#include "app/check/reporting.h"
#include "app/version.h"
#include "base/try.h"
#include "writer/json.h"

namespace lem::app {

static Error usage(std::string message) {
  return {{}, std::move(message), ErrorKind::Usage};
}

Result<bool> is_several_models(const CheckRequest& request) {
  std::vector<std::string> files = request.input.all_files(request.file);
  if (files.size() == 1) return false;
  if (request.each) return true;
  std::map<const frontend::FormatInfo*, std::vector<std::string>> by_format;
  for (const std::string& file : files) by_format[frontend::format_of(file)].push_back(file);
  for (const auto& [format, some] : by_format) {
    if (format == nullptr || format->files == frontend::Files::One || some.size() == 1) continue;
    if (by_format.size() == 1) return false;
    return usage(fmt::format(
        "are '{}' and '{}' one model or two? Beside files of other formats, --each makes each a "
        "model of its own; check one model of several files apart",
        some[0], some[1]));
  }
  return true;
}

ExitCode worst(std::span<const ExitCode> codes) {
  for (ExitCode code : {ExitCode::Internal, ExitCode::NotFound, ExitCode::BadInput, ExitCode::Usage,
                        ExitCode::Unsafe, ExitCode::Unknown})
    if (std::find(codes.begin(), codes.end(), code) != codes.end()) return code;
  return ExitCode::Safe;
}

namespace {

/// Outputs that name one file are for one model.
Status check_outputs(const OutputFiles& outputs) {
  if (!outputs.report.empty()) return usage("--report is for one model");
  for (const Output& output : outputs.all())
    if (output.may_be_folder && !output.path.empty() && !is_folder(output.path))
      return usage(
          fmt::format("{} of several models is a folder: '{}/'", output.option, output.path));
  return Ok{};
}

/// The evidence about a file goes to a folder of its own, in the one that was asked for.
Status move_below(std::string& folder, const std::string& name) {
  if (folder.empty()) return Ok{};
  if (mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST)
    return Error{{folder},
                 std::string("cannot make the folder: ") + std::strerror(errno),
                 ErrorKind::NotFound};
  folder += name + "/";
  return Ok{};
}

/// Names of files without their folders; a number makes them differ.
class FolderNames {
 public:
  std::string next(const std::string& file) {
    std::string name = std::filesystem::path(file).filename().string();
    std::string out = name;
    for (int i = 2; !taken_.insert(out).second; ++i) out = fmt::format("{}.{}", name, i);
    return out;
  }

 private:
  std::set<std::string> taken_;
};

std::string summary_row(const writer::CheckedFile& file, std::size_t width) {
  auto count = [&](std::string_view word) {
    return std::count_if(file.findings.begin(), file.findings.end(),
                         [&](const writer::Finding& one) { return one.verdict == word; });
  };
  std::string row = fmt::format("{:<{}}  {:>6}  {:>6}  {:>7}  {:>8.2f}", file.file, width,
                                count("safe"), count("unsafe"), count("unknown"), file.seconds);
  return file.exit_code < 64 ? row : row + fmt::format("  exit {}", file.exit_code);
}

void print_summary(std::span<const writer::CheckedFile> files, Console& console) {
  writer::CheckedFile all;
  all.file = fmt::format("{} files", files.size());
  std::size_t width = all.file.size();
  for (const writer::CheckedFile& file : files) {
    width = std::max(width, file.file.size());
    all.seconds += file.seconds;
    for (const writer::Finding& one : file.findings) {
      all.findings.emplace_back();
      all.findings.back().verdict = one.verdict;
    }
  }
  console.err(fmt::format("{:<{}}  {:>6}  {:>6}  {:>7}  {:>8}", "file", width, "safe", "unsafe",
                          "unknown", "seconds"));
  for (const writer::CheckedFile& file : files) console.err(summary_row(file, width));
  console.err(summary_row(all, width));
}

/// A file that was not checked any more.
ChildCheck not_checked(const CheckRequest& request, const std::string& file, Console& console) {
  std::string line = "unknown " + file + ": " + std::string(name(StopCause::Interrupted));
  if (request.outputs.take_standard_output())
    console.err(line);
  else
    console.out(line + "\n");
  writer::RunReport report{std::string(version()), file, {}, {}};
  report.results.push_back({file,
                            check::unknown(Reason::Stopped),
                            std::string(name(StopCause::Interrupted)),
                            request.engine,
                            0,
                            {}});
  int code = static_cast<int>(ExitCode::Unknown);
  return {ExitCode::Unknown, writer::checked_file(report, nullptr, code, 0),
          writer::write_json(report, nullptr, Stats{})};
}

Result<CheckRequest> request_for(const CheckRequest& request, const std::string& file,
                                 FolderNames& names) {
  CheckRequest out = request;
  out.file = file;
  out.label = file + ": ";
  out.input.source.more_files.clear();
  out.outputs.standard_output_taken = request.outputs.take_standard_output();
  out.outputs.json.clear();
  out.outputs.sarif.clear();
  out.outputs.junit.clear();
  std::string name = names.next(file);
  for (std::string* folder : {&out.outputs.witness, &out.outputs.certificate})
    LEM_TRY(move_below(*folder, name));
  return out;
}

Status write_all_results(const CheckRequest& request, std::span<const ChildCheck> checks,
                         Console& console) {
  std::vector<writer::CheckedFile> files;
  std::vector<std::string> documents;
  for (const ChildCheck& check : checks) {
    files.push_back(check.file);
    if (!check.json.empty()) documents.push_back(check.json);
  }
  if (!request.quiet) print_summary(files, console);
  const std::string& json = request.outputs.json;
  auto places = request.places ? writer::Places::Yes : writer::Places::No;
  std::string text;
  if (!json.empty()) text = writer::write_json_list(std::string(version()), documents, places);
  LEM_TRY(put(json, text, console));
  return write_findings(request.outputs, files, console);
}

}  // namespace

Result<ExitCode> check_files(const CheckRequest& request, Console& console) {
  LEM_TRY(check_outputs(request.outputs));
  LEM_TRY(plan_run(request));
  FolderNames names;
  std::vector<CheckRequest> requests;
  for (const std::string& file : request.input.all_files(request.file)) {
    LEM_LET(CheckRequest one, request_for(request, file, names));
    requests.push_back(std::move(one));
  }
  ChildChecks children;
  std::vector<ChildCheck> checks;
  std::vector<ExitCode> codes;
  for (const CheckRequest& one : requests) {
    checks.push_back(children.interrupted() ? not_checked(request, one.file, console)
                                            : children.check(one, console));
    codes.push_back(checks.back().code);
  }
  children.heed_signals();
  LEM_TRY(write_all_results(request, checks, console));
  return worst(codes);
}

}  // namespace lem::app
