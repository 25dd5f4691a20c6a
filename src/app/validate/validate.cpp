#include "app/validate/validate.h"

#include <unistd.h>

#include <new>
#include <optional>

#include "app/evidence/form.h"
#include "app/standard_input.h"
#include "base/assert.h"
#include "check/validate.h"
#include "frontend/aiger/aiger.h"
#include "frontend/btor2/btor2.h"
#include "frontend/frontend.h"
#include "frontend/st/st.h"

namespace lem::app {

/// The properties of a program that the evidence is about: the one that is named, or all for which
/// it is accepted.
template <class Validate>
static Result<check::Accepted> check_each(const Problem& model, const check::EvidenceTask& task,
                                          Validate validate) {
  check::Accepted out;
  std::optional<Error> first;
  std::string undecided;
  for (std::size_t i = 0; i < model.properties.size(); ++i) {
    if (task.property && *task.property != i) continue;
    Result<check::Accepted> one = validate(focus(model, i));
    if (one && !one->undecided.empty()) {
      undecided = one->undecided;
    } else if (one) {
      if (out.properties.empty()) out.contents = std::move(one->contents);
      out.properties.push_back(i);
    } else if (!first) {
      first = one.error();
    }
  }
  if (out.properties.empty() && !undecided.empty()) return check::Accepted{{}, {}, undecided};
  if (out.properties.empty()) return *first;
  return out;
}

static Result<check::Accepted> check_witness(const Problem& model, const std::string& path,
                                             const check::EvidenceTask& task) {
  Result<WitnessForm> form = witness_form(model.source.format, path);
  if (!form) return form.error();
  if (*form == WitnessForm::Vcd || *form == WitnessForm::Bench)
    return Error{{path}, "waveforms and test benches are not for checking", ErrorKind::Usage};
  Result<std::string> text = frontend::read_bytes(path);
  if (!text) return text.error();
  switch (*form) {
    case WitnessForm::Aiger:
      return check::validate_witness_text(model, path, *text, task);
    case WitnessForm::Btor2:
      return check::validate_btor2_witness(model, path, *text, task);
    case WitnessForm::Table:
      return model.is_horn() ? check::validate_horn_witness(model, path, *text, task)
                             : check::validate_term_witness(model, path, *text, task);
    case WitnessForm::Json:
      if (model.is_horn())
        return Error{{path}, "derivations are checked as text, not as JSON", ErrorKind::Usage};
      return check::validate_json_witness(model, path, *text, task);
    case WitnessForm::Yaml:
      return check_each(model, task, [&](const Problem& one) {
        return check::validate_c_witness(one, *one.source.c->marks, path, *text, task);
      });
    case WitnessForm::Cycles:
      return check::validate_st_witness(model, path, *text, task);
    case WitnessForm::Harness:
    case WitnessForm::Steps:
      return Error{{path}, "of C programs only witnesses in YAML are checked", ErrorKind::Usage};
    case WitnessForm::Vcd:
    case WitnessForm::Bench:
      break;
  }
  unreachable();
}

/// Lines of the proof are expressions of the program: it is read once more, with them.
static Result<Judged> check_st_certificate(const ValidateRequest& request,
                                           const check::EvidenceTask& task) {
  const std::string& path = request.certificate;
  Result<std::string> text = frontend::read_bytes(path);
  if (!text) return text.error();
  Result<StProof> proof = read_proof(path, *text);
  if (!proof) return proof.error();
  frontend::ReadOptions input = request.input;
  input.st.claims = std::move(proof->claims);
  Result<Problem> model = frontend::read_problem(request.file, input, nullptr, task.stop);
  if (!model) return model.error();
  Result<check::Accepted> accepted =
      check::validate_st_certificate(*model, path, proof->property, task);
  if (!accepted) return accepted.error();
  return Judged{*std::move(model), *std::move(accepted)};
}

static Result<Judged> judged(Problem model, Result<check::Accepted> accepted,
                             std::optional<Problem> circuit = {}) {
  if (!accepted) return accepted.error();
  return Judged{std::move(model), *std::move(accepted), std::move(circuit)};
}

static Result<Judged> check_certificate(Problem model, const ValidateRequest& request,
                                        const check::EvidenceTask& task) {
  const std::string& path = request.certificate;
  Result<CertificateForm> form = certificate_form(model.source.format, path);
  if (!form) return form.error();
  if (*form == CertificateForm::Invariants) return check_st_certificate(request, task);
  Result<std::string> text = frontend::read_bytes(path);
  if (!text) return text.error();
  if (*form == CertificateForm::Smt) {
    Result<check::Accepted> accepted =
        model.is_horn() ? check::validate_horn_certificate(model, path, *text, task)
                        : check::validate_term_certificate(model, path, *text, task);
    return judged(std::move(model), std::move(accepted));
  }
  if (*form == CertificateForm::Yaml) {
    Result<check::Accepted> accepted = check_each(model, task, [&](const Problem& one) {
      return check::validate_c_certificate(one, *one.source.c->marks, path, *text, task);
    });
    return judged(std::move(model), std::move(accepted));
  }
  bool bits = *form == CertificateForm::Aiger;
  Result<Problem> circuit = bits ? aiger::read_aiger(path, *text) : btor2::read_btor2(path, *text);
  if (!circuit) return circuit.error();
  Result<check::Accepted> accepted =
      bits ? check::validate_certificate(model, *circuit, task)
           : check::validate_btor2_certificate(model, *circuit, path, *text, task);
  return judged(std::move(model), std::move(accepted), *std::move(circuit));
}

Result<Judged> judge_evidence(const ValidateRequest& request, std::stop_token stop) {
  assert(request.witness.empty() != request.certificate.empty() && "one kind of evidence");
  Result<Problem> model = frontend::read_problem(request.file, request.input, nullptr, stop);
  if (!model) return model.error();
  if (model->properties.empty())
    return frontend::nothing_to_check(request.file, model->source.format);
  check::EvidenceTask task{{}, std::move(stop), request.native};
  for (std::size_t i = 0; i < model->properties.size(); ++i)
    if (model->properties[i].name == request.property) task.property = i;
  if (!request.property.empty() && !task.property)
    return Error{
        {request.file}, "no property is called '" + request.property + "'", ErrorKind::Usage};
  if (request.witness.empty()) return check_certificate(*std::move(model), request, task);
  Result<check::Accepted> accepted = check_witness(*model, request.witness, task);
  return judged(*std::move(model), std::move(accepted));
}

static std::vector<std::string> accepted_names(const Judged& evidence) {
  std::vector<std::string> names;
  for (std::size_t i : evidence.accepted.properties)
    names.push_back(evidence.model.properties[i].name);
  return names;
}

Result<std::vector<std::string>> validate_evidence(const ValidateRequest& request,
                                                   std::stop_token stop) {
  Result<Judged> evidence = judge_evidence(request, std::move(stop));
  if (!evidence) return evidence.error();
  const std::string& path = request.witness.empty() ? request.certificate : request.witness;
  if (const std::string& why = evidence->accepted.undecided; !why.empty())
    return Error{{path}, why, ErrorKind::Internal};
  return accepted_names(*evidence);
}

static ExitCode report(const ValidateRequest& request, const Result<Judged>& evidence,
                       Console& console) {
  if (!evidence && evidence.error().kind == ErrorKind::Internal)
    console.out("rejected: " + evidence.error().message + "\n");
  if (!evidence) return console.fail(evidence.error());
  if (const std::string& why = evidence->accepted.undecided; !why.empty()) {
    console.out("unknown " + request.file + ": " + why + "\n");
    return ExitCode::Unknown;
  }
  std::string lines;
  for (const std::string& name : accepted_names(*evidence)) lines += "accepted " + name + "\n";
  console.out(lines);
  return ExitCode::Safe;
}

Status take_streams(ValidateRequest& request, Console& console) {
  std::string& evidence = request.witness.empty() ? request.certificate : request.witness;
  if (request.file == "-" && evidence == "-")
    return Error{{"-"}, "standard input is the model or its evidence", ErrorKind::Usage};
  if (Status taken = take_model(request.file, request.input, console); !taken) return taken;
  const frontend::FormatInfo* format = frontend::format_of(request.file);
  if (format == nullptr) return Ok{};  // which reading it will tell
  return take_evidence(
      evidence,
      request.witness.empty() ? certificate_extension(format->id) : witness_extension(format->id),
      console);
}

ExitCode run_validation(const ValidateRequest& request, Console& console) {
  if (request.witness.empty() == request.certificate.empty())
    return console.fail({{}, "give --witness or --certificate", ErrorKind::Usage});
  auto unknown = [&](StopCause cause) {
    console.out("unknown " + request.file + ": " + std::string(name(cause)) + "\n");
    return ExitCode::Unknown;
  };
  auto give_up = [&](StopCause cause) {
    console.hurry();
    _exit(static_cast<int>(console.conclude(unknown(cause))));
  };
  Supervisor supervisor(request.limits, {[] {}, give_up});
  if (Status watching = supervisor.watching(); !watching) return console.fail(watching.error());
  try {
    Result<Judged> evidence = judge_evidence(request, supervisor.token());
    supervisor.stand_down();
    // A decision reached in spite of a stop request stays valid.
    bool decided = evidence ? evidence->accepted.undecided.empty()
                            : evidence.error().kind != ErrorKind::Internal;
    bool stopped = supervisor.cause() != StopCause::None && !decided;
    return stopped ? unknown(supervisor.cause()) : report(request, evidence, console);
  } catch (const std::bad_alloc&) {
    return unknown(StopCause::Memory);
  }
}

}  // namespace lem::app
