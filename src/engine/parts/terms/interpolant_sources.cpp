#include "engine/parts/terms/interpolant_sources.h"

#include <algorithm>

namespace lem::engine {

std::vector<std::unique_ptr<smt::Interpolator>> make_sources(TermStore& terms,
                                                             std::span<const Term> variables,
                                                             Source wanted,
                                                             std::uint32_t milliseconds,
                                                             std::stop_token stop) {
  auto any = [&](auto kind) {
    return std::any_of(variables.begin(), variables.end(),
                       [&](Term variable) { return kind(terms.kind(variable)); });
  };
  auto isolated = [&](std::unique_ptr<smt::Interpolator> inner) {
    return smt::isolate(std::move(inner), terms, stop, milliseconds);
  };
  std::vector<std::unique_ptr<smt::Interpolator>> sources;
  bool numbers = any([](SortKind k) { return k == SortKind::Int || k == SortKind::Real; });
  bool bits = any([](SortKind k) { return k == SortKind::BitVec; });
  bool floats = any([](SortKind k) { return k == SortKind::Float; });  // Spacer cannot
  auto wants = [&](Source source) { return wanted == Source::All || wanted == source; };
  if (wants(Source::Proof) && numbers)
    sources.push_back(smt::make_proof_interpolator(terms, stop, milliseconds / 2));
  if (wants(Source::Farkas) && numbers)
    sources.push_back(smt::make_farkas_interpolator(terms, stop, milliseconds / 2));
  if (wants(Source::Integers) && bits && !floats)
    sources.push_back(
        isolated(smt::make_integer_interpolator(terms, smt::make_spacer_interpolator(terms))));
  if (wants(Source::Spacer) && !floats)
    sources.push_back(isolated(smt::make_spacer_interpolator(terms)));
  if (wants(Source::Wp) && (bits || floats)) sources.push_back(smt::make_wp_interpolator(terms));
  if (wants(Source::Backward))
    sources.push_back(isolated(smt::make_backward_interpolator(terms, stop)));
  if (wants(Source::Wp) && !bits && !floats) sources.push_back(smt::make_wp_interpolator(terms));
  return sources;
}

}  // namespace lem::engine
