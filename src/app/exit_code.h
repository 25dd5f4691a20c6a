// Exit codes of the command line. Scripts rely on them.
#pragma once

#include "base/assert.h"
#include "base/result.h"

namespace lem::app {

enum class ExitCode : int {
  Safe = 0,
  Unsafe = 1,
  Unknown = 2,
  Usage = 64,
  BadInput = 65,
  NotFound = 66,
  Internal = 70,
};

inline ExitCode exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Usage:
      return ExitCode::Usage;
    case ErrorKind::BadInput:
      return ExitCode::BadInput;
    case ErrorKind::NotFound:
      return ExitCode::NotFound;
    case ErrorKind::Internal:
      return ExitCode::Internal;
  }
  unreachable();
}

}  // namespace lem::app
