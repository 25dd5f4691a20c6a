// AIGER in and out, for the targets of both encodings: what was read is written in either encoding
// and read back as the same circuit.
#pragma once

#include <string>
#include <string_view>

#include "frontend/aiger/aiger.h"
#include "target.h"
#include "writer/aiger.h"

namespace lem::fuzz {

inline void must_be_same_circuit(const Problem& left, const Problem& right) {
  const Aig& l = left.aig();
  const Aig& r = right.aig();
  must(l.num_inputs() == r.num_inputs() && l.num_latches() == r.num_latches() &&
           l.num_ands() == r.num_ands() && l.constraints().size() == r.constraints().size() &&
           left.properties.size() == right.properties.size(),
       "another size after a round trip");
  for (std::uint32_t i = 0; i < l.num_latches(); ++i)
    must(l.latches()[i].reset == r.latches()[i].reset, "another reset after a round trip");
}

/// Returns whether the text was a model.
inline bool round_trip(std::string_view text) {
  Result<Problem> first = aiger::read_aiger("model", text);
  if (!first) return false;
  // Numbers may be given anew the first time; then they stay.
  std::string ascii = writer::write_aiger(*first, writer::AigerEncoding::Ascii);
  Result<Problem> second = aiger::read_aiger("ascii", ascii);
  must(second.ok(), "what was written is not read: " + (second ? "" : second.error().text()));
  must_be_same_circuit(*first, *second);
  must(writer::write_aiger(*second, writer::AigerEncoding::Ascii) == ascii,
       "ascii changes when written again");
  std::string binary = writer::write_aiger(*first, writer::AigerEncoding::Binary);
  Result<Problem> third = aiger::read_aiger("binary", binary);
  must(third.ok(), "binary is not read: " + (third ? "" : third.error().text()));
  must_be_same_circuit(*first, *third);
  must(writer::write_aiger(*third, writer::AigerEncoding::Binary) == binary,
       "binary changes when written again");
  return true;
}

}  // namespace lem::fuzz
