// lemmata-validate FILE --witness W | --certificate C: the validator alone, linked without engines
// and transforms. Same options, answers and exit codes as `lemmata validate`.
#include <CLI/CLI.hpp>

#include <exception>
#include <string>

#include "app/console.h"
#include "app/crash.h"
#include "app/process_start.h"
#include "app/validate/options.h"
#include "app/validate/validate.h"

static lem::app::ExitCode run(int argc, char** argv, lem::app::Console& console) {
  lem::app::ValidateRequest request;
  CLI::App app("Checks evidence files against a model", "lemmata-validate");
  lem::app::declare_validation(app, request);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    console.out(app.help());
    return lem::app::ExitCode::Safe;
  } catch (const CLI::ParseError& error) {
    return console.fail({{}, error.what(), lem::ErrorKind::Usage});
  }
  try {
    if (lem::Status taken = lem::app::take_evidence(app, request, console); !taken)
      return console.fail(taken.error());
    return lem::app::run_validation(request, console);
  } catch (const std::exception& error) {
    std::string what = std::string("internal error: ") + error.what();
    return console.fail({{}, what, lem::ErrorKind::Internal});
  }
}

int main(int argc, char** argv) {
  lem::app::prepare_process();
  lem::app::exit_70_on_crash();
  lem::app::Console console;
  lem::app::ExitCode code = run(argc, argv, console);
  return static_cast<int>(console.conclude(code));
}
