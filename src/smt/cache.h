// A cache in front of a solver: answers to questions that were asked before, least recently used
// ones forgotten first. A question is the set of asserted formulas and the set of assumptions, by
// the hash-consed terms themselves, so an answer is never given to another question.
//
// Off by default (ic3ia.query-cache): questions hardly repeat (docs/benchmarks.md, SMT streams).
// Tests: tests/unit/smt/cache_test.cpp, conformance_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <unordered_map>
#include <vector>

#include "base/stats.h"
#include "smt/smt_solver.h"

namespace lem::smt {

struct CacheStats {
  explicit CacheStats(Stats& all)
      : hits(all.counter("smt.cache-hits")),
        misses(all.counter("smt.cache-misses")),
        models(all.counter("smt.cache-models")) {}
  Counter& hits;
  Counter& misses;
  Counter& models;  // questions asked again for the values of a cached Sat
};

class CachedSolver final : public SmtSolver, public Projector {
 public:
  using Make = std::function<std::unique_ptr<SmtSolver>()>;

  /// Keeps at most `capacity` answers. `make` gives the solver behind, and another one when values
  /// of a cached answer are asked for after the formulas have changed.
  CachedSolver(TermStore& terms, Make make, std::size_t capacity, Stats& stats,
               std::stop_token stop);

  void add(Term formula) override;
  void push() override;
  void pop() override;
  /// An Unknown is remembered with its limits, and asked again under larger ones.
  Answer solve(std::span<const Term> assumptions) override;
  using SmtSolver::solve;
  /// Of a cached Sat no model is kept: it is solved again for the first value.
  Term value(Term term) override;
  const std::vector<Term>& core() const override { return core_; }
  void limit_time(std::uint32_t milliseconds) override;
  void limit_work(std::uint32_t units) override;
  Projector* projector() override;
  std::optional<std::vector<Term>> project(Term formula, std::span<const Term> eliminate) override;

  std::size_t size() const { return entries_.size(); }

 private:
  // Shared: entries of one state of the assertions, and the state itself, refer to one list.
  using Formulas = std::shared_ptr<const std::vector<Term>>;
  struct Question {
    Formulas asserted;              // sorted, each once
    std::vector<Term> assumptions;  // sorted, each once
    std::uint64_t hash;
  };
  struct Limits {
    std::uint32_t time = 0;  // 0: none
    std::uint32_t work = 0;
    bool allows(const Limits& other) const;
  };
  struct Entry {
    Question question;
    Answer answer;
    Limits limits;           // of an Unknown
    std::vector<Term> core;  // of an Unsat, sorted
  };
  using Entries = std::list<Entry>;  // the most recently used first

  Question question(std::span<const Term> assumptions);
  Entries::iterator find(const Question& question);
  void remember(Entry entry);
  void set_core(std::span<const Term> assumptions, const std::vector<Term>& sorted_core);
  SmtSolver* solver_with_model();

  TermStore& terms_;
  Make make_;
  std::size_t capacity_;
  CacheStats stats_;
  std::stop_token stop_;
  std::unique_ptr<SmtSolver> inner_;
  Limits limits_;

  std::vector<Term> asserted_;
  std::vector<std::size_t> scopes_;  // sizes of asserted_ at each push
  Formulas state_;                   // asserted_, sorted; none after a change
  Entries entries_;
  std::unordered_multimap<std::uint64_t, Entries::iterator> by_hash_;

  // Of the last answer.
  enum class Model : std::uint8_t { None, Inner, Pending, Other };
  Model model_ = Model::None;
  std::optional<Question> pending_;   // of a cached Sat
  std::unique_ptr<SmtSolver> other_;  // has the model if the formulas changed meanwhile
  std::vector<Term> core_;
};

}  // namespace lem::smt
