// `--set a.b=1,a.c=on`: what is accepted is in range and prints as it can be set again.
#include "base/options.h"

#include <array>
#include <limits>

#include "target.h"

using namespace lem;

enum class Mode { None, Drop, Core };
static constexpr std::string_view words(Mode) {
  return "none|drop|core";
}

static constexpr std::array kRows = {
    OptionRow::number("ic3.depth", 1, 0, 100, "a small number"),
    OptionRow::number("ic3.seed", 0, std::numeric_limits<std::int64_t>::min(),
                      std::numeric_limits<std::int64_t>::max(), "any number"),
    OptionRow::choice("ic3.order", Mode::Drop, "a choice"),
    OptionRow::toggle("ic3.lift", true, "a toggle"),
};

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Options options;
  options.declare(kRows);
  bool accepted = options.set_all(fuzz::text_of(data, size)).ok();
  std::string all;
  for (const OptionRow& row : options.rows()) {
    if (row.choices.empty()) {
      std::int64_t value = options.get(row.name);
      fuzz::must(row.min <= value && value <= row.max, "a value out of range");
    }
    all += (all.empty() ? "" : ",") + std::string(row.name) + "=" + options.text(row.name);
  }
  Options again;
  again.declare(kRows);
  fuzz::must(again.set_all(all).ok(), "what is printed cannot be set: " + all);
  for (const OptionRow& row : kRows)
    fuzz::must(!accepted || again.text(row.name) == options.text(row.name),
               "another value: " + all);
  return 0;
}
