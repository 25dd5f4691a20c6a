#include "app/version.h"

namespace lem::app {

std::string_view version() {
  return LEM_VERSION;
}

}  // namespace lem::app
