// Terms as bytes, for processes that were forked from one another: terms older than the fork go by
// their id, newer ones by structure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "term/term_store.h"

namespace lem {

/// require: terms with an id below `known` are the same in the reader's store.
std::string write_terms(const TermStore& terms, std::span<const Term> roots, std::size_t known);

/// nullopt if the bytes are not such a message.
std::optional<std::vector<Term>> read_terms(TermStore& terms, std::string_view bytes);

}  // namespace lem
