// Values that a run chooses before the function of --entry begins: numbers, pointers, and the
// objects behind pointers. All of it is code of the new main: inputs, and stores of them, so that a
// run is replayed on the module and natively like any other.
//
// A pointer is null, points to a new object, or to an object of the same type that was made before.
// A new object has 1 to options.pointer_size elements. Objects of pointers, and of structs that
// have pointers, have one if the program never walks over such elements. A struct with a flexible
// array member has 0 to options.pointer_size elements behind it. Pointers in objects are of the
// same kind, down to options.pointer_depth objects behind each other; deeper ones are null or point
// to one of the objects that there are. A pointer to a function is null or any function of its
// type.
//
// Limits: objects begin where a pointer to them points, so two pointers are never into the middle
// of one object; at most kMostObjects objects, kMostShared of which a pointer may share. Tests:
// tests/unit/frontend/c/entry_test.cpp.
#pragma once

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/c/c.h"

namespace lem::c {

/// What a value is in C, for names in traces. No type: not known.
struct Described {
  const llvm::DIType* type = nullptr;
  std::string name{};
};

class EntryValues {
 public:
  /// `place`: of what is made, with its scope; none where there is no debug information.
  EntryValues(llvm::Function& entry, llvm::IRBuilder<>& build, const std::string& path,
              const COptions& options);
  /// Gives what is made a place and names from now on. `scope`: the function that `build` is in.
  void name_in(llvm::DISubprogram& scope);
  /// To be called last.
  void finish();
  /// Pointers of its type may point to this global, or to the beginning of this array.
  void share(llvm::GlobalVariable& global);

  /// Any value of a type other than a struct or array.
  ///   level: how many objects there are around the value; 0 for arguments and globals
  Result<llvm::Value*> any(llvm::Type& type, const Described& as, unsigned level);
  /// The same, of a parameter of the entry; `restrict`: it shares no object.
  Result<llvm::Value*> any_argument(llvm::Argument& parameter, const Described& as);
  /// Stores any value of the type, part by part.
  Status fill(llvm::Value* place, llvm::Type& type, const Described& as, unsigned level);

  /// An object that was made: where it is, and its size in bytes.
  struct Made {
    llvm::Type* element;
    llvm::Value* at;
    llvm::Value* size;
    std::string name;
    bool shared;  // other pointers may point to it
  };
  const std::vector<Made>& objects() const { return made_; }
  void warn(std::string text) { warnings_.push_back(std::move(text)); }
  /// What the user should know about the values.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  /// Of a new object, by the number v >= 1 that the run chooses: first + (v - 1) * step bytes.
  struct Shape {
    llvm::Type* element;  // null: it has no contents
    std::uint64_t first, step;
    unsigned choices;
    llvm::Type* tail = nullptr;  // of a flexible array member
  };
  /// What a pointer may be: the values by number, from 0, and a word for each.
  struct Choice {
    std::vector<llvm::Value*> values;
    std::vector<std::string> words;
  };
  enum class Sharing : std::uint8_t { Allowed, Excluded };
  Error refuse(const std::string& what) const;
  Result<llvm::Value*> number(llvm::Type& type, const Described& as);
  Result<llvm::Value*> pointer(llvm::PointerType& type, llvm::Type& element, const Described& as,
                               unsigned level, Sharing sharing);
  Result<llvm::Value*> function(llvm::PointerType& type, const Described& as, unsigned level);
  Status fill_struct(llvm::Value* place, llvm::StructType& type, const Described& as,
                     unsigned level);
  Status fill_object(llvm::Value* at, const Shape& shape, const Described& as, unsigned level);
  Shape shape_of(llvm::Type& element);
  void find_uses();
  bool leads_to_entry(llvm::Function& function) const;
  llvm::Value* choose(const Choice& choice, llvm::Value* number);
  llvm::Value* choice_input(const Described& as, const std::vector<std::string>& words);
  const llvm::DIType* struct_named(llvm::StringRef name);
  void declare(llvm::Value* object, const llvm::DIType* type, const std::string& name);
  llvm::Type* cast_target(llvm::Argument& parameter) const;

  llvm::Function& entry_;
  llvm::Module& module_;
  llvm::IRBuilder<>& build_;
  const std::string& path_;
  const COptions& options_;
  std::unique_ptr<llvm::DIBuilder> debug_;
  llvm::DISubprogram* scope_ = nullptr;
  std::vector<Made> made_;
  std::vector<std::string> warnings_;
  std::uint64_t inputs_left_;
  struct TypeUses {
    std::set<llvm::Type*> walked, inside;
  };
  std::unique_ptr<TypeUses> uses_;  // once it is needed
};

/// The run ends unless the condition holds.
void assume_in(llvm::IRBuilder<>& build, llvm::Value* condition);

/// The variable of the source that a parameter is.
Described described(llvm::Argument& parameter);
/// The variable of the source that a global is.
Described described(llvm::GlobalVariable& global);

}  // namespace lem::c
