// Scalars in the variables of cells. A cell of one object is a scalar, or an array over the index
// of its pointers; that of an object with many instances is an array over their numbers.
#pragma once

#include <functional>
#include <vector>

#include "frontend/c/workspace.h"

namespace lem::c {

/// Where a scalar is in the variable of a cell.
struct Spot {
  const Cell& cell;
  Pointer pointer;
  Term element{};  // of an array
};

class Places {
 public:
  explicit Places(const Workspace& w) : w_(w) {}

  /// Whether the pointer points to the object of the place. True for instances: their numbers
  /// differ from those of all objects, so they are tried last when reading, and writing elsewhere
  /// does not change them.
  Term is_of(const Access& access, const Place& place, const Pointer& pointer) const;
  /// Whether the pointer is at the offset of this number.
  Term is_at(const Place& place, std::size_t i, const Pointer& pointer) const;
  /// The same for a cell at that offset: true for arrays, which have all offsets.
  Term is_at(const Cell& cell, const Place& place, std::size_t i, const Pointer& pointer) const;

  Spot spot(const Cell& cell, const Place& place, const Pointer& pointer) const;
  /// The scalar, and the variable with another scalar there.
  Term get(Term variable, const Spot& spot) const;
  Term set(Term variable, const Spot& spot, Term scalar) const;

 private:
  Term element(const Place& place, const Pointer& pointer) const;

  const Workspace& w_;
  TermStore& t_ = w_.terms;
  const PointsTo& points_to_ = w_.points_to;
  const Encoding& encoding_ = w_.encoding;
};

/// What one instruction writes, all at once.
class Updates {
 public:
  explicit Updates(const Places& places, TermStore& terms) : places_(places), t_(terms) {}

  /// Where the condition holds the scalar becomes what `fresh` makes of the old one. Two places may
  /// be parts of one cell: the old one is that behind the updates so far.
  void update(Term variable, const Spot& spot, Term condition,
              const std::function<Term(Term)>& fresh);
  const std::vector<Write>& all() const { return writes_; }

 private:
  const Places& places_;
  TermStore& t_;
  std::vector<Write> writes_;
};

/// The bits of a wide number with some of them replaced, from `shift` on.
Term with_bits(TermStore& t, Term whole, Term bits, std::uint32_t shift);

}  // namespace lem::c
