#include "frontend/verilog/labels.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "frontend/verilog/preprocessed.h"

namespace lem::verilog {

namespace {

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

class LabelScanner {
 public:
  LabelScanner(const std::string& file, std::string_view text, Labels& labels)
      : in_(text), out_(text), labels_(labels), files_{{file, 1}} {}

  std::string run() {
    while (at_ < in_.size()) {
      char c = in_[at_];
      if (c == '\n') {
        ++files_.back().line;
        line_start_ = ++at_;
      } else if (c == '"') {
        skip_string();
      } else if (c == '`') {
        directive();
      } else if (c == '\\') {
        while (at_ < in_.size() && std::isspace(static_cast<unsigned char>(in_[at_])) == 0) ++at_;
      } else if (is_name_char(c)) {
        word();
      } else {
        if (c == '?') choice_ = true;
        if (c == ';') choice_ = false;
        if (std::isspace(static_cast<unsigned char>(c)) == 0) before_ = c;
        ++at_;
      }
    }
    return std::move(out_);
  }

 private:
  struct File {
    std::string name;
    std::uint32_t line;
  };
  enum class Block : std::uint8_t { Statements, Items };

  std::string_view name_at(std::size_t at) const {
    std::size_t end = at;
    while (end < in_.size() && is_name_char(in_[end])) ++end;
    return in_.substr(at, end - at);
  }
  void skip_string() {
    for (++at_; at_ < in_.size() && in_[at_] != '"' && in_[at_] != '\n'; ++at_)
      if (in_[at_] == '\\') ++at_;
    if (at_ < in_.size() && in_[at_] == '"') ++at_;
  }
  void directive() {
    std::string_view name = name_at(++at_);
    at_ += name.size();
    std::size_t line_end = std::min(in_.find('\n', at_), in_.size());
    if (name == "file_push") {
      std::size_t open = in_.find('"', at_);
      std::size_t close = in_.rfind('"', line_end);
      if (open == in_.npos || close == in_.npos || close <= open) return;
      files_.push_back({std::string(in_.substr(open + 1, close - open - 1)), 0});
      at_ = line_end;
    } else if (name == "file_pop" && files_.size() > 1) {
      files_.pop_back();
      at_ = std::min(line_end + 1, in_.size());  // this line end is none of the file's
      line_start_ = at_;
    }
  }

  /// Follows blocks, and takes out a label.
  void word() {
    constexpr std::array<std::string_view, 3> kCases = {"case", "casez", "casex"};
    constexpr std::array<std::string_view, 4> kStatements = {"assert", "assume", "cover",
                                                             "restrict"};
    std::size_t start = at_;
    std::string_view name = name_at(at_);
    at_ += name.size();
    if (name == "begin") blocks_.push_back(Block::Statements);
    if (is_one_of(name, kCases)) blocks_.push_back(Block::Items);
    if ((name == "end" || name == "endcase") && !blocks_.empty()) blocks_.pop_back();
    // `item: label: assert`; `a ? b : c: assert` has no label.
    bool after_item = std::exchange(before_, 'a') == ':' && !choice_;
    bool item = !blocks_.empty() && blocks_.back() == Block::Items && !after_item;
    std::size_t colon = skip_blanks(in_, at_);
    if (item || colon >= in_.size() || in_[colon] != ':') return;
    if (!is_one_of(name_at(skip_blanks(in_, colon + 1)), kStatements)) return;
    auto column = static_cast<std::uint32_t>(start - line_start_ + 1);
    labels_[{files_.back().name, files_.back().line, column}] = std::string(name);
    std::fill_n(out_.begin() + static_cast<std::ptrdiff_t>(start), name.size(), ' ');
    out_[colon] = ' ';
  }

  std::string_view in_;
  std::string out_;
  Labels& labels_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::vector<File> files_;  // nested by includes
  std::vector<Block> blocks_;
  char before_ = ';';    // the last character that is no blank; a letter for any word
  bool choice_ = false;  // a question mark in this statement
};

}  // namespace

std::string without_labels(const std::string& file, std::string_view text, Labels& labels) {
  return LabelScanner(file, text, labels).run();
}

}  // namespace lem::verilog
