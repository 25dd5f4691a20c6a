// Messages of the language server protocol: a header with Content-Length, then JSON. Tests:
// tests/unit/app/lsp/lsp_test.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lem::app::lsp {

/// Takes bytes as they come and gives whole messages.
class MessageReader {
 public:
  static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

  void add(std::string_view bytes) { bytes_ += bytes; }
  /// The body of the next message; nullopt: it is not all there, or the stream is broken.
  std::optional<std::string> next();
  /// A header without a length, or with one above kMaxBytes: nothing more can be read.
  bool broken() const { return broken_; }

 private:
  std::string bytes_;
  bool broken_ = false;
};

/// The message with its header.
std::string framed(std::string_view body);

}  // namespace lem::app::lsp
