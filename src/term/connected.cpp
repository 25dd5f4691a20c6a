#include "term/connected.h"

#include <cassert>

#include "term/postorder.h"

namespace lem {

static constexpr auto kNone = static_cast<std::uint32_t>(Connected::Class::None);

void Connected::add(Term formula) {
  if (!is_new(formula)) return;
  for (std::size_t id = some_.size(); id < terms_.size(); ++id) {
    some_.push_back(kNew);
    parent_.push_back(static_cast<std::uint32_t>(id));
  }
  postorder(
      terms_, formula, [&](Term term) { return !is_new(term); }, [&](Term term) { look_at(term); });
}

void Connected::look_at(Term term) {
  std::uint32_t& one = some_[term.id()];
  one = terms_.is_variable(term) ? term.id() : kNone;
  for (Term arg : terms_.args(term)) {
    std::uint32_t other = some_[arg.id()];
    if (other == kNone) continue;
    if (one == kNone)
      one = other;
    else
      parent_[find(other)] = find(one);
  }
}

std::uint32_t Connected::find(std::uint32_t id) {
  while (parent_[id] != id) id = parent_[id] = parent_[parent_[id]];
  return id;
}

Connected::Class Connected::of(Term formula) {
  assert(!is_new(formula) && "what was added has a class");
  std::uint32_t variable = some_[formula.id()];
  return Class{variable == kNone ? kNone : find(variable)};
}

std::vector<Term> Connected::among(std::span<const Term> formulas, Class wanted) {
  std::vector<Term> found;
  for (Term formula : formulas)
    if (of(formula) == wanted) found.push_back(formula);
  return found;
}

}  // namespace lem
