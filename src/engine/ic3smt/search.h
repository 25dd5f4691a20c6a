// The state of one run of concrete IC3 modulo theories: IC3 over cubes of theory literals, with
// preimages under-approximated by model-based projection [Cimatti14 2.2; Cimatti12]. All states
// of an obligation's cube step into its successor's, so that every chain of obligations from Init
// is a counterexample and nothing is ever refined.
#pragma once

#include <optional>
#include <vector>

#include "base/context.h"
#include "engine/ic3smt/options.h"
#include "engine/parts/common/generalizer.h"
#include "engine/parts/common/obligations.h"
#include "engine/parts/common/push_up.h"
#include "engine/parts/terms/frames.h"
#include "engine/parts/terms/system.h"

namespace lem {

struct Ic3smtStats {
  explicit Ic3smtStats(Stats& all)
      : obligations(all.counter("ic3smt.obligations")),
        ctgs(all.counter("ic3smt.ctgs")),
        combined(all.counter("ic3smt.combined")),
        block(all.timer("ic3smt.block")),
        generalize(all.timer("ic3smt.generalize")) {}
  Counter &obligations, &ctgs, &combined;
  Timer &block, &generalize;
};

class Ic3smtSearch {
 public:
  Ic3smtSearch(const Problem& problem, const Context& ctx);
  Verdict run();

  // The oracle of Generalizer (contracts there).
  Induction inductive(Level i, std::span<const Lit> cube) { return frames_.inductive(i, cube); }
  std::vector<Lit> counterexample() { return frames_.counterexample(); }
  bool meets_initial(std::span<const Lit> cube) { return frames_.meets_initial(cube); }
  void order(std::vector<Lit>& cube) const;
  bool block_ctg(Level i, const Effort& effort, std::uint32_t depth);

 private:
  bool stopped() const { return frames_.stopped() || infeasible_; }
  enum class Blocked : std::uint8_t { All, Counterexample, Stopped };

  Blocked strengthen();
  Blocked discharge(ObligationId id, Level level);
  Blocked enqueue_predecessor(ObligationId id, Level level);
  Blocked counterexample_from(ObligationId id);
  Level block(Level level, std::vector<Lit> core, const Effort& effort, std::uint32_t depth);
  Cube cube_of(const std::vector<Term>& literals);
  void add_sides(Term equality, std::vector<Lit>& cube);
  std::vector<Lit> combine(Level level, std::vector<Lit> core);
  double activity(Lit lit) const;
  Verdict unknown() const;
  void report_progress();

  const Context& ctx_;
  Ic3smtConfig config_;
  Ic3smtStats stats_;
  TermSystem system_;
  TermStore& terms_;
  TermFrames frames_;
  ObligationQueue obligations_;
  Generalizer<Ic3smtSearch> generalizer_;
  std::vector<double> activity_;  // by atom: how many lemmas mention it
  std::optional<TermTrace> trace_;
  bool infeasible_ = false;  // a chain of obligations was no counterexample: a projection was wrong
};

}  // namespace lem
