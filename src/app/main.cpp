#include "app/cli.h"
#include "app/console.h"
#include "app/crash.h"
#include "app/process_start.h"

int main(int argc, char** argv) {
  lem::app::prepare_process();
  lem::app::exit_70_on_crash();
  lem::app::Console console;
  lem::app::ExitCode code = console.end(lem::app::run_command_line(argc, argv, console));
  return static_cast<int>(console.conclude(code));
}
