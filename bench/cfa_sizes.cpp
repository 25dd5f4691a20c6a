// What preprocessing does to the automata of C programs: a line for each file, with locations,
// edges and variables before and after each step, and its milliseconds.
//   build/cfa_sizes FILE...
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "frontend/c/c.h"
#include "transform/cfa/preprocess.h"

namespace {

void print(const char* step, const lem::Cfa& cfa, double ms) {
  lem::CfaExtent is = lem::extent(cfa);
  std::printf(",%s,%zu,%zu,%zu,%zu,%.1f", step, is.locations, is.edges, is.variables, is.size, ms);
}

void measure(const std::string& path) {
  lem::COptions options;
  for (const char* set : {"/c/dagger/", "/c/invgen/", "/c/code2inv/"})
    if (path.find(set) != std::string::npos) options.arith = lem::COptions::Arith::Int;
  auto program = lem::read_c(path, options);
  if (!program) return;
  lem::Cfa cfa = program->cfa;
  std::printf("%s", path.c_str());
  print("read", cfa, 0);
  lem::PreprocessOptions steps;
  auto last = std::chrono::steady_clock::now();
  steps.observe = [&](std::string_view step, const lem::Cfa& after) {
    auto now = std::chrono::steady_clock::now();
    print(std::string(step).c_str(), after,
          std::chrono::duration<double, std::milli>(now - last).count());
    last = std::chrono::steady_clock::now();
  };
  lem::preprocess(cfa, steps);
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) measure(argv[i]);
}
