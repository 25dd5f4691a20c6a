// Answers to queries along a step that were given before [Lange18 5.1.3: the cached solver].
//
// The thesis compares formulas, so a frame that changed asks anew. Here frames are compared as sets
// of lemmas, as in generalization contexts (Theorem 4.7): what is unsatisfiable with a frame is so
// with every stronger one, what is satisfiable with every weaker one. Without reuse of obligations
// each iteration asks the questions of the one before, a level higher, where frames are weaker.
//
// A timeout is remembered with its limit and asked again under a larger one. The least recently
// used answers are forgotten first. Tests: tests/unit/engine/ic3cfa/answers_test.cpp.
#pragma once

#include <list>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/ic3cfa/frames.h"
#include "engine/ic3cfa/stats.h"
#include "engine/parts/cfa/steps.h"
#include "smt/smt_solver.h"

namespace lem::engine {

class CfaAnswers {
 public:
  CfaAnswers(const CfaFrames& frames, const CfaSteps& steps, std::size_t capacity, Stats& stats);

  /// F_(from, l) & T_e & cube', with so many milliseconds (0: no limit).
  struct Question {
    Level from;
    StepId step;
    Cube cube;
    std::uint32_t limit = 0;
  };
  struct Known {
    smt::Answer answer;
    std::vector<Lit> core;  // of an Unsat: the literals it needed
  };
  bool enabled() const { return capacity_ > 0; }
  std::optional<Known> find(const Question& question);
  void remember(const Question& question, Known known);
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    StepId step;
    Cube cube;
    Known known;
    Level level;         // of the frame that was asked, with
    std::size_t lemmas;  // the first so many of the location's history
    std::uint32_t limit;
  };
  using Entries = std::list<Entry>;  // the most recently used first
  bool holds(const Entry& entry, const Question& question) const;
  bool stronger(const Entry& entry, LocationId at, Level now) const;
  bool weaker(const Entry& entry, LocationId at, Level now) const;
  void forget_oldest();

  const CfaFrames& frames_;
  const CfaSteps& steps_;
  std::size_t capacity_;
  Entries entries_;
  std::unordered_multimap<std::uint64_t, Entries::iterator> by_question_;
  Ic3cfaStats stats_;
};

}  // namespace lem::engine
