#include "engine/bmc/simulation.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <set>
#include <utility>

#include "base/assert.h"
#include "term/traverse.h"

namespace lem::engine {

namespace {

constexpr std::size_t kFirstSteps = 1'000;  // of a run; more after every kRunsOfOneLength runs
constexpr std::size_t kMostSteps = 100'000;
constexpr std::size_t kRunsOfOneLength = 64;
constexpr std::size_t kStepsBetweenLooks = 256;  // at the time

}  // namespace

Simulation::Simulation(const Cfa& cfa, const Context& ctx)
    : cfa_(cfa),
      terms_(cfa.terms()),
      ctx_(ctx),
      arrays_(terms_),
      executor_(cfa, arrays_, [this](Sort sort) { return any(sort); }) {
  find_constants();
}

void Simulation::find_constants() {
  std::vector<Term> roots;
  std::function<void(const Command&)> look = [&](const Command& command) {
    if (command.kind() == Command::Kind::Assume || command.kind() == Command::Kind::Assign)
      roots.push_back(command.value());
    for (const Command& part : command.parts()) look(part);
  };
  for (const CfaEdge& edge : cfa_.edges()) look(edge.command);
  std::map<Sort, std::set<mpq_class>> found;
  for_each_subterm(terms_, roots, [&](Term term) {
    switch (terms_.op(term)) {
      case Op::BvValue:
        found[terms_.sort(term)].insert(mpq_class(terms_.signed_value(term)));
        break;
      case Op::IntValue:
      case Op::RealValue:
        found[terms_.sort(term)].insert(terms_.number_value(term));
        break;
      case Op::FpValue:
        if (FloatValue value = terms_.float_value(term); value.is_finite())
          found[terms_.sort(term)].insert(value.exact());
        break;
      default:
        break;
    }
  });
  for (const auto& [sort, values] : found) constants_[sort] = {values.begin(), values.end()};
}

/// A constant, what lies beside or between two of them or their opposites, or a small number.
mpq_class Simulation::any_number(const std::vector<mpq_class>& constants) {
  auto constant = [&]() -> mpq_class {
    if (constants.empty()) return 1;
    mpq_class value = constants[below(constants.size())];
    return below(4) == 0 ? mpq_class(-value) : value;
  };
  constexpr std::size_t kParts = 1 << 20;
  switch (below(6)) {
    case 0:
      return constant();
    case 1:
      return constant() + static_cast<int>(below(3)) - 1;
    case 2:
    case 3: {
      mpq_class from = constant(), to = constant();
      mpq_class part(static_cast<unsigned long>(below(kParts + 1)), kParts);
      part.canonicalize();
      return from + (to - from) * part;
    }
    case 4:
      return static_cast<int>(below(17)) - 4;
    default: {
      mpq_class part(static_cast<unsigned long>(below(kParts + 1)), kParts);
      part.canonicalize();
      return constant() * part;
    }
  }
}

Term Simulation::any(Sort sort) {
  auto bits = [&](std::uint32_t width) {
    mpz_class word = 0;
    for (std::uint32_t i = 0; i < width; i += 32) {
      word <<= 32;
      word += static_cast<unsigned long>(random_() & 0xFFFFFFFF);
    }
    mpz_class range = 1;
    range <<= width;
    return mpz_class(word % range);
  };
  auto integral = [](const mpq_class& number) { return mpz_class(number); };  // towards 0
  bool arbitrary = below(8) == 0;
  switch (terms_.kind(sort)) {
    case SortKind::Bool:
      return terms_.boolean(below(2) == 1);
    case SortKind::BitVec: {
      std::uint32_t width = terms_.width(sort);
      return terms_.bv(arbitrary ? bits(width) : integral(any_number(constants_[sort])), width);
    }
    case SortKind::Int:
      return terms_.integer(integral(any_number(constants_[sort])));
    case SortKind::Real:
      return terms_.real(any_number(constants_[sort]));
    case SortKind::Float: {
      FloatFormat format = terms_.format(sort);
      if (arbitrary) return terms_.floating(FloatValue(format, bits(format.bits())));
      return terms_.number(any_number(constants_[sort]), sort);
    }
    case SortKind::Array:
      return terms_.make_const_array(sort, any(terms_.element_sort(sort)));
  }
  unreachable();
}

SymbolicState Simulation::start() {
  SymbolicState state;
  for (std::uint32_t i = 0; i < cfa_.variables().size(); ++i) {
    Sort sort = terms_.sort(cfa_.variables()[i]);
    if (executor_.is_array(i))
      state.arrays.set(i, arrays_.constant(sort, any(terms_.element_sort(sort))));
    else
      state.scalars.set(i, any(sort));
  }
  return state;
}

/// One way through the command; false if the chosen one cannot be gone.
bool Simulation::execute(const Command& command, SymbolicState& state) {
  switch (command.kind()) {
    case Command::Kind::Sequence:
      return std::all_of(command.parts().begin(), command.parts().end(),
                         [&](const Command& part) { return execute(part, state); });
    case Command::Kind::Choice: {
      if (command.parts().empty()) return false;
      std::size_t first = below(command.parts().size());
      for (std::size_t i = 0; i < command.parts().size(); ++i) {
        SymbolicState end = state;
        if (!execute(command.parts()[(first + i) % command.parts().size()], end)) continue;
        state = std::move(end);
        return true;
      }
      return false;
    }
    case Command::Kind::Havoc: {
      auto at = std::find(cfa_.variables().begin(), cfa_.variables().end(), command.variable());
      auto variable = static_cast<std::uint32_t>(at - cfa_.variables().begin());
      if (!executor_.is_array(variable)) return executor_.execute(command, state);
      Sort sort = terms_.sort(command.variable());
      state.arrays.set(variable, arrays_.constant(sort, any(terms_.element_sort(sort))));
      return true;
    }
    case Command::Kind::Assume:
    case Command::Kind::Assign:
      // A condition that is left open: not everything is a value, which is not expected.
      return executor_.execute(command, state) && state.path == PathId::Root;
  }
  unreachable();
}

std::optional<CfaTrace> Simulation::run_once(std::size_t most_steps) {
  ++runs_;
  SymbolicState first = start(), now = first;
  LocationId here = cfa_.initial();
  std::vector<Step> steps;
  while (here != cfa_.error()) {
    if (steps.size() == most_steps) return {};
    if (steps.size() % kStepsBetweenLooks == 0 && ctx_.stopped()) return {};
    std::span<const EdgeId> ways = cfa_.out(here);
    if (ways.empty()) return {};
    std::size_t chosen = below(ways.size()), tried = 0;
    for (; tried < ways.size(); ++tried) {
      EdgeId edge = ways[(chosen + tried) % ways.size()];
      SymbolicState next = now;
      if (!execute(cfa_[edge].command, next)) continue;
      steps.push_back({edge, next});
      now = std::move(next);
      here = cfa_[edge].to;
      break;
    }
    if (tried == ways.size()) return {};  // an assumption fails
  }
  return trace(first, steps);
}

CfaTrace Simulation::trace(const SymbolicState& first, const std::vector<Step>& steps) {
  CfaTrace run;
  std::vector<Arrays::Valued> arrays(cfa_.variables().size());
  auto note = [&](const SymbolicState& state) {
    std::vector<Term>& all = run.values.emplace_back();
    for (std::uint32_t i = 0; i < cfa_.variables().size(); ++i) {
      if (executor_.is_array(i)) {
        arrays[i] = arrays_.evaluate(state.arrays[i], arrays[i], [](Term term) { return term; });
        all.push_back(arrays[i].value);
      } else {
        all.push_back(state.scalars[i]);
      }
    }
  };
  note(first);
  for (const Step& step : steps) {
    run.edges.push_back(step.edge);
    note(step.after);
  }
  return run;
}

std::optional<CfaTrace> Simulation::search(Seconds time) {
  auto start = std::chrono::steady_clock::now();
  while (!ctx_.stopped() && std::chrono::steady_clock::now() - start < time) {
    std::size_t longer = std::min<std::size_t>(runs_ / kRunsOfOneLength, 20);
    if (auto run = run_once(std::min(kMostSteps, kFirstSteps << longer))) return run;
  }
  return {};
}

}  // namespace lem::engine
