// Evidence about justice properties.
//
// A lasso is a run whose last step leads back to the state of an earlier one (Unsafe::loop).
//
// A proof is a proof about a safety problem that the model and the property define, the product
// below. check/live/product.h and run/live/product.h build it independently of each other; both
// follow this definition to the number of a signal, so that a certificate means the same to both.
// o_0..o_n-1 are the recurring signals of the property. Signals of the product are numbered: the
// constant, inputs, [save], latches, new latches, gates of the model in their order, new gates in
// the order below, each made by AigBuilder (folded and hashed; the gates of the model take part in
// no hashing). Over terms the new variables have the names below after a prefix, which is "live."
// and as many more dots as it takes for no name of the system to start with it.
//
// Counter [Claessen12]: the recurring signals are awaited one after the other, rounds are counted.
//   latches  p1..p(n-1)  signals o_0..o_i-1 were seen in this round; reset 0
//            c1..ck      at least i rounds are over; reset 0
//   gates    r_0 = p1 | o_0;  r_i = p(i+1) | (r_i-1 & o_i);  r_n-1 = r_n-2 & o_n-1 =: a, a round
//            ends (true for n = 0);  p_i' = r_i-1 & !a;  c1' = c1 | a;
//            c(i+1)' = c(i+1) | (ci & a);  bad = ck & a, or a for k = 0
// Delayed: the same without c; the latch d follows p: d' = a, bad = d.
// Unreachable bad: at most k rounds end, so some signal does not recur.
//
// Oracle and Constant [Biere02]: some state comes back, of the latches `copied` (ascending).
//   inputs   save                  (Oracle alone)
//   latches  saved, called met for Constant; x_i for each copied latch i; e_0..e_n-1. Reset 0, but
//            x_i is free at reset for Constant, and over terms
//   gates    same = AND of !(x_i ^ latch_i), from the first;  here = save, or same for Constant;
//            s = here & !saved;  x_i' = s ? latch_i : x_i, or x_i for Constant;
//            on = saved | here =: saved';  b = saved & same;
//            for each j: e_j' = on & (e_j | o_j), b = b & e_j;  bad = b
// Unreachable bad: no state repeats with all signals seen between, whatever latches are copied.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "model/evidence/bits.h"
#include "model/evidence/terms.h"
#include "model/rung.h"

namespace lem {

/// Which product.
enum class ProductKind : std::uint8_t { Counter, Delayed, Oracle, Constant };

struct ProductShape {
  ProductKind kind = ProductKind::Counter;
  std::uint32_t k = 0;                // Counter
  std::vector<std::uint32_t> copied;  // Oracle, Constant: indices of latches or states
  friend bool operator==(const ProductShape&, const ProductShape&) = default;
};

/// A set of states: all clauses hold. Literals are latches of the product Delayed.
using StateSet = std::vector<SignalClause>;

/// Layers D_1..D_m and a rest G (rlive [Xia24]) of states of the product Delayed, d its bad signal,
/// U_i = D_1 | .. | D_i, T its transition relation with the constraints at both ends:
///   D_i & T => U_i';   D_i & !U_i-1 & d & T => U_i-1'
///   Init => G | U_m;   G & T => G' | U_m';   G & !U_m & d & T => U_m'
/// A run leaves layers downwards alone, and each round that ends makes it leave one, so at most
/// m + 1 rounds end.
struct Layers {
  std::vector<StateSet> layers;
  StateSet rest;
  friend bool operator==(const Layers&, const Layers&) = default;
};

/// The same for transition systems; formulas over the states of the product.
struct TermLayers {
  std::vector<Term> layers;
  Term rest;
  friend bool operator==(const TermLayers&, const TermLayers&) = default;
};

/// A proof of a justice property: that the bad state of a product is unreachable, or layers of the
/// product Delayed.
struct LiveProof {
  ProductShape shape;
  std::variant<InductiveInvariant, KInductive, Layers> proof;

  static constexpr Rung kRung = Rung::Bits;
  std::optional<std::uint32_t> induction_depth() const { return {}; }
  friend bool operator==(const LiveProof&, const LiveProof&) = default;
};

struct TermLiveProof {
  ProductShape shape;
  std::variant<TermInvariant, TermLayers> proof;

  static constexpr Rung kRung = Rung::Terms;
  std::optional<std::uint32_t> induction_depth() const { return {}; }
  friend bool operator==(const TermLiveProof&, const TermLiveProof&) = default;
};

}  // namespace lem
