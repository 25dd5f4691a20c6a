#include "app/validate_options.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "frontend/st/st.h"

namespace lem {

void declare_c(CLI::App& cmd, c::COptions& c) {
  cmd.add_option_function<std::string>(
         "--data-model",
         [&c](const std::string& model) { c.pointer_bits = model == "LP64" ? 64 : 32; },
         "of C programs: ILP32 (default) or LP64")
      ->check(CLI::IsMember({"ILP32", "LP64"}));
  cmd.add_option_function<std::string>(
         "--arith",
         [&c](const std::string& arith) {
           c.arith = arith == "int" ? c::COptions::Arith::Int : c::COptions::Arith::Bits;
         },
         "of C programs: bv (default), which wraps around, or int, mathematical integers")
      ->check(CLI::IsMember({"bv", "int"}));
}

/// Text that `parse` takes; it fills in the options, too.
template <class Parse>
static void declare_parsed(CLI::App& cmd, const char* name, const char* help, Parse parse) {
  cmd.add_option_function<std::vector<std::string>>(
         name,
         [parse](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) {
             Status parsed = parse(text);
             if (!parsed) throw CLI::ValidationError(parsed.error().message);
           }
         },
         help)
      ->take_all()
      ->allow_extra_args(false);
}

void declare_plc(CLI::App& cmd, StOptions& st) {
  cmd.add_option("--entry", st.entry, "of PLC programs: the block that runs in every cycle");
  declare_parsed(cmd, "--time", "of PLC programs: nondet (default), fixed:MS or range:MIN:MAX",
                 [&st](const std::string& text) { return parse_time(text, st); });
  cmd.add_option("--parameter", st.parameters,
                 "of PLC programs: this input is arbitrary but the same in all cycles")
      ->take_all()
      ->allow_extra_args(false);
  cmd.add_option("--assume", st.assumptions,
                 "of PLC programs: this condition holds at the beginning of every cycle")
      ->take_all()
      ->allow_extra_args(false);
  declare_parsed(cmd, "--require", "of PLC programs: 'PATTERN: p | q', see docs/plc.md",
                 [&st](const std::string& text) -> Status {
                   Result<StRequirement> made = parse_requirement(text);
                   if (!made) return made.error();
                   st.requirements.push_back(*std::move(made));
                   return Ok{};
                 });
  cmd.add_option("--requirements", st.requirement_files,
                 "of PLC programs: a file with requirements, .yml, .json or .vc3")
      ->take_all()
      ->allow_extra_args(false);
  declare_parsed(cmd, "--check", "of PLC programs: overflow, division, bounds, or several",
                 [&st](const std::string& text) { return parse_checks(text, st); });
  cmd.add_option_function<std::string>(
         "--retain", [&st](const std::string& text) { st.any_retained = text == "any"; },
         "of PLC programs: RETAIN variables start with their initial (default) or any value")
      ->check(CLI::IsMember({"initial", "any"}));
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

void declare_native(CLI::App& cmd, check::Native& native) {
  cmd.add_option_function<std::string>(
         "--native",
         [&native](const std::string& how) {
           native = how == "never" ? check::Native::Never : check::Native::Sandbox;
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
  declare_c(cmd, request.input.c);
  declare_plc(cmd, request.input.st);
  declare_native(cmd, request.native);
}

}  // namespace lem
