// Relations between variables in place of their values. Exact preimages of a loop are points on a
// line: res + 1 != a + b & cnt = 1, then res + 2 != a + b & cnt = 2, and so on. They are blocked
// one by one, though all of them imply the same relation: res + cnt != a + b.
//
// Cubes of one shape, equal but for constants, are a sign of divergence. For a cube of a shape that
// was seen before, literals are made which it implies and which have fewer constants:
//   shifts   p + c = q with x = v is p + (c - v) + x = q, and on the other side
//   lines    through the values of two variables now and when the shape was seen first
//   orders   x < y and x <= y, where that follows
// All are theory-unaware but for sums: they hold modulo 2^n as well. What is kept of them is
// decided by generalization. Tests: tests/unit/engine/ic3cfa/relations_test.cpp.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/context.h"
#include "engine/parts/cfa/literals.h"
#include "engine/parts/query/divergence.h"
#include "model/cfa.h"
#include "smt/smt_solver.h"
#include "term/traverse.h"

namespace lem::engine {

class CfaRelations {
 public:
  CfaRelations(TermStore& terms, CfaLiterals& literals, std::uint32_t patience, std::uint32_t limit,
               const Context& ctx);

  /// Literals that the cube implies; none before its shape was blocked `patience` times at the
  /// location.
  std::vector<Lit> implied_by(LocationId at, std::span<const Lit> cube);

 private:
  using Point = std::vector<std::pair<Term, Term>>;  // variables with the only value they may have
  std::uint64_t shape(LocationId at, std::span<const Lit> cube);
  Point values_in(Term cube);
  void shifts(Term literal, const Point& point, std::vector<Term>& found);
  void lines(const Point& first, const Point& now, std::vector<Term>& found);
  void orders(Term cube, std::vector<Term>& found);
  bool follows(Term cube, Term formula);
  bool is_number(Term variable) const;
  Term sum(Term a, Term b);
  Term times(Term factor, Term a);
  Term difference(Term a, Term b);
  void reduce(Term& a, Term& b);
  std::size_t constants(Term formula);

  TermStore& terms_;
  CfaLiterals& literals_;
  std::uint32_t limit_;
  std::unique_ptr<smt::SmtSolver> scratch_;  // nothing asserted
  Divergence<std::uint64_t> shapes_;
  std::map<std::uint64_t, Point> first_;  // by shape: of the first cube
};

}  // namespace lem::engine
