// Engine options: one row per option beside its engine, one store of values per run.
// A value is a number, or a word of a list ("none|drop|core"), stored as its index. Words are read
// as an enum: every enum that is an option has a function beside it that names its values in order,
//   constexpr std::string_view words(Lift) { return "none|core|ternary|both|model"; }
// and `options.get<Lift>("ic3.lift")` is the value whose word was set.
#pragma once

#include <cassert>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.h"

namespace lem {

/// Word `index` of "a|b|c"; empty beyond the last.
constexpr std::string_view word_at(std::string_view words, std::size_t index) {
  for (; index > 0; --index) {
    std::size_t bar = words.find('|');
    if (bar == std::string_view::npos) return {};
    words.remove_prefix(bar + 1);
  }
  return words.substr(0, words.find('|'));
}

/// The index of `word` in "a|b|c"; -1 if it is none of them.
constexpr std::int64_t index_of(std::string_view words, std::string_view word) {
  if (word.empty()) return -1;
  for (std::size_t i = 0; !word_at(words, i).empty(); ++i)
    if (word_at(words, i) == word) return static_cast<std::int64_t>(i);
  return -1;
}

template <class E>
concept Worded = std::is_enum_v<E> && requires(E value) {
  words(value);
};

struct OptionRow {
  std::string_view name;  // "ic3.ctg-depth"
  std::int64_t fallback;  // default; for choices the index of the default's word
  std::int64_t min;
  std::int64_t max;
  std::string_view help;     // with the paper key in brackets
  std::string_view choices;  // "" for a number, "PATH" for a path (read by text()), else "a|b|c"

  static constexpr OptionRow number(std::string_view name, std::int64_t fallback, std::int64_t min,
                                    std::int64_t max, std::string_view help) {
    return {name, fallback, min, max, help, {}};
  }
  /// `choices`: the words that the option takes, if not all of the enum.
  template <Worded E>
  static constexpr OptionRow choice(std::string_view name, E fallback, std::string_view help,
                                    std::string_view choices = words(E{})) {
    std::int64_t count = 0;
    for (; !word_at(choices, static_cast<std::size_t>(count)).empty(); ++count)
      assert(index_of(words(E{}), word_at(choices, static_cast<std::size_t>(count))) >= 0);
    std::int64_t index = index_of(choices, word_at(words(E{}), static_cast<std::size_t>(fallback)));
    assert(index >= 0 && "the default is not a choice");
    return {name, index, 0, count - 1, help, choices};
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

  /// A number as T, or the value of the enum T whose word was set.
  ///   require: name was declared, as a number or as a choice of T's words
  template <class T = std::int64_t>
  T get(std::string_view name) const {
    const Entry& entry = declared(name);
    if constexpr (Worded<T>) {
      std::string_view word = word_at(entry.row.choices, static_cast<std::size_t>(entry.value));
      std::int64_t index = index_of(words(T{}), word);
      assert(index >= 0 && "an option was read as another enum");
      return static_cast<T>(index);
    } else {
      static_assert(std::is_arithmetic_v<T>, "an enum without words()");
      assert(entry.row.choices.empty() && "a choice was read as a number");
      return static_cast<T>(entry.value);
    }
  }
  /// Of a toggle, or of a choice whose first word is "off".
  bool on(std::string_view name) const { return declared(name).value != 0; }

  /// As option_text() prints it.  require: name was declared
  std::string text(std::string_view name) const {
    return option_text(declared(name).row, declared(name).value);
  }

  std::vector<OptionRow> rows() const;  // by name

 private:
  struct Entry {
    OptionRow row;
    std::int64_t value;
  };
  const Entry& declared(std::string_view name) const;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace lem
