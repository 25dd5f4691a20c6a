#include "app/validate.h"

#include <cassert>
#include <stop_token>

#include "check/validate.h"
#include "frontend/frontend.h"

namespace lem {

Status validate_evidence(const ValidateRequest& request) {
  assert(request.witness.empty() != request.certificate.empty() && "one kind of evidence");
  Result<Problem> model = read_problem(request.file);
  if (!model) return model.error();
  if (!request.witness.empty()) return validate_witness(*model, request.witness);
  Result<Problem> circuit = read_problem(request.certificate);
  if (!circuit) return circuit.error();
  return validate_certificate(*model, *circuit, std::stop_token{});
}

std::string validation_line(const Status& status) {
  if (status.ok()) return "accepted\n";
  if (status.error().kind != ErrorKind::Internal) return {};
  return "rejected: " + status.error().message + "\n";
}

}  // namespace lem
