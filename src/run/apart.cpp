#include "run/apart.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/time_box.h"
#include "base/try.h"
#include "run/prove.h"

namespace lem::run {

namespace {

constexpr TimeBox::Seconds kFirstTurn{1.0};

/// A problem of one kind, and where its properties are in the original.
struct Part {
  Problem problem;
  std::vector<std::size_t> original;  // by property
  std::vector<std::size_t> open;      // of the part's
};

std::vector<Part> parts_of(const Problem& problem, std::span<const std::size_t> properties) {
  std::vector<Part> parts;
  Part safety{{problem.model, {}, problem.source}, {}, {}};
  for (std::size_t property : properties) {
    if (problem.properties[property].is_justice()) continue;
    safety.open.push_back(safety.original.size());
    safety.original.push_back(property);
    safety.problem.properties.push_back(problem.properties[property]);
  }
  if (!safety.open.empty()) parts.push_back(std::move(safety));
  for (std::size_t property : properties)
    if (problem.properties[property].is_justice())
      parts.push_back({focus(problem, property), {property}, {0}});
  return parts;
}

}  // namespace

Status prove_apart(const Problem& problem, std::span<const std::size_t> properties,
                   const Selectable& selected, const Settings& settings,
                   const OnSettled& on_settled, const Context& ctx) {
  std::vector<Part> parts = parts_of(problem, properties);
  for (TimeBox::Seconds turn = kFirstTurn; !parts.empty(); turn *= 2) {
    for (Part& part : parts) {
      bool last = parts.size() == 1;
      TimeBox box(ctx.stop, last ? std::nullopt : std::optional(turn));
      std::vector<std::size_t> left;
      auto settled = [&](std::size_t property, check::Certified outcome, std::string_view by) {
        bool again = std::holds_alternative<Unknown>(outcome.verdict()) &&
                     box.token().stop_requested() && !ctx.stopped();
        if (!again) return on_settled(part.original[property], std::move(outcome), by);
        left.push_back(property);
        return Status(Ok{});
      };
      Context boxed = ctx.with_stop(box.token());
      LEM_TRY(prove_all(part.problem, part.open, selected, settings, settled, boxed));
      std::sort(left.begin(), left.end());
      part.open = std::move(left);
    }
    std::erase_if(parts, [](const Part& part) { return part.open.empty(); });
  }
  return Ok{};
}

}  // namespace lem::run
