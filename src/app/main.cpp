#include "app/cli.h"
#include "app/crash.h"
#include "app/process_start.h"

int main(int argc, char** argv) {
  lem::app::prepare_process();
  lem::app::exit_70_on_crash();
  return static_cast<int>(lem::app::run_command_line(argc, argv));
}
