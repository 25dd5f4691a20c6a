#include "model/format.h"

#include <algorithm>
#include <array>

namespace lem {

static constexpr FormatFacts kPlain{.id = ""};
static constexpr std::array<FormatFacts, 8> kFacts = {{
    {.id = "aiger",
     .property = "bad",
     .goal = "bad",
     .output = "output",  // files of AIGER 1.0 have no bad states
     .waves = true,
     .hwmcc = true},
    {.id = "btor2", .property = "bad", .goal = "bad", .waves = true, .hwmcc = true},
    {.id = "vmt"},
    // Horn clauses have no assumptions: without a derivation they are satisfiable, which is the
    // intended result.
    {.id = "chc", .property = "query", .goal = "query", .assumes = false},
    // States of Lustre are what `pre` remembers; the variables themselves are observed.
    {.id = "lustre", .texts = "*", .memory = "% pre.", .enumerations = true},
    {.id = "st", .texts = ".st .scl"},
    {.id = "verilog",
     .property = "assertion",
     .goal = "cover",
     .texts = "*",
     .waves = true,
     .labels = true,
     .sized_numbers = true},
    {.id = "c", .texts = ".c .i .h"},
}};

const FormatFacts& facts_of(std::string_view format) {
  const auto* row = std::find_if(kFacts.begin(), kFacts.end(),
                                 [&](const FormatFacts& one) { return one.id == format; });
  return row == kFacts.end() ? kPlain : *row;
}

bool is_users_state(const FormatFacts& facts, std::string_view name) {
  for (std::string_view rest = facts.memory; !rest.empty();) {
    std::size_t blank = rest.find(' ');
    if (name.starts_with(rest.substr(0, blank))) return false;
    rest.remove_prefix(blank == rest.npos ? rest.size() : blank + 1);
  }
  return true;
}

}  // namespace lem
