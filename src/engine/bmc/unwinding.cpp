#include "engine/bmc/unwinding.h"

#include <algorithm>
#include <bit>
#include <span>

namespace lem::engine {

Unwinding::Unwinding(const Cfa& cfa, const Context& ctx, Feasible feasible)
    : cfa_(cfa),
      ctx_(ctx),
      feasible_(std::move(feasible)),
      components_(components(cfa)),
      arrays_(cfa.terms()),
      executor_(cfa, arrays_, [this](Sort sort) { return fresh(sort); }) {}

Term Unwinding::fresh(Sort sort) {
  Term& variable = named_[{context_, edge_, ordinal_++}];
  // An edge may leave other things open in another run: then the name is of another sort.
  if (!variable || cfa_.terms().sort(variable) != sort) {
    variable = cfa_.terms().fresh("any", sort);
    inputs_.push_back(variable);
  }
  return variable;
}

std::uint32_t Unwinding::context_of(LocationId head, std::uint32_t round) {
  auto number = static_cast<std::uint32_t>(contexts_.size() + 1);
  return contexts_.try_emplace({context_, head, round}, number).first->second;
}

void Unwinding::run(const std::vector<std::uint32_t>& bounds) {
  bounds_ = &bounds;
  executor_.restart();
  visits_.clear();
  errors_.clear();
  unfinished_.clear();
  rounds_.assign(cfa_.locations().size(), 0);
  pending_.assign(cfa_.locations().size(), {});
  context_ = 0;
  pending_[index(cfa_.initial())].push_back({VisitId::None, {}, executor_.initial()});
  run(components_.order);
}

void Unwinding::run(const std::vector<CfaElement>& elements) {
  for (const CfaElement& element : elements) {
    if (ctx_.stopped()) return;
    if (element.is_component)
      run_loop(element);
    else
      pass(element.head, VisitId::None);
  }
}

/// Only rounds that leave a condition open count, and a few of many others, since they may never
/// end.
void Unwinding::run_loop(const CfaElement& loop) {
  constexpr std::uint32_t kManyRounds = 50'000;
  std::uint32_t around = context_, outside = round_, counted = 0, round = 0;
  VisitId last = VisitId::None;
  for (;; ++round) {
    std::uint64_t decided = executor_.decisions();
    context_ = context_of(loop.head, round);
    round_ = round;
    last = pass(loop.head, last);
    run(loop.body);
    context_ = around;
    if (executor_.decisions() != decided || round % kManyRounds == kManyRounds - 1) ++counted;
    if (!again(loop, counted)) break;
  }
  round_ = outside;
  std::uint32_t& most = rounds_[index(loop.head)];
  most = std::max(most, round + 1);
}

bool Unwinding::again(const CfaElement& loop, std::uint32_t counted) {
  std::vector<Arrival>& back = pending_[index(loop.head)];
  if (back.empty() || ctx_.stopped()) return false;
  if (counted < (*bounds_)[index(loop.head)]) return true;
  back.clear();
  if (std::find(unfinished_.begin(), unfinished_.end(), loop.head) == unfinished_.end())
    unfinished_.push_back(loop.head);
  return false;
}

/// Where nothing changed since `before`, all that can follow has been seen from there.
Unwinding::VisitId Unwinding::pass(LocationId here, VisitId before) {
  std::vector<Arrival> arrivals = std::move(pending_[index(here)]);
  pending_[index(here)].clear();
  if (arrivals.empty()) return VisitId::None;
  std::vector<SymbolicState> states;
  for (const Arrival& arrival : arrivals) states.push_back(arrival.state);
  SymbolicState met = executor_.meet(states);
  if (cfa_.terms().is_false(executor_.paths().formula(met.path))) return VisitId::None;
  if (before != VisitId::None && visit(before).state.scalars == met.scalars &&
      visit(before).state.arrays == met.arrays)
    return VisitId::None;
  VisitId id{static_cast<std::uint32_t>(visits_.size())};
  visits_.push_back({here, met, std::move(arrivals)});
  std::vector<End> ends;
  for (EdgeId edge : cfa_.out(here)) {
    edge_ = edge;
    ordinal_ = 0;
    End end{edge, met};
    if (executor_.execute(cfa_[edge].command, end.state)) ends.push_back(std::move(end));
  }
  std::vector<SymbolicState*> open;
  for (End& end : ends) open.push_back(&end.state);
  executor_.separate(met.path, open);
  drop_infeasible(here, met.path, ends);
  for (End& end : ends) {
    LocationId to = cfa_[end.edge].to;
    std::vector<Arrival>& there = to == cfa_.error() ? errors_ : pending_[index(to)];
    there.push_back({id, end.edge, std::move(end.state)});
  }
  return id;
}

/// Asked where a loop can be left: what cannot go on must not be unwound. Not in every round: most
/// loops that are asked about do go on. Where one way of two is left, it was no decision.
void Unwinding::drop_infeasible(LocationId here, PathId start, std::vector<End>& ends) {
  const std::vector<LocationId>& heads = components_.heads[index(here)];
  if (heads.empty() || ends.size() < 2) return;
  if (round_ > 3 && !std::has_single_bit(round_)) return;
  auto stays = [&](const End& end) {
    const std::vector<LocationId>& there = components_.heads[index(cfa_[end.edge].to)];
    return std::find(there.begin(), there.end(), heads.back()) != there.end();
  };
  auto staying = std::count_if(ends.begin(), ends.end(), stays);
  if (staying == 0 || staying == static_cast<std::ptrdiff_t>(ends.size())) return;
  Paths& paths = executor_.paths();
  bool two_ways = false;
  if (ends.size() == 2) {
    std::vector<Term> a = paths.since(start, ends[0].state.path);
    std::vector<Term> b = paths.since(start, ends[1].state.path);
    two_ways = a.size() == 1 && b.size() == 1 && a[0] == cfa_.terms().make_not(b[0]);
  }
  std::erase_if(ends, [&](const End& end) { return !feasible_(end.state.path); });
  if (two_ways && ends.size() == 1) ends[0].state.path = start;
}

}  // namespace lem::engine
