// Objects at run time: the numbers of instances, the sizes of what is made on the heap, whether it
// lives, and the checks of all these.
//
// An object on the heap has a variable that is true while it exists, one for its size unless that
// is fixed, and, if it has many instances, one that counts those that live. They are kept only when
// a check asks for them; the size also where the contents of an object end with it.
#pragma once

#include <map>

#include "frontend/c/failures.h"
#include "frontend/c/operands.h"
#include "frontend/c/workspace.h"

namespace lem::c {

class Objects {
 public:
  Objects(Workspace& w, Operands& operands, Failures& failures)
      : w_(w), operands_(operands), failures_(failures) {}

  /// At the start no instance has a number, and nothing was made.
  void start_numbers();
  void start_lives();

  enum class Size : std::uint8_t { IfChecked, Always };
  /// The call makes the object, with the size that it asks for. An instance has a number that none
  /// had before.
  Result<Pointer> make(const llvm::CallBase& call, ObjectId object, Size size);
  /// An object of --entry has the size that the run chooses. What main stores there comes before.
  Status shrink(const llvm::CallBase& call);
  /// free: what it is given must be the start of an object that lives, or null.
  Status release(const llvm::CallBase& call);

  /// Whether this many bytes at the pointer are in the object: 0 <= rest + index * step, and with
  /// `bytes` more at most the size.
  Term is_inside(ObjectId object, const Offset& offset, std::uint64_t bytes,
                 const Pointer& pointer);
  /// Whether the pointer is at the start of the object.
  Term is_start(ObjectId object, const Offset& offset, const Pointer& pointer) const;

  /// Checks that the access is to an object that lives, and inside of it.
  Status check_access(const llvm::Instruction& at, const llvm::Value& through, llvm::Type& type);
  /// Where the program ends, each call that made what still lives.
  void check_leaks(const llvm::Instruction& at);

 private:
  bool counts_life() const;
  bool is_heap(ObjectId object) const { return points_to_[object].kind == Object::Kind::Heap; }
  Term size_of(ObjectId object, const Pointer& pointer);
  Result<Term> size_asked(const llvm::CallBase& call);
  Term lives(ObjectId object, const Pointer& pointer) const;
  void count(ObjectId object, const llvm::Instruction& at, int by, Term condition);

  Workspace& w_;
  TermStore& t_ = w_.terms;
  const PointsTo& points_to_ = w_.points_to;
  const Encoding& encoding_ = w_.encoding;
  Operands& operands_;
  Failures& failures_;
  Term last_instance_{};  // the highest number so far; no term: no object has many instances
  std::map<ObjectId, Term> sizes_, lives_, counts_;
};

}  // namespace lem::c
