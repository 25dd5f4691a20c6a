#include "model/command.h"

#include <algorithm>

#include "base/assert.h"
#include "model/symbolic_run.h"
#include "term/traverse.h"

namespace lem {

Command Command::assign(Term variable, Term value) {
  return Command({Kind::Assign, variable, value, {}});
}

Command Command::assume(Term guard) {
  return Command({Kind::Assume, {}, guard, {}});
}

Command Command::havoc(Term variable) {
  return Command({Kind::Havoc, variable, {}, {}});
}

Command Command::sequence(std::vector<Command> parts) {
  return compound(Kind::Sequence, std::move(parts));
}

Command Command::choice(std::vector<Command> parts) {
  return compound(Kind::Choice, std::move(parts));
}

Command Command::compound(Kind kind, std::vector<Command> parts) {
  std::vector<Command> flat;
  for (Command& part : parts) {
    if (part.kind() == kind) {
      flat.insert(flat.end(), part.parts().begin(), part.parts().end());
    } else {
      flat.push_back(std::move(part));
    }
  }
  if (flat.size() == 1) return flat.front();
  return Command({kind, {}, {}, std::move(flat)});
}

namespace {

Term replace(TermStore& terms, Term in, Term from, Term to) {
  return substitute(terms, in, {{from, to}});
}

Term wep_of(TermStore& terms, const Command& command, Term post, std::vector<Term>& fresh) {
  switch (command.kind()) {
    case Command::Kind::Assign:
      return replace(terms, post, command.variable(), command.value());
    case Command::Kind::Assume:
      return terms.make_and(command.guard(), post);
    case Command::Kind::Havoc: {
      std::vector<Term> used = variables_of(terms, post);
      if (!std::binary_search(used.begin(), used.end(), command.variable())) return post;
      fresh.push_back(terms.fresh("any", terms.sort(command.variable())));
      return replace(terms, post, command.variable(), fresh.back());
    }
    case Command::Kind::Sequence:
      for (auto part = command.parts().rbegin(); part != command.parts().rend(); ++part)
        post = wep_of(terms, *part, post, fresh);
      return post;
    case Command::Kind::Choice: {
      std::vector<Term> either;
      for (const Command& part : command.parts())
        either.push_back(wep_of(terms, part, post, fresh));
      return terms.make_or(either);
    }
  }
  unreachable();
}

Term sp_of(TermStore& terms, const Command& command, Term pre, std::vector<Term>& fresh) {
  auto old_value = [&](Term variable) {
    fresh.push_back(terms.fresh("old", terms.sort(variable)));
    return fresh.back();
  };
  switch (command.kind()) {
    case Command::Kind::Assign: {
      Term old = old_value(command.variable());
      Term value = replace(terms, command.value(), command.variable(), old);
      return terms.make_and(replace(terms, pre, command.variable(), old),
                            terms.make_eq(command.variable(), value));
    }
    case Command::Kind::Assume:
      return terms.make_and(pre, command.guard());
    case Command::Kind::Havoc:
      return replace(terms, pre, command.variable(), old_value(command.variable()));
    case Command::Kind::Sequence:
      for (const Command& part : command.parts()) pre = sp_of(terms, part, pre, fresh);
      return pre;
    case Command::Kind::Choice: {
      std::vector<Term> either;
      for (const Command& part : command.parts()) either.push_back(sp_of(terms, part, pre, fresh));
      return terms.make_or(either);
    }
  }
  unreachable();
}

void collect_assigned(const Command& command, std::vector<Term>& found) {
  if (command.variable()) found.push_back(command.variable());
  for (const Command& part : command.parts()) collect_assigned(part, found);
}

void collect_read(const Command& command, std::vector<Term>& found) {
  if (command.value()) found.push_back(command.value());
  for (const Command& part : command.parts()) collect_read(part, found);
}

void sort_and_unite(std::vector<Term>& terms) {
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
}

}  // namespace

Existential wep(TermStore& terms, const Command& command, Term post) {
  Existential result;
  result.formula = wep_of(terms, command, post, result.fresh);
  return result;
}

Existential sp(TermStore& terms, const Command& command, Term pre) {
  Existential result;
  result.formula = sp_of(terms, command, pre, result.fresh);
  return result;
}

Existential transition(TermStore& terms, const Command& command, std::span<const Term> current,
                       std::span<const Term> next) {
  assert(current.size() == next.size() && "one next for each variable");
  Existential result;
  SymbolicRun::State state{{}, terms.boolean(true)};
  SymbolicRun(terms, result.fresh).execute(command, state);
  std::vector<Term> parts{state.path};
  for (std::size_t i = 0; i < current.size(); ++i)
    parts.push_back(terms.make_eq(next[i], state[current[i]]));
  result.formula = terms.make_and(parts);
  return result;
}

std::vector<Command> split(const Command& command) {
  switch (command.kind()) {
    case Command::Kind::Assign:
    case Command::Kind::Assume:
    case Command::Kind::Havoc:
      return {command};
    case Command::Kind::Sequence: {
      std::vector<Command> paths{Command::skip()};
      for (const Command& part : command.parts()) {
        std::vector<Command> longer;
        for (const Command& path : paths)
          for (const Command& end : split(part)) longer.push_back(Command::sequence({path, end}));
        paths = std::move(longer);
      }
      return paths;
    }
    case Command::Kind::Choice: {
      std::vector<Command> paths;
      for (const Command& part : command.parts())
        for (Command& path : split(part)) paths.push_back(std::move(path));
      return paths;
    }
  }
  unreachable();
}

std::vector<Term> assigned(const Command& command) {
  std::vector<Term> found;
  collect_assigned(command, found);
  sort_and_unite(found);
  return found;
}

std::vector<Term> variables_of(const TermStore& terms, const Command& command) {
  std::vector<Term> read;
  collect_read(command, read);
  std::vector<Term> found = variables_of(terms, read);
  collect_assigned(command, found);
  sort_and_unite(found);
  return found;
}

}  // namespace lem
