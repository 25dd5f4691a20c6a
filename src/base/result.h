// Result<T>: a value or an Error with its place. Our code throws nothing.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "base/assert.h"

namespace lem {

/// A place in an input file. Line and column count from 1; 0 means "not known". Binary files
/// have a byte offset instead of a column.
struct SourcePos {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

enum class ErrorKind {
  Usage,     // exit 64
  BadInput,  // exit 65
  NotFound,  // exit 66
  Internal,  // exit 70
};

struct Error {
  SourcePos at;
  std::string message;  // lower case, no full stop
  ErrorKind kind = ErrorKind::BadInput;

  /// `file:line:col: error: message`, leaving out what is not known.
  std::string text() const {
    std::string out = at.file;
    if (at.line != 0) {
      out += ':' + std::to_string(at.line);
      if (at.column != 0) out += ':' + std::to_string(at.column);
    }
    return (out.empty() ? out : out + ": ") + "error: " + message;
  }
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(value()); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const {
    assert(!ok() && "asked a good result for its error");
    return *std::get_if<1>(&state_);
  }

 private:
  T& value() {
    assert(ok() && "asked a failed result for its value");
    return *std::get_if<0>(&state_);
  }
  const T& value() const {
    assert(ok() && "asked a failed result for its value");
    return *std::get_if<0>(&state_);
  }
  std::variant<T, Error> state_;
};

/// Success without a value.
struct Ok {};
using Status = Result<Ok>;

}  // namespace lem
