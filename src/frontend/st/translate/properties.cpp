#include "frontend/st/translate/properties.h"

#include <fmt/format.h>

#include <algorithm>

namespace lem::st {

StProperty& Properties::add(const std::string& name, StProperty::Kind kind, const SourcePos& at,
                            const std::string& text) {
  std::string key = fmt::format("{}@{}:{}:{}", name, at.file, at.line, at.column);
  if (auto found = by_key_.find(key); found != by_key_.end()) return all_[found->second];
  std::string unique = name;
  auto taken = [&] {
    return std::any_of(all_.begin(), all_.end(),
                       [&](const StProperty& other) { return other.name == unique; });
  };
  if (taken()) unique += "@" + std::to_string(at.line);
  for (int copy = 2; taken(); ++copy) unique = name + "#" + std::to_string(copy);
  by_key_[key] = all_.size();
  all_.push_back({unique, kind, cfa_.builder().add_location("error", at.line), at, text});
  return all_.back();
}

void Properties::prove(LocationId error, Term condition) {
  TermStore& t = cfa_.terms();
  if (t.is_true(condition) || cfa_.is_dead()) return;
  cfa_.flush();
  cfa_.edge(error, {Command::assume(t.make_not(condition))});
}

void Properties::check(StProperty::Kind kind, const SourcePos& at, const std::string& what,
                       Term holds) {
  const StOptions::Checks& wanted = context_.options.checks;
  auto [asked, group] = kind == StProperty::Kind::Overflow ? std::pair{wanted.overflow, "overflow"}
                        : kind == StProperty::Kind::Division
                            ? std::pair{wanted.division, "division"}
                            : std::pair{wanted.bounds, "bounds"};
  if (!asked || !context_.in_user_code() || context_.frame().self == nullptr) return;
  prove(add(fmt::format("{}@{}:{}", group, at.line, at.column), kind, at, what).error, holds);
}

}  // namespace lem::st
