// Addresses as numbers. Each object whose address is used as a number begins at some number, which
// is a variable of the automaton: any that suits the alignment of its type, is not null, leaves
// room for the object and overlaps with no global one. The rest is left open, so that a proof holds
// wherever a compiler puts the object; a run is confirmed by the compiled program as any other.
#pragma once

#include <map>

#include "frontend/c/workspace.h"

namespace lem::c {

class Addresses {
 public:
  explicit Addresses(Workspace& w) : w_(w) {}

  /// Finds the objects whose addresses are used as numbers.
  void find();
  /// The number of this pointer, cut or extended to the type.
  ///   require: numbers are bit-vectors; `at` is the pointer that `value` is
  Term number(const llvm::Value& value, const Pointer& at, const llvm::Type& type,
              const llvm::Instruction& user);
  /// A local that starts to exist may be elsewhere than before.
  void move(ObjectId object, const llvm::Instruction& at);

 private:
  std::uint64_t alignment(ObjectId object) const;
  Term base_of(ObjectId object, const Pointer& pointer);
  Term suits(ObjectId object, Term base);

  Workspace& w_;
  TermStore& t_ = w_.terms;
  const PointsTo& points_to_ = w_.points_to;
  const Encoding& encoding_ = w_.encoding;
  std::map<ObjectId, Term> bases_;  // where objects begin; no term: not needed yet
};

/// Whether this is p - q, which is calculated without numbers for both.
bool is_difference(const llvm::User& user);

}  // namespace lem::c
