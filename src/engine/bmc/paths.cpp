#include "engine/bmc/paths.h"

#include <algorithm>
#include <cassert>
#include <span>

namespace lem::engine {

PathId Paths::extend(PathId path, Term condition) {
  if (terms_.is_true(condition)) return path;
  Term whole = terms_.make_and(at(path).whole, condition);
  nodes_.push_back({path, at(path).depth + 1, condition, whole});
  return PathId{static_cast<std::uint32_t>(nodes_.size() - 1)};
}

std::vector<Term> Paths::since(PathId start, PathId path) const {
  std::vector<Term> conditions;
  for (; path != start; path = at(path).parent) conditions.push_back(at(path).condition);
  std::reverse(conditions.begin(), conditions.end());
  return conditions;
}

PathId Paths::insert(PathId start, Term condition, PathId path) {
  std::vector<Term> after = since(start, path);
  path = extend(start, condition);
  for (Term each : after) path = extend(path, each);
  return path;
}

PathId Paths::common(PathId one, PathId other) const {
  while (one != other) {
    PathId& deeper = at(one).depth >= at(other).depth ? one : other;
    deeper = at(deeper).parent;
  }
  return one;
}

Paths::Join Paths::join(PathId one, PathId other) {
  PathId start = common(one, other);
  std::vector<Term> a = since(start, one), b = since(start, other);
  assert(!a.empty() && !b.empty() && "paths that meet have parted");
  auto all = [&](std::span<const Term> conditions) { return terms_.make_and(conditions); };
  Term first = a.size() <= b.size() ? all(a) : terms_.make_not(all(b));
  Term either;
  if (a.front() == terms_.make_not(b.front())) {
    Term after_a = all(std::span(a).subspan(1)), after_b = all(std::span(b).subspan(1));
    either = terms_.make_ite(a.front(), after_a, after_b);
  } else {
    either = terms_.make_or(all(a), all(b));
  }
  return {extend(start, either), first};
}

/// The literals that a condition is a conjunction of.
void Paths::literals(Term condition, std::vector<Term>& out) const {
  if (terms_.op(condition) == Op::And) {
    for (Term part : terms_.args(condition)) literals(part, out);
  } else if (terms_.op(condition) == Op::Not && terms_.op(terms_.arg(condition, 0)) == Op::Or) {
    for (Term part : terms_.args(terms_.arg(condition, 0))) out.push_back(terms_.make_not(part));
  } else {
    out.push_back(condition);
  }
}

bool Paths::exclude(const std::vector<Term>& some, const std::vector<Term>& others) const {
  std::vector<Term> a, b;
  for (Term condition : some) literals(condition, a);
  for (Term condition : others) literals(condition, b);
  auto fixes = [&](Term literal) {
    return terms_.op(literal) == Op::Eq && terms_.is_value(terms_.arg(literal, 1));
  };
  for (Term x : a)
    for (Term y : b) {
      if (x == terms_.make_not(y)) return true;
      if (!fixes(x) || !fixes(y)) continue;
      if (terms_.arg(x, 0) == terms_.arg(y, 0) && terms_.arg(x, 1) != terms_.arg(y, 1)) return true;
    }
  return false;
}

}  // namespace lem::engine
