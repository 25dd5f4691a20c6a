#include "engine/ic3ia/sources.h"

namespace lem {

std::vector<std::unique_ptr<smt::Interpolator>> make_sources(TermSystem& system,
                                                             const Ic3iaConfig& config,
                                                             std::stop_token stop) {
  std::vector<std::unique_ptr<smt::Interpolator>> sources;
  TermStore& terms = system.terms();
  sources.push_back(smt::make_spacer_interpolator(terms, stop, config.source_ms));
  sources.push_back(smt::make_backward_interpolator(terms, stop, config.source_ms));
  return sources;
}

}  // namespace lem
