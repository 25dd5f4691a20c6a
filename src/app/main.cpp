#include "app/cli.h"
#include "app/crash.h"
#include "app/process_start.h"

int main(int argc, char** argv) {
  lem::prepare_process();
  lem::exit_70_on_crash();
  return static_cast<int>(lem::run_command_line(argc, argv));
}
