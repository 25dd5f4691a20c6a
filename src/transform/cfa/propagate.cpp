#include "transform/cfa/propagate.h"

#include <algorithm>

#include "base/assert.h"
#include "term/traverse.h"
#include "transform/cfa/facts.h"

namespace lem::transform {

namespace {

/// The domain: x = e, where e does not mention x, for each variable.
class Definitions {
 public:
  using Fact = Term;

  Definitions(const Cfa& cfa, const VariableIndices& variables, std::size_t limit)
      : terms_(cfa.terms()),
        variables_(variables),
        limit_(limit),
        table_(variables.size()),
        users_(variables.size()) {}

  /// A table that also records which variables the definitions mention.
  class Known {
   public:
    explicit Known(Definitions& all) : all_(all) {}
    void load(const FactTable<Term>::Entries& entries) {
      for (VariableIndex v : all_.used_) all_.users_[v].clear();
      all_.used_.clear();
      all_.table_.load(entries);
      for (const auto& [v, term] : entries) all_.note_uses(v, term);
    }
    FactTable<Term>::Entries entries() const { return all_.table_.entries(); }

   private:
    Definitions& all_;
  };
  Known table() { return Known(*this); }

  bool execute(const Command& command) { return simplify(command).has_value(); }
  std::optional<Command> simplify(const Command& command) {
    switch (command.kind()) {
      case Command::Kind::Assign:
        return assign(command);
      case Command::Kind::Assume:
        return assume(command);
      case Command::Kind::Havoc:
        forget(variables_.of(command.variable()));
        return command;
      case Command::Kind::Sequence: {
        std::vector<Command> parts;
        for (const Command& part : command.parts()) {
          std::optional<Command> simpler = simplify(part);
          if (!simpler) return {};
          parts.push_back(*std::move(simpler));
        }
        return Command::sequence(std::move(parts));
      }
      case Command::Kind::Choice:
        return choose(command);
    }
    unreachable();
  }

  static std::optional<Term> join(VariableIndex, Term a, Term b, std::uint32_t) {
    return a == b ? std::optional(a) : std::nullopt;
  }
  Term formula(VariableIndex v, Term definition) {
    return terms_.make_eq(variables_[v], definition);
  }

 private:
  Term value(Term term) {
    TermMap known;
    for (VariableIndex v : variables_.in(term))
      if (const Term* definition = table_.find(v)) known[variables_[v]] = *definition;
    return known.empty() ? term : substitute(terms_, term, known);
  }

  Command assign(const Command& command) {
    VariableIndex x = variables_.of(command.variable());
    Term now = value(command.value());
    const Term* before = table_.find(x);
    if (now == command.variable() || (before != nullptr && *before == now)) return Command::skip();
    forget(x);
    if (!define(x, now)) define(x, command.value());
    return Command::assign(command.variable(), now);
  }

  std::optional<Command> assume(const Command& command) {
    Term guard = value(command.guard());
    if (terms_.is_false(guard)) return {};
    for (Term literal : conjuncts(terms_, guard)) learn(literal);
    return terms_.is_true(guard) ? Command::skip() : Command::assume(guard);
  }

  /// x = c of a guard; x and not x of a Boolean one.
  void learn(Term literal) {
    Term atom = terms_.atom_of(literal);
    if (terms_.is_variable(atom)) define(variables_.of(atom), terms_.boolean(atom == literal));
    if (terms_.op(literal) != Op::Eq) return;
    for (int side = 0; side < 2; ++side) {
      Term variable = terms_.arg(literal, side == 0 ? 0 : 1);
      Term constant = terms_.arg(literal, side == 0 ? 1 : 0);
      if (terms_.is_variable(variable) && terms_.is_value(constant))
        define(variables_.of(variable), constant);
    }
  }

  std::optional<Command> choose(const Command& command) {
    FactTable<Term>::Entries before = table_.entries();
    std::optional<FactTable<Term>::Entries> all;
    std::vector<Command> parts;
    for (const Command& part : command.parts()) {
      table().load(before);
      std::optional<Command> simpler = simplify(part);
      if (!simpler) continue;
      parts.push_back(*std::move(simpler));
      FactTable<Term>::Entries after = table_.entries();
      if (!all)
        all = std::move(after);
      else
        std::erase_if(*all, [&](const auto& entry) {
          return !std::binary_search(after.begin(), after.end(), entry);
        });
    }
    if (!all) return {};
    table().load(*all);
    return Command::choice(std::move(parts));
  }

  bool define(VariableIndex x, Term term) {
    auto mentioned = variables_.in(term);
    if (std::find(mentioned.begin(), mentioned.end(), x) != mentioned.end()) return false;
    if (!terms_.is_value(term) && dag_size(terms_, term) > limit_) return false;
    table_.set(x, term);
    note_uses(x, term);
    return true;
  }

  /// Removes the definition of x and the definitions that mention x.
  void forget(VariableIndex x) {
    table_.erase(x);
    for (VariableIndex user : users_[x]) {
      const Term* definition = table_.find(user);
      if (definition == nullptr) continue;
      auto mentioned = variables_.in(*definition);
      if (std::find(mentioned.begin(), mentioned.end(), x) != mentioned.end()) table_.erase(user);
    }
    users_[x].clear();
  }

  void note_uses(VariableIndex user, Term term) {
    for (VariableIndex v : variables_.in(term)) {
      users_[v].push_back(user);
      used_.push_back(v);
    }
  }

  TermStore& terms_;
  const VariableIndices& variables_;
  std::size_t limit_;
  FactTable<Term> table_;
  std::vector<std::vector<VariableIndex>> users_;  // by variable: whose definitions mention it,
  std::vector<VariableIndex> used_;                // and some that did; not empty for these
};

}  // namespace

Reduction propagate(const Cfa& cfa, std::size_t limit) {
  VariableIndices variables(cfa);
  Definitions domain(cfa, variables, limit);
  return Analysis(cfa, variables, domain).run();
}

}  // namespace lem::transform
