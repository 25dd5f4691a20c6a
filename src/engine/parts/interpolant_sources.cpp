#include "engine/parts/interpolant_sources.h"

#include <array>

namespace lem {

namespace {

bool has_numbers(const TermSystem& system) {
  const TermStore& terms = system.terms();
  for (Term variable : system.current())
    if (terms.is_numeric(terms.sort(variable))) return true;
  return false;
}

bool has_bit_vectors(const TermSystem& system) {
  const TermStore& terms = system.terms();
  for (Term variable : system.current())
    if (terms.kind(variable) == SortKind::BitVec) return true;
  return false;
}

bool has_floats(const TermSystem& system) {
  const TermStore& terms = system.terms();
  for (Term variable : system.current())
    if (terms.kind(variable) == SortKind::Float) return true;
  return false;
}

}  // namespace

std::vector<std::unique_ptr<smt::Interpolator>> make_sources(const TermSystem& system,
                                                             Source wanted,
                                                             std::uint32_t milliseconds,
                                                             std::stop_token stop) {
  TermStore& terms = system.terms();
  auto isolated = [&](std::unique_ptr<smt::Interpolator> inner) {
    return smt::isolate(std::move(inner), terms, stop, milliseconds);
  };
  std::vector<std::unique_ptr<smt::Interpolator>> sources;
  bool bits = has_bit_vectors(system);
  bool floats = has_floats(system);  // which Spacer cannot interpolate
  auto wants = [&](Source source) { return wanted == Source::All || wanted == source; };
  if (wants(Source::Farkas) && has_numbers(system))
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

}  // namespace lem
