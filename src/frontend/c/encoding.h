// The data model: which terms stand for numbers, pointers and objects.
//
// A pointer is the number of an object and an index, which counts steps from the beginning of the
// object. Null has the number 0, the object with id i the number i + 1. Objects that are made in a
// loop have many instances, with numbers above those of all objects: what is kept of such an object
// is an array over the numbers of its instances.
#pragma once

#include <llvm/IR/Type.h>

#include <cstdint>
#include <optional>

#include "frontend/c/arithmetic.h"
#include "frontend/c/cells.h"
#include "frontend/c/floats.h"
#include "frontend/c/points_to.h"

namespace lem::c {

/// A pointer at run time.
struct Pointer {
  Term object;
  Term index;
};

/// How far behind a multiple of the step of the index: a number below the step, if there is one.
std::int64_t rest_of(const Offset& offset, std::uint64_t step);

class Encoding {
 public:
  Encoding(TermStore& terms, COptions::Arith arith, const PointsTo& points_to)
      : arithmetic(terms, arith), floats(terms), t_(terms), points_to_(points_to) {}

  Arithmetic arithmetic;
  Floats floats;
  /// Whether numbers are mathematical integers.
  bool ideal() const { return arithmetic.ideal(); }

  // Sorts. A pointer has two parts, object and index; numbers have one.

  Sort object_sort() const;
  Sort index_sort() const;
  Sort sort(const llvm::Type& type, unsigned part = 0) const;
  Sort sort(const Cell& cell, unsigned part) const { return in_cell(cell, sort(*cell.type, part)); }
  /// Of a variable that has something of this sort for each scalar of the cell.
  Sort in_cell(const Cell& cell, Sort each) const;

  // Constants

  /// Nothing for what is no number.
  std::optional<Term> constant(const llvm::Value& value, CSign sign) const;
  Term object(std::uint64_t number) const;
  Term object(ObjectId id) const { return object(std::uint64_t{index(id)} + 1); }
  Term index_of(std::int64_t number) const;
  Pointer null() const { return {object(0), index_of(0)}; }
  Term is_null(const Pointer& pointer) const { return t_.make_eq(pointer.object, object(0)); }

  // Numbers of the same sort

  Term add(Term a, Term b) const;
  Term multiply(Term a, Term b) const;

  // Objects

  /// Whether pointers to these have an index that varies.
  bool indexed(const Targets& targets) const;
  /// Whether all that the pointer can point to is this one object, of which there is one instance.
  std::optional<ObjectId> only(const Targets& targets) const;
  /// Whether the pointer points to this object, among its targets.
  Term is_into(const Targets& targets, ObjectId object, const Pointer& pointer) const;
  /// The sort of what is kept of an object, each instance having something of this sort.
  Sort per_instance(ObjectId object, Sort each) const;
  /// What is kept of the instance that the pointer points to, and all with that part replaced.
  Term of_instance(ObjectId object, Term all, const Pointer& pointer) const;
  Term with_instance(ObjectId object, Term all, const Pointer& pointer, Term part) const;

 private:
  TermStore& t_;
  const PointsTo& points_to_;
};

}  // namespace lem::c
