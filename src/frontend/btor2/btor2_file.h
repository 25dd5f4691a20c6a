// A BTOR2 file as it is written: lines of words, nothing resolved yet.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"

namespace lem::btor2 {

struct Btor2Word {
  std::string_view text;
  std::uint32_t column;
};

/// `id tag argument...`, a symbol counted as an argument.
struct Btor2Line {
  std::uint32_t number;
  std::uint64_t id;
  std::uint32_t first_word;  // of the id
  std::uint32_t num_words;
  std::string_view comment{};  // without its semicolon; yosys writes places of sources there
};

struct Btor2File {
  std::vector<Btor2Word> words;
  std::vector<Btor2Line> lines;
  std::unordered_map<std::uint64_t, std::uint32_t> line_of_id;  // index into lines

  std::span<const Btor2Word> words_of(const Btor2Line& line) const {
    return std::span(words).subspan(line.first_word, line.num_words);
  }
};

/// ensure: every line has an id, which no other line has, and a tag.  Borrows `bytes`.
Result<Btor2File> split_btor2(const std::string& path, std::string_view bytes);

/// A word that is a plain decimal number; nothing is returned for one over 2^63.
bool parse_btor2_number(std::string_view word, std::uint64_t& out);

}  // namespace lem::btor2
