// Where evidence files go, and what goes into them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/check/request.h"
#include "base/result.h"
#include "model/problem.h"
#include "model/verilog_source.h"
#include "writer/run_report.h"

namespace lem::app {

/// Labels of the evidence files of several properties: the property names with all but letters,
/// digits, '_' and '-' replaced, numbered where they collide. One property: no label.
std::vector<std::string> evidence_labels(const Problem& problem,
                                         std::span<const std::size_t> properties);

/// `path` with the label before the extension: out.aag, b1 gives out.b1.aag.
std::string labelled(const std::string& path, const std::string& label);

/// Before anything runs: a usage error when a file that is asked for has a form (by its extension)
/// that evidence about this model does not have.
Status check_evidence_forms(const OutputFiles& outputs, const Problem& problem);

/// The same for the names that evidence of several properties gets: they must be writable, and not
/// the input, another output or each other.
Status check_evidence_files(const CheckRequest& request, std::span<const std::string> labels);

struct WrittenEvidence {
  std::string file{};  // empty: none was asked for
  std::string note{};  // what the user should know about it; empty: nothing
  std::string text{};  // what goes to standard output, if that is "-"
};

/// Writes the witness of an unsafe property or the certificate of a safe one, as far as asked for.
///   require: check_evidence_forms() found nothing
/// `verilog`: the design that the problem is from, if it is from one.
Result<WrittenEvidence> write_evidence(const OutputFiles& outputs, const Problem& original,
                                       std::size_t property, const std::string& label,
                                       const check::Certified& outcome,
                                       const VerilogSource* verilog = nullptr);

/// Copies an input whose evidence was rejected to the folder for temporary files, under a name made
/// from its content; returns where, or "" if that failed.
std::string keep_input(const std::string& file);

}  // namespace lem::app
