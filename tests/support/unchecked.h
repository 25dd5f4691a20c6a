// Evidence as writers take it, without a check: tests also write evidence that is wrong.
#pragma once

#include <utility>

#include "check/certify.h"

namespace lem::test {

inline check::Certified unchecked(Run run) {
  return check::trust_unchecked(Unsafe{std::move(run)});
}

inline check::Certified unchecked(Certificate certificate) {
  return check::trust_unchecked(Safe{std::move(certificate)});
}

}  // namespace lem::test
