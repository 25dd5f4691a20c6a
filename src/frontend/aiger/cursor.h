// A position in the bytes of an AIGER file with its line, and the errors that name it.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/result.h"

namespace lem::aiger {

class Cursor {
 public:
  Cursor(const std::string& path, std::string_view bytes) : path_(path), bytes_(bytes) {}

  bool at_end() const { return at_ == bytes_.size(); }
  /// -1 at the end of the file.
  int peek() const { return at_end() ? -1 : static_cast<unsigned char>(bytes_[at_]); }
  int take() {
    int byte = peek();
    if (byte >= 0) ++at_;
    return byte;
  }
  std::size_t offset() const { return at_; }
  std::size_t left() const { return bytes_.size() - at_; }

  /// require: `offset` is on the current line.
  void back_to(std::size_t offset) {
    assert(offset >= line_start_ && offset <= at_ && "cannot go back over a line end");
    at_ = offset;
  }

  /// Blanks within a line; a carriage return before the line end counts as one.
  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t' || (peek() == '\r' && next_is_newline())) ++at_;
  }
  bool at_line_end() const { return at_end() || peek() == '\n'; }
  /// require: at_line_end()
  void next_line() {
    if (at_end()) return;
    ++at_;
    ++line_;
    line_start_ = at_;
  }
  /// The rest of this line, without the line end; moves to the next line.
  std::string_view rest_of_line() {
    std::size_t end = bytes_.find('\n', at_);
    std::string_view rest = bytes_.substr(at_, end == bytes_.npos ? end : end - at_);
    at_ += rest.size();
    next_line();
    while (rest.ends_with('\r')) rest.remove_suffix(1);  // all, so that a copy reads the same
    return rest;
  }

  enum class Number : std::uint8_t { Ok, Missing, TooLarge };
  /// Reads an unsigned decimal; does not move unless it is one that fits.
  Number number(std::uint32_t& out) {
    std::size_t at = at_;
    std::uint64_t value = 0;
    while (at < bytes_.size() && bytes_[at] >= '0' && bytes_[at] <= '9') {
      value = 10 * value + static_cast<std::uint64_t>(bytes_[at] - '0');
      if (value > std::numeric_limits<std::uint32_t>::max()) return Number::TooLarge;
      ++at;
    }
    if (at == at_) return Number::Missing;
    at_ = at;
    out = static_cast<std::uint32_t>(value);
    return Number::Ok;
  }

  /// What stands here, short enough for a message.
  std::string found() const {
    if (at_end()) return "the end of the file";
    if (at_line_end()) return "the end of the line";
    std::string text = "'";
    for (std::size_t i = at_; i < bytes_.size() && i < at_ + 24 && bytes_[i] != '\n'; ++i) {
      bool printable = bytes_[i] >= ' ' && bytes_[i] <= '~';
      text += printable ? bytes_[i] : '?';
    }
    return text + "'";
  }

  Error error(std::string message) const { return error_at(at_, std::move(message)); }
  /// require: `offset` is on the current line.
  Error error_at(std::size_t offset, std::string message) const {
    auto column = static_cast<std::uint32_t>(offset - line_start_ + 1);
    return {{path_, line_, column}, std::move(message), ErrorKind::BadInput};
  }
  /// For the binary section, which counts as one line, whatever bytes it has.
  Error error_in_bytes(const std::string& message) const {
    return error(message + " (byte offset " + std::to_string(at_) + ")");
  }

 private:
  bool next_is_newline() const { return at_ + 1 < bytes_.size() && bytes_[at_ + 1] == '\n'; }

  const std::string& path_;  // borrowed, as the bytes: a cursor lives as long as one parse
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace lem::aiger
