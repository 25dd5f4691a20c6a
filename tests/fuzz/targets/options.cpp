// `--set a.b=1,a.c=on`: what is accepted is in range and prints as it can be set again.
#include "base/options.h"

#include <array>
#include <limits>

#include "target.h"

using namespace lem;

static constexpr std::array kRows = {
    OptionRow::number("ic3.depth", 1, 0, 100, "a small number"),
    OptionRow::number("ic3.seed", 0, std::numeric_limits<std::int64_t>::min(),
                      std::numeric_limits<std::int64_t>::max(), "any number"),
    OptionRow::choice("ic3.order", 1, "none|drop|core", "a choice"),
    OptionRow::toggle("ic3.lift", true, "a toggle"),
};

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Options options;
  options.declare(kRows);
  bool accepted = options.set_all(fuzz::text_of(data, size)).ok();
  std::string all;
  for (const OptionRow& row : options.rows()) {
    std::int64_t value = options.get(row.name);
    fuzz::must(row.min <= value && value <= row.max, "a value out of range");
    all += (all.empty() ? "" : ",") + std::string(row.name) + "=" + option_text(row, value);
  }
  Options again;
  again.declare(kRows);
  fuzz::must(again.set_all(all).ok(), "what is printed cannot be set: " + all);
  for (const OptionRow& row : kRows)
    fuzz::must(!accepted || again.get(row.name) == options.get(row.name), "another value: " + all);
  return 0;
}
