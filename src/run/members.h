// The members of `auto`, in order of entry. The first member keeps its core, the others share
// what is left in turns that double. Counterexamples that ic3 misses in 20 s are mostly long ones
// that bmc finds in 1 to 10 s of its own, so bmc has the longest turns.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "engine/engine.h"
#include "model/problem.h"
#include "model/rung.h"
#include "run/live/methods.h"

namespace lem::run {

struct MemberRow {
  std::string_view engine;
  std::string_view settings;
  std::uint32_t turn_ms;  // the first turn; 0: keeps its core
  /// Where it runs: on what the model becomes there by transforms that suit it. None: on the model
  /// as it is.
  std::optional<Rung> rung{};
  std::string_view live{};  // a method for justice properties, with the engine as its prover
};

// Justice properties of models that have an encoding in bits: states that recur, lassos, rounds
// counted, and a copy of the state.
inline constexpr std::array kLiveMembers = {
    MemberRow{"ic3", "", 0, {}, "rlive"},
    MemberRow{"bmc", "", 2000, {}, "l2s"},
    MemberRow{"ic3", "", 2000, {}, "klive"},
    MemberRow{"ic3", "", 2000, {}, "l2s"},
};

// Justice properties over integers and reals.
inline constexpr std::array kLiveTermMembers = {
    MemberRow{"ic3ia", "", 0, {}, "klive"},
    MemberRow{"bmc", "", 2000, {}, "l2s"},
};

inline constexpr std::array kSequentialMembers = {
    MemberRow{"ic3", "", 0},    MemberRow{"kind", "", 1000},
    MemberRow{"bmc", "", 4000}, MemberRow{"ic3", "ic3.generalize=ctg", 1500},
    MemberRow{"ipdr", "", 500},
};

// Integers and reals: abstraction first; k-induction settles what needs little strengthening.
// Over reals ic3smt did better with cubes as they are than with weakened ones (docs/benchmarks.md,
// Abstraction): both are there. ctigar and the second ic3ia start from invariants: they are there
// for what the first diverges on (docs/benchmarks.md, Abstraction refined by counterexamples).
inline constexpr std::array kTermMembers = {
    MemberRow{"ic3ia", "", 0},
    MemberRow{"kind", "", 1000},
    MemberRow{"ctigar", "", 3000},
    MemberRow{"ic3smt", "ic3smt.weaken=none", 2000},
    MemberRow{"ic3ia",
              "ic3ia.commands-first=on,ic3ia.seed-bounds=on,ic3ia.seed-equalities=on,"
              "ic3ia.seed-affine=on,ic3ia.invariants=100",
              2000},
    MemberRow{"ic3smt", "", 1500},
    MemberRow{"bmc", "", 1500},
};

// Bit-vectors: what bits decide is mostly decided there; predicates see what bits do not.
inline constexpr std::array kBitVectorMembers = {
    MemberRow{"ic3", "", 0, Rung::Bits},
    MemberRow{"kind", "", 1000, Rung::Bits},
    MemberRow{"bmc", "", 3000, Rung::Bits},
    MemberRow{"ctigar", "", 2000, Rung::Terms},
    MemberRow{"ic3ia", "", 2000},
    MemberRow{"ic3", "ic3.generalize=ctg", 1500, Rung::Bits},
    MemberRow{"ipdr", "", 500, Rung::Bits},
};

// Programs: with their control flow, as transition systems, and in bits. Arithmetic over words is
// for predicates over integers, control over few values for bits (docs/benchmarks.md, C programs).
// bmc has the second core at once: what is short, or determined, is settled before anything else.
// It takes programs location by location; all others, bmc on bits as well, take them in blocks.
inline constexpr std::string_view kBlocks = "transform.cfa-blocks=on,transform.cfa-bisimulation=on";
inline constexpr std::array kWordProgramMembers = {
    MemberRow{"ic3ia", "transform.integers=on", 0, Rung::Terms},
    MemberRow{"bmc", "", 1000},
    MemberRow{"ctigar", "", 3000, Rung::Terms},
    MemberRow{"ic3", "", 4000, Rung::Bits},
    MemberRow{"ic3cfa", "", 2000, Rung::Program},
    MemberRow{"treeic3", "treeic3.cubes=concrete", 2000, Rung::Program},
    MemberRow{"bmc", kBlocks, 1500, Rung::Bits},
    MemberRow{"ic3ia", "", 2000, Rung::Terms},
    MemberRow{"kind", "", 1000, Rung::Terms},
    MemberRow{"ic3smt", "", 1000, Rung::Terms},
};

// The same where there are arrays, floats or integers, which have no encoding as integers.
inline constexpr std::array kProgramMembers = {
    MemberRow{"ic3ia", "", 0, Rung::Terms},       MemberRow{"bmc", "", 1000},
    MemberRow{"ctigar", "", 2000, Rung::Terms},   MemberRow{"ic3", "", 4000, Rung::Bits},
    MemberRow{"ic3cfa", "", 2000, Rung::Program}, MemberRow{"kind", "", 1000, Rung::Terms},
    MemberRow{"bmc", kBlocks, 1500, Rung::Bits},  MemberRow{"ic3smt", "", 1000, Rung::Terms},
};

// Nonlinear Horn clauses: interpolants from proofs find relations between arguments, cores alone
// are faster where these are not needed (docs/procedures.md).
inline constexpr std::array kHornMembers = {
    MemberRow{"spacer", "", 0},
    MemberRow{"spacer", "spacer.interpolate=off", 1000},
    MemberRow{"spacer", "spacer.premise=last", 2000},
};

// Without latches there is nothing to induct over: one hard query, so the strong solver goes first.
inline constexpr std::array kCombinationalMembers = {
    MemberRow{"kind", "", 0},
    MemberRow{"ic3", "", 0},
};

/// One configuration of an engine.
struct Member {
  const engine::EngineInfo* engine;  // borrowed from the registry; nullptr: the prover of `live`
  std::string settings{};            // "ic3.seed=2,...", on top of what the user set
  std::uint32_t turn_ms = 0;       // its first turn, before others get the core; 0: keeps its core
  std::optional<Rung> rung{};      // as in MemberRow
  bool chosen = false;             // by the user, whose options are its own
  const LiveInfo* live = nullptr;  // for justice properties; chosen: its options name the prover
  /// What answers, for the user.
  std::string_view id() const { return live != nullptr ? live->id : engine->id; }
  /// "l2s.prover=bmc": what makes its method, chosen by a user, do the same; empty if nothing is
  /// needed.
  std::string prover_setting() const {
    bool named = live != nullptr && live->method != LiveMethod::Rlive;
    return named ? std::string(live->id) + ".prover=" + std::string(engine->id) : std::string();
  }
  std::string name() const {
    bool both = live != nullptr && engine != nullptr;
    std::string prover = both ? "/" + std::string(engine->id) : "";
    return std::string(id()) + prover + "{" + settings + "}";
  }
};

/// The user's options with the member's settings on top.
/// require: the settings name options of the member's engine.
Options member_options(const Member& member, const Options& base);

/// Whether a transition system can be brought to bits.
enum class Bits : std::uint8_t { No, Yes };

/// The members that suit the model: by its kind, and for transition systems by their theory.
std::vector<Member> members_for(const Problem& problem, Bits bits);

}  // namespace lem::run
