#include "frontend/verilog/preprocessed.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <vector>

namespace lem::verilog {

namespace {

constexpr std::string_view kBegin = "-- Verilog code after preprocessor --\n";
constexpr std::string_view kEnd = "-- END OF DUMP --";

/// The words of one dump with their places. Comments are gone, strings are skipped.
class Scanner {
 public:
  Scanner(const std::string& file, std::string_view text) : text_(text), files_{{file, 1}} {}

  Status run() {
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (c == '\n') ++files_.back().line;
      if (c == '"') {
        skip_string();
      } else if (c == '`') {
        directive();
      } else if (c == '\\') {  // an escaped name
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) == 0)
          ++at_;
      } else if (is_name_char(c)) {
        std::string_view name = word();
        if (name == "bind" && statement_starts_ && names_something())
          return Error{{files_.back().name, files_.back().line, 1},
                       "unsupported: bind (instantiate the checker in the module instead)",
                       ErrorKind::BadInput};
        statement_starts_ = name == "endmodule" || name == "begin" || name == "endpackage";
      } else {
        if (c == ';') statement_starts_ = true;
        if (std::isspace(static_cast<unsigned char>(c)) == 0 && c != ';') statement_starts_ = false;
        ++at_;
      }
    }
    return Ok{};
  }

 private:
  struct File {
    std::string name;
    std::uint32_t line;
  };

  std::string_view word() {
    std::size_t start = at_;
    while (at_ < text_.size() && is_name_char(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }
  void skip_string() {
    for (++at_; at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\') ++at_;
    if (at_ < text_.size() && text_[at_] == '"') ++at_;
  }
  /// `bind NAME`: anything else is a use of the word as a name.
  bool names_something() const {
    std::size_t next = text_.find_first_not_of(" \t\r\n", at_);
    return next != text_.npos && (is_name_char(text_[next]) || text_[next] == '\\');
  }
  void directive() {
    ++at_;
    std::string_view name = word();
    if (name == "file_push") {
      std::size_t open = text_.find('"', at_);
      std::size_t line_end = std::min(text_.find('\n', at_), text_.size());
      std::size_t close = text_.rfind('"', line_end);
      if (open == text_.npos || close <= open) return;
      files_.push_back({std::string(text_.substr(open + 1, close - open - 1)), 0});
      at_ = line_end;
    } else if (name == "file_pop" && files_.size() > 1) {
      files_.pop_back();
      // The line end after it is none of the file's.
      at_ = std::min(std::min(text_.find('\n', at_), text_.size()) + 1, text_.size());
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<File> files_;  // nested by includes
  bool statement_starts_ = true;
};

}  // namespace

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
    } else if (text.substr(at).starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at).starts_with("/*")) {
      std::size_t end = text.find("*/", at + 2);
      at = end == text.npos ? text.size() : end + 2;
    } else {
      break;
    }
  }
  return at;
}

bool is_name_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

std::vector<std::string_view> dumps_in(std::string_view log) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; (at = log.find(kBegin, at)) != log.npos;) {
    at += kBegin.size();
    std::size_t end = std::min(log.find(kEnd, at), log.size());
    out.push_back(log.substr(at, end - at));
    at = end;
  }
  return out;
}

Status check_preprocessed(const std::string& file, std::string_view log) {
  for (std::string_view text : dumps_in(log))
    if (Status fine = Scanner(file, text).run(); !fine) return fine;
  return Ok{};
}

}  // namespace lem::verilog
