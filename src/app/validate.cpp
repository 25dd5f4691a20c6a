#include "app/validate.h"

#include <stop_token>

#include "app/evidence_form.h"
#include "base/assert.h"
#include "check/validate.h"
#include "frontend/aiger/aiger.h"
#include "frontend/btor2/btor2.h"
#include "frontend/frontend.h"

namespace lem {

static Status check_witness(const Problem& model, const std::string& path) {
  Result<WitnessForm> form = witness_form(model.source.format, path);
  if (!form) return form.error();
  if (*form == WitnessForm::Vcd)
    return Error{{path}, "waveforms are for looking at, not for checking", ErrorKind::Usage};
  Result<std::string> text = read_bytes(path);
  if (!text) return text.error();
  switch (*form) {
    case WitnessForm::Aiger:
      return validate_witness_text(model, path, *text);
    case WitnessForm::Btor2:
      return validate_btor2_witness(model, path, *text);
    case WitnessForm::Table:
      return validate_term_witness(model, path, *text);
    case WitnessForm::Json:
      return validate_json_witness(model, path, *text);
    case WitnessForm::Yaml:
      return validate_c_witness(model, path, *text, std::stop_token{});
    case WitnessForm::Harness:
    case WitnessForm::Steps:
      return Error{{path}, "of C programs only witnesses in YAML are checked", ErrorKind::Usage};
    case WitnessForm::Vcd:
      break;
  }
  unreachable();
}

static Status check_certificate(const Problem& model, const std::string& path) {
  Result<CertificateForm> form = certificate_form(model.source.format, path);
  if (!form) return form.error();
  Result<std::string> text = read_bytes(path);
  if (!text) return text.error();
  if (*form == CertificateForm::Smt)
    return validate_term_certificate(model, path, *text, std::stop_token{});
  if (*form == CertificateForm::Yaml)
    return validate_c_certificate(model, path, *text, std::stop_token{});
  bool bits = *form == CertificateForm::Aiger;
  Result<Problem> circuit = bits ? read_aiger(path, *text) : read_btor2(path, *text);
  if (!circuit) return circuit.error();
  if (bits) return validate_certificate(model, *circuit, std::stop_token{});
  return validate_btor2_certificate(model, *circuit, path, *text, std::stop_token{});
}

Status validate_evidence(const ValidateRequest& request) {
  assert(request.witness.empty() != request.certificate.empty() && "one kind of evidence");
  Result<Problem> model = read_problem(request.file, request.c);
  if (!model) return model.error();
  if (model->properties.empty()) return nothing_to_check(request.file, model->source.format);
  if (!request.witness.empty()) return check_witness(*model, request.witness);
  return check_certificate(*model, request.certificate);
}

std::string validation_line(const Status& status) {
  if (status.ok()) return "accepted\n";
  if (status.error().kind != ErrorKind::Internal) return {};
  return "rejected: " + status.error().message + "\n";
}

}  // namespace lem
