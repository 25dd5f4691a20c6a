#include "smt/cache.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lem::smt {

static std::vector<Term> as_set(std::span<const Term> terms) {
  std::vector<Term> set(terms.begin(), terms.end());
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return set;
}

static std::uint64_t mix(std::uint64_t hash, std::span<const Term> terms) {
  for (Term term : terms) {
    hash ^= term.id() + 0x9E3779B97F4A7C15ULL + (hash << 6) + (hash >> 2);
    hash *= 0xFF51AFD7ED558CCDULL;
  }
  return hash;
}

CachedSolver::CachedSolver(TermStore& terms, Make make, std::size_t capacity, Stats& stats,
                           std::stop_token stop)
    : terms_(terms),
      make_(std::move(make)),
      capacity_(capacity),
      stats_(stats),
      stop_(std::move(stop)),
      inner_(make_()) {
  assert(capacity > 0 && "a cache keeps something");
}

void CachedSolver::add(Term formula) {
  asserted_.push_back(formula);
  state_.reset();
  inner_->add(formula);
}

void CachedSolver::push() {
  scopes_.push_back(asserted_.size());
  inner_->push();
}

void CachedSolver::pop() {
  assert(!scopes_.empty() && "every pop has its push");
  if (asserted_.size() != scopes_.back()) state_.reset();
  asserted_.resize(scopes_.back());
  scopes_.pop_back();
  inner_->pop();
}

void CachedSolver::limit_time(std::uint32_t milliseconds) {
  limits_.time = milliseconds;
  inner_->limit_time(milliseconds);
}

void CachedSolver::limit_work(std::uint32_t units) {
  limits_.work = units;
  inner_->limit_work(units);
}

/// Whether whoever failed under `other` may succeed under these.
bool CachedSolver::Limits::allows(const Limits& other) const {
  auto is_more = [](std::uint32_t now, std::uint32_t then) {
    return then != 0 && (now == 0 || now > then);
  };
  return is_more(time, other.time) || is_more(work, other.work);
}

CachedSolver::Question CachedSolver::question(std::span<const Term> assumptions) {
  if (!state_) state_ = std::make_shared<const std::vector<Term>>(as_set(asserted_));
  Question made{state_, as_set(assumptions), 0};
  made.hash = mix(mix(1, *made.asserted) + 1, made.assumptions);
  return made;
}

CachedSolver::Entries::iterator CachedSolver::find(const Question& question) {
  auto [first, last] = by_hash_.equal_range(question.hash);
  for (auto at = first; at != last; ++at) {
    const Question& other = at->second->question;
    if (other.assumptions == question.assumptions && *other.asserted == *question.asserted)
      return at->second;
  }
  return entries_.end();
}

void CachedSolver::remember(Entry entry) {
  if (entries_.size() == capacity_) {
    Entries::iterator oldest = std::prev(entries_.end());
    auto [first, last] = by_hash_.equal_range(oldest->question.hash);
    by_hash_.erase(std::find_if(first, last, [&](auto& at) { return at.second == oldest; }));
    entries_.pop_back();
  }
  entries_.push_front(std::move(entry));
  by_hash_.emplace(entries_.front().question.hash, entries_.begin());
}

/// The core in the order of the assumptions as they were given this time.
void CachedSolver::set_core(std::span<const Term> assumptions,
                            const std::vector<Term>& sorted_core) {
  for (Term term : assumptions)
    if (std::binary_search(sorted_core.begin(), sorted_core.end(), term)) core_.push_back(term);
}

Answer CachedSolver::solve(std::span<const Term> assumptions) {
  core_.clear();
  other_.reset();
  pending_.reset();
  model_ = Model::None;
  if (stop_.stop_requested()) return Answer::Unknown;
  Question asked = question(assumptions);
  Entries::iterator known = find(asked);
  bool again =
      known != entries_.end() && known->answer == Answer::Unknown && limits_.allows(known->limits);
  if (known != entries_.end() && !again) {
    ++stats_.hits;
    entries_.splice(entries_.begin(), entries_, known);
    if (known->answer == Answer::Unsat) set_core(assumptions, known->core);
    if (known->answer == Answer::Sat) {
      model_ = Model::Pending;
      pending_ = std::move(asked);
    }
    return known->answer;
  }
  ++stats_.misses;
  Answer answer = inner_->solve(assumptions);
  if (answer == Answer::Sat) model_ = Model::Inner;
  if (answer == Answer::Unsat) core_ = inner_->core();
  // An answer to somebody who is stopped says nothing.
  if (answer == Answer::Unknown && stop_.stop_requested()) return answer;
  if (again) {
    known->answer = answer;
    known->limits = limits_;
    known->core = as_set(core_);
    entries_.splice(entries_.begin(), entries_, known);
  } else {
    remember({std::move(asked), answer, limits_, as_set(core_)});
  }
  return answer;
}

/// Solves a cached Sat again, in place if the formulas are still the same; nullptr if that fails.
SmtSolver* CachedSolver::solver_with_model() {
  assert(model_ != Model::None && "values are those of the last Sat answer");
  if (model_ == Model::Pending) {
    ++stats_.models;
    bool in_place = state_ && state_ == pending_->asserted;
    if (!in_place) {
      other_ = make_();
      for (Term formula : *pending_->asserted) other_->add(formula);
    }
    SmtSolver& solver = in_place ? *inner_ : *other_;
    if (solver.solve(pending_->assumptions) != Answer::Sat) return nullptr;
    model_ = in_place ? Model::Inner : Model::Other;
  }
  return model_ == Model::Inner ? inner_.get() : other_.get();
}

Term CachedSolver::value(Term term) {
  SmtSolver* solver = solver_with_model();
  // Stopped while solving again: any value will do, since whatever is built on it is checked.
  return solver != nullptr ? solver->value(term) : terms_.default_value(terms_.sort(term));
}

Projector* CachedSolver::projector() {
  return inner_->projector() != nullptr ? this : nullptr;
}

std::optional<std::vector<Term>> CachedSolver::project(Term formula,
                                                       std::span<const Term> eliminate) {
  SmtSolver* solver = solver_with_model();
  if (solver == nullptr) return {};
  return solver->projector()->project(formula, eliminate);
}

}  // namespace lem::smt
