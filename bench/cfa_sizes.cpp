// What preprocessing does to the automata of C programs: a line for each file, with locations,
// edges and variables before and after each step, and its milliseconds.
//   build/cfa_sizes FILE...
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "frontend/c/c.h"
#include "transform/cfa/preprocess.h"
#include "transform/transform.h"

namespace {

void print(const char* step, const lem::Cfa& cfa, double ms) {
  lem::transform::CfaExtent is = lem::transform::extent(cfa);
  std::printf(",%s,%zu,%zu,%zu,%zu,%.1f", step, is.locations, is.edges, is.variables, is.size, ms);
}

constexpr int kRounds = 8;  // as transform.cfa-rounds

/// Takes the steps of a stage one by one, as Pipeline does with all options at their defaults.
struct Steps {
  lem::Problem problem;
  lem::Options options{};
  lem::Stats stats{};
  lem::Log log{};
  lem::Progress progress{};

  void take(lem::transform::Stage stage) {
    for (const lem::transform::TransformInfo& step : lem::transform::all_transforms()) {
      if (step.stage != stage) continue;
      auto start = std::chrono::steady_clock::now();
      problem = step.apply(problem, {options, stats, log, progress, {}}).problem;
      auto end = std::chrono::steady_clock::now();
      print(std::string(step.id.substr(std::string_view("cfa-").size())).c_str(), problem.cfa(),
            std::chrono::duration<double, std::milli>(end - start).count());
    }
  }
};

void measure(const std::string& path) {
  lem::c::COptions options;
  for (const char* set : {"/c/dagger/", "/c/invgen/", "/c/code2inv/"})
    if (path.find(set) != std::string::npos) options.arith = lem::c::COptions::Arith::Int;
  auto program = lem::c::read_c(path, options);
  if (!program) return;
  lem::Cfa cfa = program->cfa;
  std::printf("%s", path.c_str());
  print("read", cfa, 0);
  Steps steps{lem::Problem{cfa, {{"error", lem::ErrorLocation{}}}, {}}};
  steps.options.declare(lem::transform::transform_options());
  lem::transform::CfaExtent before{};
  for (int round = 0; round < kRounds && !(lem::transform::extent(steps.problem.cfa()) == before);
       ++round) {
    before = lem::transform::extent(steps.problem.cfa());
    steps.take(lem::transform::Stage::Programs);
  }
  steps.take(lem::transform::Stage::Blocks);
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) measure(argv[i]);
}
