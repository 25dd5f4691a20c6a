// All Lustre benchmarks at hand are read, and no text crashes the reader.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "frontend/frontend.h"
#include "frontend/lustre/lustre.h"
#include "term/traverse.h"

namespace lem::frontend {
namespace {

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code absent;
  for (const auto& entry : std::filesystem::directory_iterator(folder, absent))
    if (entry.path().extension() == ".lus") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

std::string contents(const std::string& path) {
  std::ifstream in(path);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

TEST(LustreSweep, ReadsEveryBenchmark) {
  auto files = files_in(LEM_SOURCE_DIR "/../shared/benchmarks/lustre");
  if (files.empty()) GTEST_SKIP() << "the benchmarks are not here";
  for (const std::string& file : files) {
    auto problem = read_problem(file);
    ASSERT_TRUE(problem.ok()) << problem.error().text();
    EXPECT_TRUE(problem->system().is_functional()) << file;
  }
}

TEST(LustreSweep, ReadsEveryExample) {
  auto files = files_in(LEM_SOURCE_DIR "/examples/lustre");
  EXPECT_GE(files.size(), 3U);
  for (const std::string& file : files) {
    auto problem = read_problem(file);
    EXPECT_TRUE(problem.ok()) << problem.error().text();
  }
}

TEST(LustreSweep, IsDeterministic) {
  for (const std::string& file : files_in(LEM_SOURCE_DIR "/examples/lustre")) {
    auto a = read_problem(file);
    auto b = read_problem(file);
    ASSERT_TRUE(a.ok() && b.ok());
    EXPECT_EQ(a->system().terms().size(), b->system().terms().size());
    EXPECT_EQ(a->system().constraint(), b->system().constraint());
    for (std::size_t i = 0; i < a->properties.size(); ++i)
      EXPECT_EQ(a->properties[i].bad_term(), b->properties[i].bad_term());
  }
}

// Replaces, drops, doubles and swaps words of a valid program.
std::string mutated(std::vector<std::string> words, std::mt19937& rng) {
  auto below = [&](std::size_t bound) { return static_cast<std::size_t>(rng()) % bound; };
  static const std::vector<std::string> kSpice = {
      "pre", "->", "(", ")", ";",    "merge", "condact", "--%PROPERTY", "(*@contract",
      "*)",  "::", "{", "}", "1",    "int",   "when",    "if",          "every",
      "x",   ",",  ":", "=", "node", "const", "/*",      "\"",          "0.5"};
  for (std::size_t changes = 1 + below(4); changes-- > 0 && !words.empty();) {
    std::size_t at = below(words.size());
    switch (below(4)) {
      case 0:
        words[at] = kSpice[below(kSpice.size())];
        break;
      case 1:
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 2:
        words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), words[below(words.size())]);
        break;
      default:
        std::swap(words[at], words[below(words.size())]);
        break;
    }
  }
  std::string out;
  for (const std::string& word : words) out += word + (below(8) == 0 ? "\n" : " ");
  return out;
}

TEST(LustreSweep, AnyTextGivesAModelOrAnError) {
  std::mt19937 rng(7);
  int read = 0;
  auto files = files_in(LEM_SOURCE_DIR "/examples/lustre");
  for (const std::string& file : files) {
    std::istringstream in(contents(file));
    std::vector<std::string> words;
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("-- ")) continue;  // the head says what the example shows
      std::istringstream parts(line);
      for (std::string word; parts >> word;) words.push_back(word);
      words.push_back("\n");
    }
    for (int i = 0; i < 1000; ++i) {
      auto problem = lustre::read_lustre("m.lus", mutated(words, rng));
      if (!problem) {
        EXPECT_EQ(problem.error().kind, ErrorKind::BadInput);
        EXPECT_FALSE(problem.error().message.empty());
        EXPECT_GT(problem.error().at.line, 0U);
        continue;
      }
      ++read;
      EXPECT_FALSE(problem->properties.empty());
    }
  }
  EXPECT_GT(read, 0);
}

}  // namespace
}  // namespace lem::frontend
