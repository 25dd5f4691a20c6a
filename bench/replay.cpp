// Plays recorded query streams (--set smt.record=PREFIX) to Z3 as engines configure it and to our
// own solver, each with a store of its own, and prints queries per second side by side.
//   replay FILE...          a line for each stream, then the median ratio
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <vector>

#include "smt/arith.h"
#include "smt/record.h"

using namespace lem;

static smt::Replayed play(const char* path, bool own, Stats& stats) {
  TermStore terms;
  std::ifstream in(path);
  std::optional<smt::Recording> recording = smt::Recording::read(terms, in);
  if (!recording) return {};
  std::unique_ptr<smt::SmtSolver> solver =
      own ? smt::make_arith(terms, smt::Workload::Stream, {}, &stats)
          : smt::make_z3(terms, smt::Workload::Stream, {});
  return recording->play(*solver);
}

int main(int argc, char** argv) {
  std::vector<double> ratios;
  bool agree = true;
  std::printf("%-44s %8s %9s %9s %6s %5s %5s\n", "stream", "queries", "z3 q/s", "arith q/s",
              "ratio", "to z3", "diff");
  for (int i = 1; i < argc; ++i) {
    Stats stats;
    const smt::Replayed own = play(argv[i], true, stats);
    if (own.queries < 50) continue;
    const smt::Replayed z3 = play(argv[i], false, stats);
    const double ratio = z3.seconds / own.seconds;
    ratios.push_back(ratio);
    agree = agree && own.different == 0 && z3.different == 0;
    const std::string name = std::string(argv[i]).substr(std::string(argv[i]).rfind('/') + 1);
    std::printf(
        "%-44.44s %8lu %9.0f %9.0f %6.2f %5lu %5lu\n", name.c_str(), own.queries,
        static_cast<double>(z3.queries) / z3.seconds,
        static_cast<double>(own.queries) / own.seconds, ratio,
        stats.counter("smt.arith.gave_up").value + stats.counter("smt.arith.unsupported").value,
        own.different + z3.different);
  }
  if (ratios.empty()) return 1;
  std::sort(ratios.begin(), ratios.end());
  std::printf("streams %zu, median ratio %.2f, least %.2f\n", ratios.size(),
              ratios[ratios.size() / 2], ratios.front());
  return agree ? 0 : 1;
}
