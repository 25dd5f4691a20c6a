#include "app/convert.h"

#include <array>

#include "app/evidence_form.h"
#include "app/request.h"
#include "base/context.h"
#include "frontend/frontend.h"
#include "transform/bitblast/bitblast.h"
#include "transform/lift.h"
#include "transform/passes.h"
#include "writer/aiger.h"
#include "writer/btor2.h"
#include "writer/chc.h"
#include "writer/file.h"
#include "writer/vmt.h"

namespace lem {

/// Arrays with few elements become bits as well.
static Result<Problem> to_bits(const Problem& problem) {
  if (problem.is_bits()) return problem;
  Options options = declared_options();
  Stats stats;
  Log log;
  Progress progress;
  Problem flat = apply_arrays(problem, {options, stats, log, progress, {}}).problem;
  if (std::string why = why_no_bits(flat); !why.empty())
    return Error{{problem.source.file}, "cannot write AIGER: " + why, ErrorKind::Usage};
  return lower_to_bits(flat).problem;
}

static Result<std::string> as_aiger(const Problem& problem, const std::string& out) {
  Result<Problem> bits = to_bits(problem);
  if (!bits) return bits.error();
  return write_aiger(*bits, aiger_encoding_for(out));
}
static Result<std::string> as_btor2(const Problem& system, const std::string& /*out*/) {
  return write_btor2(system);
}
static Result<std::string> as_vmt(const Problem& system, const std::string& /*out*/) {
  return write_vmt(system);
}
static Result<std::string> as_chc(const Problem& system, const std::string& /*out*/) {
  return write_chc(system);
}

struct Writer {
  std::string_view extension;
  enum class Takes { Any, Terms } takes;
  Result<std::string> (*write)(const Problem& problem, const std::string& out);
};

static constexpr std::array kWriters = {
    Writer{".aag", Writer::Takes::Any, &as_aiger},
    Writer{".aig", Writer::Takes::Any, &as_aiger},
    Writer{".btor", Writer::Takes::Terms, &as_btor2},
    Writer{".btor2", Writer::Takes::Terms, &as_btor2},
    Writer{".vmt", Writer::Takes::Terms, &as_vmt},
    Writer{".smt2", Writer::Takes::Terms, &as_chc},
};

static const Writer* writer_for(const std::string& path) {
  for (const Writer& writer : kWriters)
    if (writer.extension == extension_of(path)) return &writer;
  return nullptr;
}

Status convert_file(const std::string& in, const std::string& out) {
  const Writer* writer = writer_for(out);
  if (writer == nullptr) {
    std::string known;
    for (const Writer& each : kWriters) known += ' ' + std::string(each.extension);
    return Error{{out},
                 "cannot convert to '" + extension_of(out) + "': models are written as" + known,
                 ErrorKind::Usage};
  }
  Result<Problem> problem = read_problem(in);
  if (!problem) return problem.error();
  bool lift = problem->is_bits() && writer->takes == Writer::Takes::Terms;
  Result<std::string> text = writer->write(lift ? lift_to_terms(*problem).problem : *problem, out);
  if (!text) return text.error();
  return write_file_atomically(out, *text);
}

}  // namespace lem
