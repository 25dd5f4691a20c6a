// Cfa: a control-flow automaton [Lange18 Def. 2.23], the top rung of the ladder
// Cfa -> TransitionSystem -> Aig. Locations, edges with guarded commands between them, one initial
// and one error location; every value of the variables is possible at the start.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/command.h"

namespace lem {

enum class LocationId : std::uint32_t {};
enum class EdgeId : std::uint32_t {};

constexpr std::uint32_t index(LocationId id) {
  return static_cast<std::uint32_t>(id);
}
constexpr std::uint32_t index(EdgeId id) {
  return static_cast<std::uint32_t>(id);
}

struct Location {
  std::string name;
  std::uint32_t line = 0;  // in the source, 0: unknown
};

struct CfaEdge {
  LocationId from, to;
  Command command;
  std::uint32_t line = 0;  // in the source, 0: unknown
};

/// Immutable once made; copies share the store.
class Cfa {
 public:
  TermStore& terms() const { return *terms_; }
  const std::shared_ptr<TermStore>& store() const { return terms_; }

  std::span<const Term> variables() const { return variables_; }
  std::span<const Location> locations() const { return locations_; }
  std::span<const CfaEdge> edges() const { return edges_; }
  const Location& operator[](LocationId id) const { return locations_[index(id)]; }
  const CfaEdge& operator[](EdgeId id) const { return edges_[index(id)]; }
  LocationId initial() const { return initial_; }
  LocationId error() const { return error_; }

  std::span<const EdgeId> out(LocationId id) const { return out_[index(id)]; }
  std::span<const EdgeId> in(LocationId id) const { return in_[index(id)]; }

 private:
  friend class CfaBuilder;
  std::shared_ptr<TermStore> terms_;
  std::vector<Term> variables_;
  std::vector<Location> locations_;
  std::vector<CfaEdge> edges_;
  LocationId initial_{}, error_{};
  std::vector<std::vector<EdgeId>> out_, in_;  // by location
};

/// Collects and validates once.
class CfaBuilder {
 public:
  explicit CfaBuilder(std::shared_ptr<TermStore> terms);
  TermStore& terms() const { return *cfa_.terms_; }

  Term add_variable(const std::string& name, Sort sort);
  /// require: a variable of the store that is none of this automaton yet
  void add_variable(Term variable);
  LocationId add_location(std::string name, std::uint32_t line = 0);
  EdgeId add_edge(LocationId from, Command command, LocationId to, std::uint32_t line = 0);
  void set_initial(LocationId id) { initial_ = id; }
  void set_error(LocationId id) { error_ = id; }

  /// Fails when a location is missing, an edge leaves the error location, or a command mentions a
  /// variable that the automaton does not have.
  Result<Cfa> freeze() &&;

 private:
  Cfa cfa_;
  std::optional<LocationId> initial_, error_;
};

}  // namespace lem
