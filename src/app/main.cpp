#include "app/cli.h"
#include "app/crash.h"

int main(int argc, char** argv) {
  lem::exit_70_on_crash();
  return static_cast<int>(lem::run_command_line(argc, argv));
}
