#include "app/validate/options.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "app/option_formats.h"
#include "frontend/st/st.h"

namespace lem::app {

/// For the compiler, as compilers take it.
static void declare_flag(CLI::App& cmd, const std::string& flag, c::COptions& c) {
  std::string name = flag == "-include" ? "--include" : flag;
  cmd.add_option_function<std::vector<std::string>>(
         name,
         [&c, flag](const std::vector<std::string>& values) {
           for (const std::string& value : values) c.flags.insert(c.flags.end(), {flag, value});
         },
         "of C programs: as for the compiler")
      ->take_all()
      ->allow_extra_args(false);
}

/// --data-model and --arith: what C leaves open.
static void declare_c(CLI::App& cmd, c::COptions& c) {
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
         "of C programs: bv (default), or int: integers, assuming that signed arithmetic does not "
         "overflow; unsigned arithmetic and conversions are exact")
      ->check(CLI::IsMember({"bv", "int"}));
  c.errors = c::COptions::Errors::Apart;
  cmd.add_flag_callback(
      "--svcomp", [&c] { c.errors = c::COptions::Errors::Together; },
      "of C programs: one property, unreach-call, and the answers of SV-COMP");
  cmd.add_option_function<std::string>(
         "--undefined",
         [&c](const std::string& what) {
           c.undefined =
               what == "nondet" ? c::COptions::Undefined::Nondet : c::COptions::Undefined::Refuse;
         },
         "of C programs: a function without a body is refused (default) or nondet: it returns any "
         "value and changes no memory")
      ->check(CLI::IsMember({"refuse", "nondet"}));
  cmd.add_flag_callback(
      "--device-memory", [&c] { c.devices = c::COptions::Devices::Memory; },
      "of C programs: volatile variables and fixed addresses keep what is written to them");
  cmd.add_option("--pointer-size", c.pointer_size,
                 "of C programs: how many elements the arguments of --entry point to, at most")
      ->check(CLI::Range(1, 1024));
  cmd.add_option("--pointer-depth", c.pointer_depth,
                 "of C programs: how many objects are behind each other in the arguments of "
                 "--entry (default 3); pointers beyond are null or point back")
      ->check(CLI::Range(0, 16));
  cmd.add_option_function<std::string>(
         "--globals",
         [&c](const std::string& what) {
           c.globals =
               what == "initial" ? c::COptions::Globals::Initial : c::COptions::Globals::Any;
         },
         "of C programs with --entry: variables that the program writes have any value (default) "
         "or "
         "their initial one")
      ->check(CLI::IsMember({"any", "initial"}));
  for (const char* flag : {"-U", "-include"}) declare_flag(cmd, flag, c);
  cmd.add_option("--compile-commands", c.compile_commands,
                 "of C programs: the compile_commands.json that has -I, -D and -std of the files");
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

/// --entry, --require and what else PLC programs leave open.
static void declare_plc(CLI::App& cmd, StOptions& st) {
  cmd.add_option("--entry", st.entry,
                 "of PLC programs: the block that runs in every cycle; of C programs: the function "
                 "that is called, with any arguments; of Lustre: the main node");
  declare_parsed(cmd, "--time", "of PLC programs: nondet (default), fixed:MS or range:MIN:MAX",
                 [&st](const std::string& text) { return parse_time(text, st); });
  cmd.add_option("--assume", st.assumptions,
                 "of PLC programs: this condition holds at the beginning of every cycle; of C "
                 "programs: when the function of --entry is called")
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
  cmd.add_option_function<std::string>(
         "--retain", [&st](const std::string& text) { st.any_retained = text == "any"; },
         "of PLC programs: RETAIN variables start with their initial (default) or any value")
      ->check(CLI::IsMember({"initial", "any"}));
}

static void declare_list(CLI::App& cmd, const char* name, std::vector<std::string>& list,
                         const char* help) {
  cmd.add_option(name, list, help)->take_all()->allow_extra_args(false);
}

/// What several languages have: files, macros, parameters.
static void declare_sources(CLI::App& cmd, std::string& file, frontend::ReadOptions& input) {
  cmd.add_option_function<std::vector<std::string>>(
         "FILE",
         [&file, &input](const std::vector<std::string>& files) {
           file = files.front();
           input.source.more_files.assign(files.begin() + 1, files.end());
         },
         "the model; several files of Verilog and of C programs")
      ->required();
  declare_list(cmd, "-I", input.source.include_folders,
               "of Verilog and C: a folder of files to include");
  declare_list(cmd, "-D", input.source.defines,
               "of Verilog and C: defines a macro, NAME or NAME=VALUE");
  cmd.add_option(
      "--top", input.verilog.top,
      "of Verilog: the module to check (default: the one that no other instantiates); of "
      "Lustre: the main node, as --entry");
  cmd.add_option_function<std::vector<std::string>>(
         "--parameter",
         [&input](const std::vector<std::string>& parameters) {
           input.st.parameters = parameters;
           input.verilog.parameters = parameters;
         },
         "of PLC programs: this input is arbitrary but the same in all cycles; of Verilog: "
         "NAME=VALUE, a parameter of the top module")
      ->take_all()
      ->allow_extra_args(false);
}

static void declare_checks(CLI::App& cmd, frontend::ReadOptions& input) {
  cmd.add_option("--check", input.checks,
                 "what else to look for, each place a property; of PLC programs: overflow, "
                 "division, bounds; of C programs also null, shift, conversion, uninitialised, "
                 "use-after-free, double-free, leak, unreachable; memory, arithmetic and all are "
                 "groups")
      ->take_all()
      ->allow_extra_args(false);
}

void declare_input(CLI::App& cmd, std::string& file, frontend::ReadOptions& input) {
  declare_sources(cmd, file, input);
  cmd.add_option("--as", input.source.as,
                 "of a model from standard input (FILE is -): the extension of its format, if its "
                 "text does not tell");
  declare_c(cmd, input.c);
  declare_plc(cmd, input.st);
  declare_checks(cmd, input);
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
  declare_input(cmd, request.file, request.input);
  CLI::Option* witness =
      cmd.add_option("--witness", request.witness, "trace of an unsafe property");
  cmd.add_option("--certificate", request.certificate, "proof of a safe property")
      ->excludes(witness);
  cmd.add_option("--property", request.property, "the property that the evidence must be about");
  declare_limits(cmd, request.limits);
  declare_native(cmd, request.native);
}

Status take_evidence(const CLI::App& cmd, ValidateRequest& request, Console& console) {
  if (Status taken = take_streams(request, console); !taken) return taken;
  return check_uses(uses_given(cmd), request.input.all_files(request.file));
}

}  // namespace lem::app
