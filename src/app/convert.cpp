#include "app/convert.h"

#include <algorithm>
#include <array>
#include <span>

#include "app/evidence/form.h"
#include "app/outputs.h"
#include "base/context.h"
#include "frontend/frontend.h"
#include "model/rung.h"
#include "run/selection.h"
#include "transform/bitblast/bitblast.h"
#include "transform/lift.h"
#include "transform/passes.h"
#include "writer/aiger.h"
#include "writer/btor2.h"
#include "writer/chc.h"
#include "writer/dot.h"
#include "writer/file.h"
#include "writer/horn.h"
#include "writer/vmt.h"

namespace lem::app {

/// Arrays with few elements become bits as well.
static Result<Problem> to_bits(const Problem& problem) {
  if (problem.is_bits()) return problem;
  Options options = run::declared_options();
  Stats stats;
  Log log;
  Progress progress;
  Problem flat = transform::apply_arrays(problem, {options, stats, log, progress, {}}).problem;
  if (std::string why = transform::why_no_bits(flat); !why.empty())
    return Error{{problem.source.file}, "cannot write AIGER: " + why, ErrorKind::Usage};
  return transform::lower_to_bits(flat).problem;
}

static Result<std::string> as_aiger(const Problem& problem, const std::string& out) {
  Result<Problem> bits = to_bits(problem);
  if (!bits) return bits.error();
  bits->source.comments = problem.source.comments;
  return writer::write_aiger(*bits, writer::aiger_encoding_for(out));
}
static Result<std::string> as_btor2(const Problem& system, const std::string& /*out*/) {
  return writer::write_btor2(system);
}
static Result<std::string> as_vmt(const Problem& system, const std::string& /*out*/) {
  return writer::write_vmt(system);
}
static Result<std::string> as_chc(const Problem& system, const std::string& /*out*/) {
  return system.is_horn() ? writer::write_horn(system.horn()) : writer::write_chc(system);
}

static Result<std::string> as_dot(const Problem& program, const std::string& /*out*/) {
  return writer::write_dot(program.cfa());
}
static Result<std::string> as_svg(const Problem& program, const std::string& /*out*/) {
  return writer::draw_svg(writer::write_dot(program.cfa()));
}

struct ModelWriter {
  std::string_view extension;
  Rung takes;
  Result<std::string> (*write)(const Problem& problem, const std::string& out);
};

static constexpr std::array kWriters = {
    ModelWriter{".aag", Rung::Bits, &as_aiger},   ModelWriter{".aig", Rung::Bits, &as_aiger},
    ModelWriter{".btor", Rung::Terms, &as_btor2}, ModelWriter{".btor2", Rung::Terms, &as_btor2},
    ModelWriter{".vmt", Rung::Terms, &as_vmt},    ModelWriter{".smt2", Rung::Terms, &as_chc},
    ModelWriter{".dot", Rung::Program, &as_dot},  ModelWriter{".svg", Rung::Program, &as_svg},
};

static const ModelWriter* writer_for(const std::string& path) {
  for (const ModelWriter& writer : kWriters)
    if (writer.extension == extension_of(path)) return &writer;
  return nullptr;
}

/// The problem on the rung that the writer takes.
static Result<Problem> at_rung(const Problem& problem, const ModelWriter& writer) {
  if (writer.takes == Rung::Program) {
    if (problem.is_program()) return problem;
    return Error{
        {problem.source.file}, "only programs have a control flow to draw", ErrorKind::Usage};
  }
  if (problem.is_horn()) {
    if (writer.write == &as_chc) return problem;
    return Error{{problem.source.file},
                 "nonlinear Horn clauses are written as .smt2 alone",
                 ErrorKind::Usage};
  }
  if (problem.is_program()) {
    Options options = run::declared_options();
    Stats stats;
    Log log;
    Progress progress;
    return transform::apply_program_counter(problem, {options, stats, log, progress, {}}).problem;
  }
  bool lift = problem.is_bits() && writer.takes == Rung::Terms;
  return lift ? transform::lift_to_terms(problem).problem : problem;
}

/// Whether the form has justice properties, and the model stays on its rung.
static bool keeps_justice(const Problem& problem, const ModelWriter& writer) {
  bool btor2 = writer.write == &as_btor2 && problem.is_terms();
  return btor2 || (writer.write == &as_aiger && problem.is_bits());
}

/// What a reader of the file has to know of its properties.
static std::vector<Warning> changed_meanings(const Problem& problem, const Remarks& remarks) {
  std::vector<Warning> out;
  for (const Property& each : problem.properties)
    if (each.goal == Goal::Reach)
      out.push_back({each.at, "'" + each.name +
                                  "' asks for a run, which is a bad state in the file: 'unsafe' "
                                  "there is 'safe' here, and 'safe' there is 'unsafe' here"});
  for (const Unchecked& each : remarks.unchecked)
    out.push_back({each.at, "'" + each.name + "' is not in the file: " + each.why});
  return out;
}

/// The text with the warnings as comments at its start; AIGER has them at its end.
static std::string with_comments(const std::vector<Warning>& warnings, std::string text) {
  std::string out;
  for (const Warning& each : warnings) {
    std::string line = each.message;
    std::replace(line.begin(), line.end(), '\n', ' ');
    out += "; " + line + '\n';
  }
  return out + text;
}

Result<std::vector<Warning>> convert_file(const std::string& in, const std::string& out,
                                          const frontend::ReadOptions& options) {
  const ModelWriter* writer = writer_for(out);
  if (writer == nullptr) {
    std::string known;
    for (const ModelWriter& each : kWriters) known += ' ' + std::string(each.extension);
    return Error{{out},
                 "cannot convert to '" + extension_of(out) + "': models are written as" + known,
                 ErrorKind::Usage};
  }
  if (Status writable = check_writable({"-o", out}); !writable) return writable.error();
  Output output{"-o", out};
  if (Status apart = check_apart(options.all_files(in), std::span(&output, 1)); !apart)
    return apart.error();
  Remarks remarks;
  Result<Problem> problem = frontend::read_problem(in, options, &remarks);
  if (!problem) return problem.error();
  if (problem->has_justice() && !keeps_justice(*problem, *writer))
    return Error{{in},
                 "justice properties are written in the kind of model that they come from alone: "
                 "AIGER as .aag or .aig, transition systems as .btor2",
                 ErrorKind::Usage};
  Result<Problem> model = at_rung(*problem, *writer);
  if (!model) return model.error();
  std::vector<Warning> warnings = changed_meanings(*problem, remarks);
  bool aiger = writer->takes == Rung::Bits;
  if (aiger)
    for (const Warning& each : warnings) model->source.comments.push_back(each.message);
  Result<std::string> text = writer->write(*model, out);
  if (!text) return text.error();
  if (writer->takes == Rung::Terms) text = with_comments(warnings, *text);
  if (Status done = writer::write_file_atomically(out, *text); !done) return done.error();
  return warnings;
}

}  // namespace lem::app
