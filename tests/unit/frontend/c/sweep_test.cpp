// All C benchmarks at hand become automata or are refused with place and construct.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "unit/frontend/c/support.h"

namespace lem::c {
namespace {

struct Reason {
  std::size_t files = 0;
  std::string first;
};

TEST(CSweep, EveryBenchmarkIsReadOrRefusedWithAPlace) {
  std::vector<std::string> files;
  std::error_code absent;
  std::filesystem::recursive_directory_iterator folder(LEM_SOURCE_DIR "/../shared/benchmarks/c",
                                                       absent);
  if (absent) GTEST_SKIP() << "the shared benchmarks are not here";
  for (const auto& entry : folder) {
    std::string extension = entry.path().extension().string();
    if (extension == ".c" || extension == ".i") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  std::set<std::string> safe, unsafe;
  std::ifstream expected(LEM_SOURCE_DIR "/../shared/benchmarks/expected.csv");
  for (std::string line; std::getline(expected, line);) {
    std::string name = line.substr(0, line.find(','));
    if (line.find(",safe,") != std::string::npos) safe.insert(name);
    if (line.find(",unsafe,") != std::string::npos) unsafe.insert(name);
  }
  std::size_t failing = 0;
  std::map<std::string, Reason> reasons;
  std::size_t good = 0, locations = 0, edges = 0, variables = 0;
  for (const std::string& file : files) {
    COptions options;
    for (const char* set : {"/c/dagger/", "/c/invgen/", "/c/code2inv/"})
      if (file.find(set) != std::string::npos) options.arith = COptions::Arith::Int;
    CRun program(OnDisk{file}, options);
    if (program.ok()) {
      ++good;
      locations += program.cfa().locations().size();
      edges += program.cfa().edges().size();
      variables += program.cfa().variables().size();
      EXPECT_FALSE(program.cfa().in(program.cfa().error()).empty()) << file;
      std::string name = file.substr(file.find("/benchmarks/") + 12);
      for (int i = 0; safe.count(name) != 0 && i < 2; ++i)
        EXPECT_NE(program.run({}, 200), "error") << file << " is safe";
      if (unsafe.count(name) != 0) failing += program.can_fail(2) ? 1 : 0;
      continue;
    }
    EXPECT_NE(program.error().at.line, 0U) << program.error().text();
    std::string message = program.error().message;  // names do not make another reason
    for (std::size_t from; (from = message.find('\'')) != std::string::npos;) {
      std::size_t to = message.find('\'', from + 1);
      if (to == std::string::npos) break;
      bool call = message.find("call of '") != std::string::npos &&
                  message.find("recursion") == std::string::npos;
      message.replace(from, to - from + 1,
                      call ? "<" + message.substr(from + 1, to - from - 1) + ">" : "<name>");
    }
    Reason& reason = reasons[message];
    if (reason.files++ == 0) reason.first = program.error().text();
  }
  std::cout << files.size() << " files, " << good << " automata (" << locations << " locations, "
            << edges << " edges, " << variables << " variables); " << failing
            << " unsafe ones fail in random runs\n";
  for (const auto& [message, reason] : reasons)
    std::cout << "  " << reason.files << "  " << message << "   e.g. " << reason.first << '\n';
}

}  // namespace
}  // namespace lem::c
