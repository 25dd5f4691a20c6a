// Any text gives a program or an error with a place, never a crash; and what is accepted runs in
// the interpreter as in the automaton. Programs of the examples and of real code, if it is there,
// with words and bytes changed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "check/st/replay.h"
#include "frontend/st/st.h"
#include "support/random_walk.h"

namespace lem::frontend {
namespace {

std::vector<std::string> programs() {
  std::vector<std::string> out;
  for (const char* folder :
       {"/examples/st", "/../shared/benchmarks/st/oscat", "/../shared/benchmarks/st/plcopen_safety",
        "/../shared/benchmarks/st/scl_autoplc"}) {
    std::vector<std::filesystem::path> files;
    std::error_code none;
    for (const auto& entry :
         std::filesystem::directory_iterator(LEM_SOURCE_DIR + std::string(folder), none))
      files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const std::filesystem::path& file : files) {
      std::ifstream in(file, std::ios::binary);
      std::string text(std::istreambuf_iterator<char>(in), {});
      if (text.size() < 20'000) out.push_back(std::move(text));
    }
  }
  return out;
}

std::string mutated(std::string text, std::mt19937& random) {
  static const std::vector<std::string> kWords = {
      "IF",   "THEN",  "END_IF", ";",      ":=",    "(",   ")",    "VAR",  "END_VAR", "CASE",
      "OF",   "ARRAY", "[",      "]",      "..",    "INT", "BOOL", "16#",  "T#",      "//#",
      "\"",   "'",     "(*",     "*)",     "NOT",   "MOD", "/",    "0",    "-1",      "99999999999",
      "x.%X", "#",     "TYPE",   "STRUCT", "WHILE", "FOR", "REAL", "TIME", "REPEAT",  "=>"};
  auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random()) % bound; };
  for (std::size_t changes = 1 + below(3); changes-- > 0 && !text.empty();) {
    std::size_t at = below(text.size());
    switch (below(5)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, 1 + below(20));
        break;
      case 2:
        text.insert(at, kWords[below(kWords.size())]);
        break;
      case 3: {  // a word of the text somewhere else
        std::string piece = text.substr(below(text.size()), 1 + below(30));
        text.insert(at, piece);
        break;
      }
      default:
        text.resize(at);
        break;
    }
  }
  return text;
}

TEST(StMutation, AnyTextIsAProgramOrAnErrorWithAPlace) {
  std::mt19937 random(20261117);
  std::vector<std::string> texts = programs();
  ASSERT_FALSE(texts.empty());
  std::size_t accepted = 0;
  for (int round = 0; round < 600; ++round) {
    std::string text = mutated(texts[static_cast<std::size_t>(round) % texts.size()], random);
    StOptions options;
    options.requirements.push_back({"", "forbidden", {"FALSE"}, {"--require", 1, 1}});
    options.checks = {true, true, true};
    Result<StProgram> program = read_st("mutant.st", text, options);
    if (!program) {
      EXPECT_FALSE(program.error().message.empty());
      EXPECT_NE(program.error().kind, ErrorKind::Internal) << program.error().text() << "\n"
                                                           << text;
      EXPECT_TRUE(program.error().at.line != 0 || program.error().kind == ErrorKind::Usage ||
                  program.error().message.find("has no program") != std::string::npos)
          << program.error().text() << "\n"
          << text;
      continue;
    }
    ++accepted;
    CfaTrace trace = test::RandomWalk(program->cfa, 1).run(program->source->cycle_end, 2);
    std::string said =
        check::replay_plc(*program, program->source->properties[0].name, trace, {}).value_or("");
    EXPECT_EQ(said.find("has another value"), said.npos) << said << "\n" << text;
  }
  EXPECT_GT(accepted, 20U);
}

}  // namespace
}  // namespace lem::frontend
