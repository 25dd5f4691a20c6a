// Engine options: one row per option beside its engine, one store of values per run.
// Every value is an integer; a row with `choices` ("none|drop|core") is set by name and stored
// as the index of that name.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lem {

struct OptionRow {
  std::string_view name;  // "ic3.ctg-depth"
  std::int64_t fallback;  // default; for choices the index of the default's name
  std::int64_t min;
  std::int64_t max;
  std::string_view help;     // with the paper key in brackets
  std::string_view choices;  // "" for a number, else "a|b|c"

  static constexpr OptionRow number(std::string_view name, std::int64_t fallback, std::int64_t min,
                                    std::int64_t max, std::string_view help) {
    return {name, fallback, min, max, help, {}};
  }
  static constexpr OptionRow choice(std::string_view name, std::int64_t fallback,
                                    std::string_view choices, std::string_view help) {
    std::int64_t count = 1;
    for (char c : choices) count += c == '|' ? 1 : 0;
    return {name, fallback, 0, count - 1, help, choices};
  }
  static constexpr OptionRow toggle(std::string_view name, bool fallback, std::string_view help) {
    return {name, fallback ? 1 : 0, 0, 1, help, "off|on"};
  }
};

/// The printed form of a value: its name for choices, else the number.
std::string option_text(const OptionRow& row, std::int64_t value);

class Options {
 public:
  /// Registers rows; a name may be registered once.
  void declare(std::span<const OptionRow> rows);

  /// Sets `name` from text; an unknown name or a value out of range is a usage error.
  Status set(std::string_view name, std::string_view value);
  /// Sets several: "a.b=1,a.c=on".
  Status set_all(std::string_view assignments);

  /// require: name was declared.
  std::int64_t get(std::string_view name) const;
  bool on(std::string_view name) const { return get(name) != 0; }

  std::vector<OptionRow> rows() const;  // by name

 private:
  struct Entry {
    OptionRow row;
    std::int64_t value;
  };
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace lem
