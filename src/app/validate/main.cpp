// lemmata-validate FILE --witness W | --certificate C: the validator alone, linked without engines
// and transforms. Same answers and exit codes as `lemmata validate`.
#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>

#include "app/exit_code.h"
#include "app/validate.h"

int main(int argc, char** argv) {
  lem::ValidateRequest request;
  CLI::App app("Checks evidence files against a model", "lemmata-validate");
  app.add_option("FILE", request.file, "the model")->required();
  CLI::Option* witness =
      app.add_option("--witness", request.witness, "trace of an unsafe property");
  app.add_option("--certificate", request.certificate, "proof of a safe property")
      ->excludes(witness);
  try {
    app.parse(argc, argv);
    if (request.witness.empty() == request.certificate.empty())
      throw CLI::RequiredError("--witness or --certificate");
  } catch (const CLI::CallForHelp&) {
    std::fputs(app.help().c_str(), stdout);
    return 0;
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return static_cast<int>(lem::ExitCode::Usage);
  }
  try {
    lem::Status status = lem::validate_evidence(request);
    std::fputs(lem::validation_line(status).c_str(), stdout);
    if (status.ok()) return 0;
    std::fprintf(stderr, "%s\n", status.error().text().c_str());
    return static_cast<int>(lem::exit_code(status.error().kind));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: internal error: %s\n", error.what());
    return static_cast<int>(lem::ExitCode::Internal);
  }
}
