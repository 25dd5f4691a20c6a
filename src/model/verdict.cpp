#include "model/verdict.h"

namespace lem {

std::string_view name(Reason reason) {
  switch (reason) {
    case Reason::Stopped:
      return "stopped";
    case Reason::BoundReached:
      return "bound reached";
    case Reason::GaveUp:
      return "gave up";
    case Reason::Crashed:
      return "all workers crashed";
  }
  unreachable();
}

}  // namespace lem
