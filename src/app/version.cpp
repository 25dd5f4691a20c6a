#include "app/version.h"

namespace lem {

std::string_view version() {
  return LEM_VERSION;
}

}  // namespace lem
