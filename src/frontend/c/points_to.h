// Where pointers may point: Andersen's inclusion-based analysis [Andersen94] of the one function
// that preparation leaves, flow-insensitive in memory and by SSA values outside. Offsets are
// congruences, so that fields are distinguished and walks over arrays keep their stride.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace lem::c {

enum class ObjectId : std::uint32_t {};
constexpr std::uint32_t index(ObjectId id) {
  return static_cast<std::uint32_t>(id);
}

/// What pointers point to. The number of an object at run time is its index plus 1; null is 0.
struct Object {
  enum class Kind : std::uint8_t { Local, Global, Heap, Function };
  const llvm::Value* site;  // the alloca, the global, the call that allocates, the function
  Kind kind;
  std::optional<std::uint64_t> size;  // in bytes, when it is fixed
  /// Made in a loop: instances have distinct numbers, above those of all objects. Two such objects
  /// are merged if one pointer may point to instances of both.
  bool many = false;
  bool resized = false;                 // by realloc, at its place
  std::optional<std::uint64_t> made{};  // such an object's size before
};

/// The numbers rest + k * step; just `rest` when step is 0.
struct Offset {
  std::int64_t rest = 0;
  std::uint64_t step = 0;
  friend auto operator<=>(const Offset&, const Offset&) = default;
};
Offset join(Offset a, Offset b);
bool may_meet(Offset a, Offset b);

/// Empty: the pointer has no value, since the code that computes it is unreachable.
struct Targets {
  std::map<ObjectId, Offset> objects;
  bool null = false;
  bool wild = false;                     // never initialised
  const llvm::Value* unknown = nullptr;  // where a pointer of unknown origin comes from

  /// Whether something is new.
  bool join(const Targets& other);
  Targets shifted(std::int64_t by, std::uint64_t step) const;
  /// One object of its own, and nothing else.
  bool single() const { return objects.size() == 1 && !null && !wild && unknown == nullptr; }
};

/// Whether these bytes make a pointer null.
bool stores_null(const llvm::StoreInst& store, const llvm::DataLayout& layout);

/// base + constant + sum of coefficient * value, in bytes.
struct Displacement {
  std::int64_t constant = 0;
  std::vector<std::pair<const llvm::Value*, std::int64_t>> terms;
};
Displacement displacement(const llvm::GEPOperator& element, const llvm::DataLayout& layout);

class PointsTo {
 public:
  explicit PointsTo(const llvm::Function& main);
  void analyse(const std::vector<const llvm::BasicBlock*>& blocks);

  Targets operator()(const llvm::Value& pointer) const;
  const std::vector<Object>& objects() const { return objects_; }
  const Object& operator[](ObjectId id) const { return objects_[index(id)]; }
  const llvm::DataLayout& layout() const { return layout_; }
  std::optional<ObjectId> object_of(const llvm::Value* site) const;
  /// The step of the index of all pointers to this object: their offsets are a rest, which is known
  /// of each, and a multiple of it. 0: all offsets are known.
  std::uint64_t step(ObjectId id) const { return steps_[index(find(id))]; }
  /// The step of the places in this object that pointers point to. It is a multiple of the step of
  /// their index, which they share with other objects. 0: each pointer points to one place of it.
  std::uint64_t stride(ObjectId id) const { return strides_[index(id)]; }
  bool any_instances() const { return instances_; }

 private:
  struct Contents {
    std::map<Offset, Targets> at;
    std::set<std::pair<Offset, std::uint64_t>> numbers;  // that are written: place and size
    Targets before;                                      // before anything is written
  };
  void find_objects(const std::vector<const llvm::BasicBlock*>& blocks);
  void add_object(const llvm::Value* site, Object::Kind kind, std::optional<std::uint64_t> size);
  void add_constants(const llvm::User& user);
  void initial_contents(const llvm::Value& site, ObjectId id);
  void initial_contents(ObjectId id, const llvm::Constant& value, std::int64_t at);
  void include();
  bool merge_instances();
  bool transfer(const llvm::Instruction& instruction);
  Targets result(const llvm::Instruction& instruction) const;
  Targets load(const Targets& address) const;
  bool store_number(const llvm::StoreInst& store);
  bool store(const Targets& address, const Targets& value);
  bool copy(const Targets& to, const Targets& from);
  void forget_sizes(const std::vector<const llvm::BasicBlock*>& blocks);
  void find_steps();
  bool align(const Targets& targets);
  ObjectId find(ObjectId id) const;

  const llvm::Function& main_;
  const llvm::DataLayout& layout_;
  std::vector<Object> objects_;
  std::vector<const llvm::Value*> sites_;  // all, in order
  llvm::DenseMap<const llvm::Value*, ObjectId> by_site_;
  std::vector<Contents> contents_;               // by object
  std::vector<const llvm::Instruction*> order_;  // those that move pointers
  llvm::DenseMap<const llvm::Instruction*, Targets> values_;
  std::vector<ObjectId> parents_;       // objects that share a step, as a forest
  std::vector<std::uint64_t> steps_;    // by root
  std::vector<std::uint64_t> strides_;  // by object
  bool instances_ = false;
};

}  // namespace lem::c
