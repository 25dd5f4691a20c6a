// Numbers, texts and bits as bytes: what processes of one run tell each other. Numbers are base-128
// varints, the lowest digits first; bits are packed. Tests: tests/unit/base/bytes_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lem {

class ByteWriter {
 public:
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_.push_back(static_cast<char>((value & 0x7f) | 0x80));
    out_.push_back(static_cast<char>(value));
  }
  /// Eight bytes, whatever the value.
  void fixed(std::uint64_t value) {
    for (int i = 0; i < 8; ++i) out_.push_back(static_cast<char>(value >> (8 * i) & 0xff));
  }
  void text(std::string_view value) {
    number(value.size());
    out_.append(value);
  }
  void bits(const std::vector<bool>& values) {
    number(values.size());
    for (std::size_t at = 0; at < values.size(); at += 8) {
      unsigned byte = 0;
      for (std::size_t i = at; i < values.size() && i < at + 8; ++i)
        byte |= (values[i] ? 1U : 0U) << (i - at);
      out_.push_back(static_cast<char>(byte));
    }
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

/// Reading past the end or an oversized count makes the reader bad; it then yields zeros.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}
  bool good() const { return good_; }
  bool at_end() const { return left_.empty(); }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      std::uint64_t byte = next_byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    good_ = false;
    return 0;
  }
  std::uint64_t fixed() {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value |= next_byte() << (8 * i);
    return value;
  }
  /// A count of things that take at least one byte for every `per_byte` of them.
  std::size_t count(std::size_t per_byte = 1) {
    std::uint64_t value = number();
    if (value <= left_.size() * per_byte) return static_cast<std::size_t>(value);
    good_ = false;
    return 0;
  }
  std::string text() {
    std::size_t size = count();
    std::string value(left_.substr(0, size));
    left_.remove_prefix(size);
    return value;
  }
  std::vector<bool> bits() {
    std::vector<bool> values(count(8));
    std::uint64_t byte = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i % 8 == 0) byte = next_byte();
      values[i] = (byte >> (i % 8) & 1) != 0;
    }
    return values;
  }

 private:
  std::uint64_t next_byte() {
    if (left_.empty()) {
      good_ = false;
      return 0;
    }
    std::uint64_t byte = static_cast<unsigned char>(left_.front());
    left_.remove_prefix(1);
    return byte;
  }
  std::string_view left_;
  bool good_ = true;
};

}  // namespace lem
