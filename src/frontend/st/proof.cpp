// Proofs in Structured Text, read back: lines PROPERTY name, INVARIANT condition; and LOOP number.
#include <charconv>
#include <utility>

#include "frontend/st/st.h"
#include "frontend/st/translate.h"
#include "term/traverse.h"

namespace lem {

Result<StProof> read_proof(const std::string& path, std::string_view bytes) {
  StProof out;
  SourcePos at{path, 0, 1};
  std::size_t loop = 0;
  while (!bytes.empty()) {
    std::size_t end = std::min(bytes.find('\n'), bytes.size());
    std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    ++at.line;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || (line.starts_with("(*") && line.ends_with("*)"))) continue;
    auto starts = [&](std::string_view word) {
      bool found = line.starts_with(word);
      if (found) line.remove_prefix(word.size());
      return found;
    };
    if (starts("PROPERTY ")) {
      if (!out.property.empty()) return Error{at, "a proof is about one property"};
      out.property = line;
    } else if (starts("LOOP ")) {
      auto [rest, failed] = std::from_chars(line.data(), line.data() + line.size(), loop);
      if (failed != std::errc{} || loop == 0 || loop > 100'000)
        return Error{at, "expected the number of a loop"};
    } else if (starts("INVARIANT ")) {
      if (!line.ends_with(';')) return Error{at, "expected ';' at the end of the line"};
      line.remove_suffix(1);
      out.claims.push_back({loop, std::string(line), at});
    } else {
      return Error{at, "expected PROPERTY, INVARIANT or LOOP"};
    }
  }
  if (out.property.empty()) return Error{{path, 1, 1}, "expected a line PROPERTY"};
  return out;
}

namespace st {

/// Variables that the program has no name for, by their number.
std::optional<Place> Translator::numbered(const std::string& key) const {
  auto found = numbered_.find(key);
  return found == numbered_.end() ? std::nullopt : std::optional(whole(found->second));
}

Status Translator::read_claims() {
  if (options_.claims.empty()) return Ok{};
  for (std::size_t i = 0; i < source_->variables.size(); ++i) {
    Term leaf = source_->variables[i].term;
    const char* type = nullptr;
    if (t_.kind(leaf) == SortKind::Bool) type = "bool";
    if (t_.kind(leaf) == SortKind::BitVec) {
      std::uint32_t bits = t_.width(t_.sort(leaf));
      type = bits == 8 ? "byte" : bits == 16 ? "word" : bits == 32 ? "dword" : "lword";
      if (elementary(type)->bits != bits) type = nullptr;
    }
    const Type* own = source_->variables[i].type;
    if (own == nullptr && type != nullptr) own = elementary(type);
    if (own != nullptr && t_.kind(leaf) != SortKind::Array)
      numbered_["__" + std::to_string(i)] = Storage{own, leaf};
  }
  std::size_t variables = source_->variables.size();
  auto index_of = [&](Term variable) {
    std::size_t i = 0;
    while (source_->variables[i].term != variable) ++i;
    return i;
  };
  frames_.push_back(entry_frame());
  continue_at(head_);
  for (const StClaimText& one : options_.claims) {
    Result<ExprPtr> expr = parse_condition(one.condition, one.at);
    if (!expr) return expr.error();
    Result<Term> holds = boolean(**expr);
    if (!holds) return holds.error();
    // Values that were put aside are put back; whatever else happens is no part of an invariant.
    for (std::vector<Command> aside = std::exchange(pending_, {}); !aside.empty();
         aside.pop_back()) {
      const Command& last = aside.back();
      if (last.kind() != Command::Kind::Assign || index_of(last.variable()) < variables)
        return Error{one.at, "an invariant calls nothing and leaves nothing open"};
      holds = substitute(t_, *holds, {{last.variable(), last.value()}});
    }
    if (at_ != head_) return Error{one.at, "an invariant calls nothing and leaves nothing open"};
    source_->claims.push_back({one.loop, *holds});
  }
  frames_.pop_back();
  return Ok{};
}

}  // namespace st
}  // namespace lem
