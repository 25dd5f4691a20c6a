// The form of an evidence file, determined by the model's format and the file's extension. Shared
// by `check`, which writes them, and `validate`, which reads them (docs/formats.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace lem::app {

enum class WitnessForm : std::uint8_t {
  Aiger,
  Btor2,
  Table,
  Json,
  Vcd,
  Yaml,
  Harness,
  Steps,
  Cycles,
  Bench
};
enum class CertificateForm : std::uint8_t { Aiger, Btor2, Smt, Yaml, Invariants };

/// Whether evidence about such models has a row of forms; others have tables and scripts.
bool has_forms(std::string_view format);

/// With the dot, in lower case; "" if there is none.
std::string extension_of(const std::string& path);

/// Usage errors when no evidence about such models has that form.
Result<WitnessForm> witness_form(std::string_view format, const std::string& path);
Result<CertificateForm> certificate_form(std::string_view format, const std::string& path);

/// The extension of such a file where the user names a folder alone: the format's own form.
std::string_view witness_extension(std::string_view format);
std::string_view certificate_extension(std::string_view format);

}  // namespace lem::app
