// From one prepared function to the automaton. Chains of basic blocks become edges, one for each
// source line; a value that is used only within its chain is a term, other values are variables.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IntrinsicInst.h>

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "frontend/c/arithmetic.h"
#include "frontend/c/c.h"
#include "frontend/c/cells.h"
#include "frontend/c/failures.h"
#include "frontend/c/floats.h"
#include "frontend/c/frames.h"
#include "frontend/c/points_to.h"

namespace lem::c {

/// A pointer at run time: the number of an object, and an index that counts steps of it.
struct Pointer {
  Term object;
  Term index;
};

/// The bits of a wide number with some of them replaced, from `shift` on.
Term with_bits(TermStore& t, Term whole, Term bits, std::uint32_t shift);

class Translator {
 public:
  Translator(const llvm::Function& main, const std::string& path, const COptions& options);
  Result<CProgram> run();

 private:
  enum class Flow : std::uint8_t { On, Ended };  // whether control comes to the next instruction

  // translate.cpp: chains, edges and variables
  void find_chains();
  void find_last_uses();
  Status chain(const llvm::BasicBlock& head);
  void emit(Command command, std::uint32_t line);
  void flush();
  void edge(LocationId to, std::vector<Command> commands, std::uint32_t line);
  Status leave(const llvm::BasicBlock& from, const llvm::BasicBlock& to, Term guard);
  Result<std::vector<Command>> moves(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  Status terminator(const llvm::Instruction& last);
  LocationId location(const llvm::BasicBlock& head);
  Term declare(CVariable variable, Sort sort);
  Term internal(Sort sort, std::uint32_t bits);
  Term phi_variable(const llvm::PHINode& phi);
  Pointer phi_variables(const llvm::PHINode& phi);

  // instructions.cpp: what is in a block
  Result<Flow> instruction(const llvm::Instruction& instruction);
  Result<Flow> call(const llvm::CallBase& call);
  Result<Flow> call_builtin(const llvm::CallBase& call, const llvm::Function& callee);
  Result<Flow> failed_check(const llvm::CallBase& call);
  Status nondet(const llvm::CallBase& call, const llvm::Function& callee);
  bool is_known_element(const llvm::StoreInst& store);
  Status only_prints(const llvm::CallBase& call) const;
  Result<Term> compute(const llvm::Instruction& instruction);
  Result<Term> binary(const llvm::BinaryOperator& op);
  Result<Term> division(const llvm::BinaryOperator& op, Term a, Term b);
  Result<Term> shift(const llvm::BinaryOperator& op, Term a, Term b);
  Result<Term> compare(const llvm::ICmpInst& compare);
  Result<Term> cast(const llvm::CastInst& cast);
  Result<Term> value(const llvm::Value& value, const llvm::Instruction& user,
                     CSign sign = CSign::Signed);
  void define(const llvm::Instruction& instruction, Term term);
  void define(const llvm::Instruction& instruction, Term term,
              llvm::DenseMap<const llvm::Value*, Term>& among);
  void keep_before_write(Term written, const llvm::Instruction& writer);
  CSign sign_of(const llvm::Value& value) const;
  std::optional<mpz_class> most_of(const llvm::Value& value) const;
  Term read_as(Term term, const llvm::Value& value, CSign sign) const;
  bool wraps(const llvm::BinaryOperator& op) const;
  Error refuse(const llvm::Instruction& at, const std::string& construct) const;
  Error refuse_operation(const llvm::BinaryOperator& op) const;

  std::optional<Term> constant(const llvm::Value& value, CSign sign) const;

  Result<Term> call_integer(const llvm::CallBase& call);  // builtins.cpp

  // float_instructions.cpp
  Status find_rounding();
  Result<Term> compute_float(const llvm::Instruction& instruction);
  Result<Term> cast_float(const llvm::CastInst& cast, Term a);
  Term truth_number(Term formula, const llvm::CallBase& call);
  Term sign_bit(Term a, const llvm::CallBase& call);
  Result<Term> call_float(const llvm::CallBase& call, FloatFunction function);
  Result<Term> classify(const llvm::CallBase& call, FloatFunction function,
                        const std::vector<Term>& args);

  // memory.cpp: cells as variables
  Status initial_values();
  Status initial_value(CellId cell, const llvm::GlobalVariable& global);
  Term partly_known(Term number, const llvm::APInt& open);
  Result<Term> initial_scalar(const Cell& cell, unsigned part, const llvm::GlobalVariable& global,
                              std::uint64_t offset);
  Result<Term> initial_array(const Cell& cell, unsigned part, const llvm::GlobalVariable& global);
  Sort sort_of(const Cell& cell, unsigned part);
  Sort scalar_sort(const llvm::Type& type, unsigned part);
  Term variable_of(CellId cell, unsigned part = 0);
  Result<Term> load(const llvm::LoadInst& load, unsigned part);
  Term element_index(const Place& place, const Pointer& pointer);
  Term is_at(const Place& place, std::size_t i, const Pointer& pointer);
  Term read(const llvm::Instruction& at, const Place& place, unsigned part, const Pointer& from,
            Sort sort);
  void find_filled();
  bool is_made_whole(const Cell& cell) const;
  void zero_first(CellId cell, const llvm::Instruction& at);
  Term within(const Place& place, unsigned part, const Offset& offset, const Pointer& from,
              Term element);
  Status store(const llvm::StoreInst& store);
  struct Write {
    Term variable, value;
  };
  static Term current(Term variable, const std::vector<Write>& writes);
  static void set_write(Term variable, Term value, std::vector<Write>& writes);
  void write(const Place& place, unsigned part, const Pointer& to, Term condition, Term value,
             CSign sign, std::vector<Write>& out);
  void spoil(const llvm::StoreInst& store, const Place& place, const Pointer& to, Term condition,
             std::vector<Write>& out);
  void write_all(std::vector<Write> writes, const llvm::Instruction& writer);
  Term is_of(const Access& access, const Place& place, const Pointer& pointer);
  void only_real(const llvm::Instruction& at, const Access& access, const Pointer& pointer);
  Status havoc(CellId cell, const llvm::Instruction& at);
  Status fresh(const llvm::CallBase& call);
  Status allocate(const llvm::CallBase& call);
  Status copy(const llvm::MemTransferInst& copy);
  Status fill(const llvm::MemSetInst& fill);
  enum class Use : std::uint8_t { None, Read, Overwritten };
  enum class Copies : std::uint8_t { Overwrite, Keep };  // what has no value: is it in a copy?
  Use use_of(CellId cell, const llvm::Instruction& instruction, Copies copies) const;
  bool overwritten_unread(CellId cell, const llvm::Instruction& from, Copies copies) const;

  // pointers.cpp
  Result<Pointer> pointer(const llvm::Value& value, const llvm::Instruction& user);
  Result<Pointer> element(const llvm::GEPOperator& element, const llvm::Instruction& user);
  Status define_pointer(const llvm::Instruction& instruction);
  Result<Term> compare_pointers(const llvm::ICmpInst& compare);
  Term begins(ObjectId object, const Offset& offset, const Pointer& pointer);
  Term ends(ObjectId object, const Offset& offset, const Pointer& pointer);
  Term may_touch(const Targets& left, const Targets& right, const Pointer& a, const Pointer& b);
  Term may_be_one_literal(const Targets& left, const Targets& right, const Pointer& a,
                          const Pointer& b);
  Result<Term> equal(const llvm::ICmpInst& compare, const Pointer& a, const Pointer& b);
  Result<Term> less(const llvm::ICmpInst& compare, const Pointer& a, const Pointer& b);
  std::optional<Result<Term>> difference(const llvm::BinaryOperator& op);
  /// The common step and the rests of two pointers that can be compared by index.
  struct Apart {
    Term same_object;
    std::uint64_t step;
    std::int64_t left, right;
  };
  Result<Apart> apart(const llvm::Instruction& at, const llvm::Value& left,
                      const llvm::Value& right, const Pointer& a, const Pointer& b);
  Term any(Sort sort, const llvm::Instruction& at);
  Pointer any_pointer(const llvm::Instruction& at);
  Term object_number(ObjectId object);
  Term object_constant(std::uint64_t number);
  Term index_constant(std::int64_t number);
  Sort object_sort();
  Sort index_sort();
  bool indexed(const Targets& targets) const;

  // addresses.cpp: addresses as numbers
  void find_addresses();
  std::uint64_t alignment(ObjectId object) const;
  Term base_of(ObjectId object, const Pointer& pointer);
  Term suits(ObjectId object, Term base);
  Result<Term> address(const llvm::Value& value, const llvm::Type& type,
                       const llvm::Instruction& user);
  void move_elsewhere(ObjectId object, const llvm::Instruction& at);

  // memory_checks.cpp: what --check looks for in memory
  void check(CRule rule, const llvm::Instruction& at, Term wrong);
  void check(CRule rule, const llvm::Instruction& at, const llvm::Instruction& stated, Term wrong);
  Status check_access(const llvm::Instruction& at, const llvm::Value& through, llvm::Type& type);
  Term is_into(const Targets& targets, ObjectId object, const Pointer& pointer);
  Term is_inside(ObjectId object, const Offset& offset, std::uint64_t bytes,
                 const Pointer& pointer);
  Term size_of(ObjectId object, const Pointer& pointer);
  bool counts_life() const;
  void begin_checks();
  Term lives(ObjectId object, const Pointer& pointer);
  Status begin_life(const llvm::CallBase& call, ObjectId object, const Pointer& made);
  Status shrink(const llvm::CallBase& call);
  void count(ObjectId object, const llvm::Instruction& at, int by, Term condition);
  Status release(const llvm::CallBase& call);
  void check_leaks(const llvm::Instruction& at);
  void find_open_cells();
  Term given(CellId cell);
  Sort given_sort(const Cell& cell);
  Term all_given(const Cell& cell, bool has_value);
  Term given_part(const Place& place, std::size_t i, const Pointer& from, std::uint64_t bytes);
  Term is_given(Term part);
  void copy_given(const llvm::Instruction& at, ObjectId target, std::optional<ObjectId> origin);
  void keep_given(const llvm::LoadInst& copied, const Access& access, const Pointer& from);
  void start_given(CellId cell, const llvm::Instruction& at, const Pointer& made, bool has_value);
  void note_given(const llvm::StoreInst& store, const Place& place, const Pointer& to,
                  Term condition, std::vector<Write>& out);
  void check_given(const llvm::LoadInst& load, const Access& access, const Pointer& from);

  const llvm::Function& main_;
  const std::string& path_;
  const std::set<CRule> checks_;
  CfaBuilder builder_;
  TermStore& t_;
  Arithmetic arithmetic_;
  Floats floats_;
  Term rounding_{};  // of programs that set it
  Frames frames_;
  PointsTo points_to_;
  Cells cells_;

  std::vector<const llvm::BasicBlock*> heads_;   // of chains, in the order they are found
  std::vector<const llvm::BasicBlock*> blocks_;  // that can be reached, chain by chain
  llvm::DenseMap<const llvm::BasicBlock*, const llvm::BasicBlock*> head_of_;
  llvm::DenseMap<const llvm::Instruction*, std::uint32_t> order_;
  llvm::DenseMap<const llvm::Instruction*, std::uint32_t> last_use_;  // kBeyond: other chains

  std::vector<std::array<Term, 2>> cell_variables_;  // no term: not needed yet
  Term last_instance_;                               // the highest number of an object so far
  std::vector<CVariable> variables_;
  std::map<std::string, std::uint32_t> names_;  // how often they were wanted
  std::vector<CInput> inputs_;
  llvm::DenseMap<const llvm::BasicBlock*, LocationId> locations_;
  llvm::DenseMap<const llvm::Value*, Term> values_;   // of pointers, the object
  llvm::DenseMap<const llvm::Value*, Term> indices_;  // of pointers
  std::vector<const llvm::Instruction*> open_;        // terms of this chain that may be used again

  Failures failures_;
  std::map<ObjectId, Term> sizes_, lives_, counts_;       // of objects on the heap
  std::set<ObjectId> filled_;                             // as a whole
  std::map<std::pair<CellId, unsigned>, Term> beyond_{};  // arrays behind the ends of such objects
  std::map<ObjectId, Term> bases_;  // where objects begin whose addresses are used as numbers
  std::map<CellId, Term> given_;    // of cells that may be without a value
  std::map<const llvm::Value*, Term> copied_given_;  // of loads that copy, where it is not known
  LocationId exit_{}, at_{};
  std::vector<Command> pending_;
  std::vector<CMark> pending_marks_;
  CMarks marks_;
  const llvm::Instruction* current_ = nullptr;  // what commands are made of
  std::uint32_t line_ = 0;
  EdgeId last_edge_{};
};

}  // namespace lem::c
