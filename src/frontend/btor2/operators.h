// The operators of BTOR2: what sorts they take and what terms they become.
//
// A node of width 1 is kept as a truth value where an operator made one, so that conditions are
// formulas and not bit-vector equalities; states, inputs and what is sliced or computed stay BV(1).
// `btor2_word` and `btor2_truth` change between the two.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "term/term_store.h"

namespace lem::btor2 {

/// How an operator's sorts fit together: result <- arguments.
enum class Btor2Shape : std::uint8_t {
  Unary,      // w <- w
  Reduction,  // 1 <- w
  Binary,     // w <- w w
  Compare,    // 1 <- w w
  Equal,      // 1 <- any sort twice
  Logic,      // 1 <- 1 1
  Concat,     // v+w <- v w
  Extend,     // w+n <- w, number n
  Slice,      // h-l+1 <- w, numbers h and l
  Ite,        // any <- 1, any twice
  Read,       // element <- array index
  Write,      // array <- array index element
};

enum class Btor2Op : std::uint8_t {
  Add,
  And,
  Concat,
  Dec,
  Eq,
  Iff,
  Implies,
  Inc,
  Ite,
  Mul,
  Nand,
  Neg,
  Neq,
  Nor,
  Not,
  Or,
  Read,
  Redand,
  Redor,
  Redxor,
  Rol,
  Ror,
  Saddo,
  Sdiv,
  Sdivo,
  Sext,
  Sgt,
  Sgte,
  Slice,
  Sll,
  Slt,
  Slte,
  Smod,
  Smulo,
  Sra,
  Srem,
  Srl,
  Ssubo,
  Sub,
  Uaddo,
  Udiv,
  Uext,
  Ugt,
  Ugte,
  Ult,
  Ulte,
  Umulo,
  Urem,
  Usubo,
  Write,
  Xnor,
  Xor,
};

struct Btor2Operator {
  std::string_view name;
  Btor2Op op;
  Btor2Shape shape;
};

/// No operator of that name: nullptr.
const Btor2Operator* find_btor2_operator(std::string_view name);
/// The result is a single bit whatever the arguments are.
bool is_predicate(Btor2Shape shape);
std::uint32_t num_node_arguments(Btor2Shape shape);
std::uint32_t num_number_arguments(Btor2Shape shape);

/// A node as a bit-vector, or as a truth value.  require: no array; for `btor2_truth` of width 1
Term btor2_word(TermStore& terms, Term node);
Term btor2_truth(TermStore& terms, Term node);

/// require: sorts fit the shape
Term apply_btor2(TermStore& terms, Btor2Op op, std::span<const Term> args, std::uint32_t p0,
                 std::uint32_t p1);

}  // namespace lem::btor2
