#include "app/validate_options.h"

#include <CLI/CLI.hpp>

#include <string>

namespace lem {

void declare_c(CLI::App& cmd, COptions& c) {
  cmd.add_option_function<std::string>(
         "--data-model",
         [&c](const std::string& model) { c.pointer_bits = model == "LP64" ? 64 : 32; },
         "of C programs: ILP32 (default) or LP64")
      ->check(CLI::IsMember({"ILP32", "LP64"}));
  cmd.add_option_function<std::string>(
         "--arith",
         [&c](const std::string& arith) {
           c.arith = arith == "int" ? COptions::Arith::Int : COptions::Arith::Bits;
         },
         "of C programs: bv (default), which wraps around, or int, mathematical integers")
      ->check(CLI::IsMember({"bv", "int"}));
}

/// CLI::Range lets "nan" pass.
static std::string positive_seconds(const std::string& text) {
  double seconds = 0;
  bool number = CLI::detail::lexical_cast(text, seconds);
  return number && seconds > 0 && seconds <= 1e9 ? "" : "not a positive number of seconds";
}

void declare_limits(CLI::App& cmd, Limits& limits) {
  cmd.add_option("--timeout", limits.seconds, "seconds for the whole run, fractions allowed")
      ->check(positive_seconds);
  cmd.add_option("--memory", limits.megabytes, "megabytes of resident memory, workers included")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40));
}

void declare_native(CLI::App& cmd, Native& native) {
  cmd.add_option_function<std::string>(
         "--native",
         [&native](const std::string& how) {
           native = how == "never" ? Native::Never : Native::Sandbox;
         },
         "runs of C programs: compiled and run in a sandbox (default), or never, only replayed")
      ->check(CLI::IsMember({"sandbox", "never"}));
}

void declare_validation(CLI::App& cmd, ValidateRequest& request) {
  cmd.add_option("FILE", request.file, "the model")->required();
  CLI::Option* witness =
      cmd.add_option("--witness", request.witness, "trace of an unsafe property");
  cmd.add_option("--certificate", request.certificate, "proof of a safe property")
      ->excludes(witness);
  cmd.add_option("--property", request.property, "the property that the evidence must be about");
  declare_limits(cmd, request.limits);
  declare_c(cmd, request.c);
  declare_native(cmd, request.native);
}

}  // namespace lem
