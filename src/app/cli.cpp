#include "app/cli.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <exception>
#include <span>
#include <string>

#include "app/check/pipeline.h"
#include "app/check/request.h"
#include "app/check/several.h"
#include "app/cluster/campaign.h"
#include "app/cluster/spread.h"
#include "app/console.h"
#include "app/convert.h"
#include "app/explain/explain.h"
#include "app/lists.h"
#include "app/lsp/server.h"
#include "app/manual.h"
#include "app/option_formats.h"
#include "app/properties.h"
#include "app/sby.h"
#include "app/standard_input.h"
#include "app/suggest.h"
#include "app/validate/options.h"
#include "app/validate/validate.h"
#include "app/version.h"
#include "base/try.h"

namespace lem::app {

namespace {

/// Everything the parser fills in; `command` says which part counts.
struct CommandLine {
  CheckRequest check;
  ValidateRequest validate;
  ExplainRequest explain;
  std::string convert_from;
  std::string convert_to;
  frontend::ReadOptions convert_input;
  PropertiesRequest properties;
  CampaignRequest campaign;
  std::vector<std::string> words;  // as they were given
  std::string engine;              // of `engines` and `options`; empty: all
  std::string sby_engine;
  std::string shell;
  bool hwmcc = false;
  int verbosity = 0;
  bool quiet = false;
  bool no_progress = false;
  bool no_certify = false;
  bool where_they_fit = false;  // options for other formats are left out
};

void declare_check(CLI::App& app, CommandLine& line) {
  CheckRequest& check = line.check;
  CLI::App* cmd = app.add_subcommand("check", "prove or refute the properties of a model");
  declare_input(*cmd, check.file, check.input);
  cmd->add_option("--engine", check.engine, "NAME[:PRESET], see `lemmata engines`")
      ->capture_default_str();
  cmd->add_option("--property", check.properties,
                  "check these properties only: a name or a pattern such as 'fifo.*'; may be given "
                  "several times")
      ->take_all()
      ->allow_extra_args(false);
  cmd->add_option("--depth", check.depth,
                  "look for counterexamples of at most so many steps, with bmc; prove nothing")
      ->check(CLI::Range(1U, 1'000'000U));
  cmd->add_flag(
      "--hwmcc", line.hwmcc,
      "as in the hardware model checking competition: FILE WITNESS [CERTIFICATE], answers "
      "sat, unsat and unknown");
  cmd->add_flag_callback(
      "--stream", [&check] { check.order = Order::AsTheyCome; },
      "print each verdict when it is known");
  cmd->add_option("--on", check.on,
                  "slurm:N: spread over N tasks of a cluster, by configurations, seeds and "
                  "properties");
  declare_limits(*cmd, check.limits);
  declare_native(*cmd, check.native);
  cmd->add_option("--set", check.settings, "engine.option=value, see `lemmata options`")
      ->take_all()
      ->allow_extra_args(false);
  cmd->add_option("--json", check.outputs.json, "results as JSON; - for standard output");
  cmd->add_option(
      "--witness", check.outputs.witness,
      "trace of an unsafe property in the model's own format (VMT, CHC, Lustre: a table); "
      ".vcd for a waveform of bits, .json for values of terms");
  cmd->add_option("--certificate", check.outputs.certificate,
                  "proof of a safe property: witness circuit .aag, .aig or .btor2, else .smt2");
  cmd->add_option("--report", check.outputs.report,
                  "results as one HTML page: traces beside the source, proofs, growth");
  cmd->add_option("--sarif", check.outputs.sarif,
                  "findings as SARIF 2.1.0, with runs as code flows; - for standard output");
  cmd->add_option("--junit", check.outputs.junit,
                  "results as JUnit XML: a test case for each property; - for standard output");
  cmd->add_flag("--places", check.places,
                "in the JSON: where properties, steps and invariants are in the source");
  auto set_format = [&check](const std::string& format) {
    if (format == "gcc") check.words = Words::Gcc;
  };
  cmd->add_option_function<std::string>(
         "--format", set_format,
         "lines (default): verdict lines; gcc: diagnostics as compilers print them, with a note "
         "for each step of a run")
      ->check(CLI::IsMember({"lines", "gcc"}));
  cmd->add_flag("--each", check.each,
                "several files of C or Verilog: each is a program or design of its own");
  cmd->add_flag("--stats", check.stats, "statistics on standard error");
  cmd->add_flag("--no-progress", line.no_progress, "no live line on the terminal");
  cmd->add_flag("--no-certify", line.no_certify, "print verdicts whose evidence was not checked");
  cmd->add_flag("-q", line.quiet, "no log, no progress, no warnings about the input");
  cmd->add_flag("--where-they-fit", line.where_they_fit)->group("");  // for the language server
  cmd->add_flag("-v", line.verbosity, "log; -vv and -vvv say more");
}

void declare(CLI::App& app, CommandLine& line) {
  app.require_subcommand(1);
  app.set_version_flag("--version", "lemmata " + std::string(version()));
  declare_check(app, line);

  CLI::App* validate = app.add_subcommand("validate", "check evidence without running any engine");
  declare_validation(*validate, line.validate);

  CLI::App* explain = app.add_subcommand(
      "explain", "which lemmas of a proof, which inputs of a counterexample are needed");
  declare_validation(*explain, line.explain.evidence);
  explain->add_option("--json", line.explain.json, "the same as JSON; - for standard output");

  CLI::App* convert = app.add_subcommand("convert", "rewrite a model in another format");
  declare_input(*convert, line.convert_from, line.convert_input);
  convert->add_option("-o", line.convert_to, "where to; the extension says which format")
      ->required();

  CLI::App* properties = app.add_subcommand("properties", "what would be checked in a model");
  declare_input(*properties, line.properties.file, line.properties.input);
  properties->add_option("--json", line.properties.json, "the same as JSON; - for standard output");

  declare_campaign(app, line.campaign);

  CLI::App* sby = app.add_subcommand("sby", "take the place of an engine of SymbiYosys");
  sby->add_option("--as", line.sby_engine, "the engine: " + sby_engines())->required();
  sby->prefix_command();  // the rest is what sby gives that engine

  app.add_subcommand("lsp", "a language server on the standard streams; options are of each check")
      ->prefix_command();

  app.add_subcommand("engines", "the engines, the papers behind them and their presets")
      ->add_option("NAME", line.engine, "what one of them takes, and what its presets set");
  app.add_subcommand("formats", "the input formats");
  app.add_subcommand("options", "every option for --set with range, default and paper")
      ->add_option("NAME", line.engine, "those of one engine, or of `transform`");
  app.add_subcommand("man", "the manual page, for man(1)");
  app.add_subcommand("completion", "what a shell needs to complete command lines")
      ->add_option("SHELL", line.shell, "bash, zsh or fish")
      ->required();
}

LogLevel log_level(const CommandLine& line) {
  if (line.quiet || line.verbosity == 0) return LogLevel::Quiet;
  if (line.verbosity == 1) return LogLevel::Info;
  return line.verbosity == 2 ? LogLevel::Debug : LogLevel::Trace;
}

/// The command line of the hardware model checking competition: model, file for a witness, file
/// for a certificate.
Status take_hwmcc_files(CheckRequest& request) {
  std::vector<std::string>& files = request.input.source.more_files;
  if (files.size() > 2)
    return Error{{}, "--hwmcc takes a model and at most two files for evidence", ErrorKind::Usage};
  request.words = Words::Hwmcc;
  if (!files.empty()) request.outputs.witness = files[0];
  if (files.size() == 2) request.outputs.certificate = files[1];
  files.clear();
  return Ok{};
}

/// Options that a model has no use for are a usage error.
Status check_options(const CLI::App& cmd, const CheckRequest& request, bool several) {
  std::vector<const OptionUse*> given = uses_given(cmd);
  std::vector<std::string> files = request.input.all_files(request.file);
  if (!several) return check_uses(given, files);
  for (const std::string& file : files)
    if (Status fits = check_uses(given, std::span(&file, 1)); !fits) return fits;
  return Ok{};
}

Result<ExitCode> run_check(const CLI::App& cmd, CommandLine& line, Console& console) {
  CheckRequest& request = line.check;
  if (request.input.c.errors == c::COptions::Errors::Together) request.words = Words::SvComp;
  if (line.hwmcc) LEM_TRY(take_hwmcc_files(request));
  request.certify = line.no_certify ? run::Certify::No : run::Certify::Yes;
  request.live = line.no_progress || line.quiet ? LiveLine::Off : LiveLine::On;
  request.quiet = line.quiet;
  request.log = log_level(line);
  if (request.file == "-" && !request.on.empty())
    return Error{{}, "--on takes a file", ErrorKind::Usage};
  if (request.file == "-") request.name = "-";
  LEM_TRY(take_model(request.file, request.input, console));
  LEM_LET(bool several, is_several_models(request));
  if (!line.where_they_fit) LEM_TRY(check_options(cmd, request, several));
  if (!request.on.empty()) {
    if (several) return Error{{}, "--on takes one model", ErrorKind::Usage};
    auto check = std::find(line.words.begin(), line.words.end(), "check");
    return check_on_cluster(request, {check + 1, line.words.end()}, console);
  }
  return several ? check_files(request, console) : check_file(request, console);
}

/// `convert` and `properties`.
Result<ExitCode> run_on_model(const CLI::App& app, CommandLine& line, Console& console) {
  bool converts = app.got_subcommand("convert");
  std::string& file = converts ? line.convert_from : line.properties.file;
  const frontend::ReadOptions& input = converts ? line.convert_input : line.properties.input;
  LEM_TRY(take_model(file, input, console));
  const CLI::App& cmd = *app.get_subcommand(converts ? "convert" : "properties");
  LEM_TRY(check_uses(uses_given(cmd), input.all_files(file)));
  if (!converts) return list_properties(line.properties, console);
  LEM_LET(std::vector<Warning> warnings, convert_file(file, line.convert_to, input));
  for (const Warning& warning : warnings) console.err(warning.text());
  return ExitCode::Safe;
}

Result<ExitCode> print(const Result<std::string>& text, Console& console) {
  LEM_TRY(text);
  console.out(*text);
  return ExitCode::Safe;
}

/// The commands beside `check`.
Result<ExitCode> run_other(const CLI::App& app, CommandLine& line, Console& console) {
  for (const char* name : {"validate", "explain"}) {
    if (!app.got_subcommand(name)) continue;
    bool explains = app.got_subcommand("explain");
    ValidateRequest& request = explains ? line.explain.evidence : line.validate;
    LEM_TRY(take_evidence(*app.get_subcommand(name), request, console));
    return explains ? run_explanation(line.explain, console)
                    : run_validation(line.validate, console);
  }
  if (app.got_subcommand("convert") || app.got_subcommand("properties"))
    return run_on_model(app, line, console);
  if (app.got_subcommand("campaign"))
    return run_campaign(*app.get_subcommand("campaign"), line.campaign, console);
  if (app.got_subcommand("sby")) {
    if (!is_sby_engine(line.sby_engine))
      return Error{{},
                   "unknown engine '" + line.sby_engine + "' (engines: " + sby_engines() + ")",
                   ErrorKind::Usage};
    return run_as_engine(line.sby_engine, app.get_subcommand("sby")->remaining(), console);
  }
  if (app.got_subcommand("lsp")) return lsp::serve(app.get_subcommand("lsp")->remaining(), console);
  if (app.got_subcommand("engines"))
    return print(line.engine.empty() ? list_engines() : describe_engine(line.engine), console);
  if (app.got_subcommand("options"))
    return print(line.engine.empty() ? list_options() : describe_options(line.engine), console);
  if (app.got_subcommand("man")) return print(man_page(app), console);
  if (app.got_subcommand("completion")) return print(completion(app, line.shell), console);
  return print(list_formats(), console);
}

/// `portfolio` was the name of `auto` until 2026. Nothing but the command line knows it.
void rename_portfolio(CommandLine& line) {
  auto rename = [](std::string& engine) {
    if (engine == "portfolio") engine = "auto";
  };
  rename(line.check.engine);
  rename(line.engine);
  std::for_each(line.campaign.engines.begin(), line.campaign.engines.end(), rename);
}

std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

/// `lemmata help [COMMAND]`.
Result<ExitCode> help(const CLI::App& app, std::span<const std::string> words, Console& console) {
  if (words.size() == 1) return print(app.help(), console);
  try {
    return print(app.get_subcommand(words[1])->help(app.get_name()), console);
  } catch (const CLI::OptionNotFound&) {
    return Error{{}, suggestion(app, words.subspan(1)), ErrorKind::Usage};
  }
}

/// What was wrong with the command line, and what may have been meant.
std::string refusal(const CLI::App& app, std::span<const std::string> words,
                    const CLI::ParseError& error) {
  std::string meant = suggestion(app, words);
  if (app.get_subcommands().empty() && !meant.empty()) return meant;  // says what is missing, too
  std::string text = one_line(error.what());
  return meant.empty() ? text : text + "; " + meant;
}

}  // namespace

Result<ExitCode> run_command_line(int argc, char** argv, Console& console) {
  // A link with the name of an engine is enough.
  std::string_view program = argc > 0 ? argv[0] : "";
  program.remove_prefix(program.rfind('/') == program.npos ? 0 : program.rfind('/') + 1);
  if (is_sby_engine(program))
    return run_as_engine(program, std::vector<std::string>(argv + 1, argv + argc), console);
  CommandLine line;
  line.words.assign(argv + std::min(argc, 1), argv + argc);
  line.check.command.assign(argv, argv + argc);
  CLI::App app("Lemmata proves or refutes safety properties by incremental induction", "lemmata");
  declare(app, line);
  if (!line.words.empty() && line.words.front() == "help") return help(app, line.words, console);
  try {
    app.parse(argc, argv);
    rename_portfolio(line);
    if (app.got_subcommand("check")) return run_check(*app.get_subcommand("check"), line, console);
    return run_other(app, line, console);
  } catch (const CLI::CallForVersion& call) {
    console.out(std::string(call.what()) + "\n");
    return ExitCode::Safe;
  } catch (const CLI::CallForHelp&) {
    console.out(app.help());
    return ExitCode::Safe;
  } catch (const CLI::ParseError& error) {
    return Error{{}, refusal(app, line.words, error), ErrorKind::Usage};
  } catch (const std::exception& error) {
    return Error{{}, "internal error: " + one_line(error.what()), ErrorKind::Internal};
  }
}

}  // namespace lem::app
