// What every translation of terms does: arguments first, each subterm once, without recursion, so
// that deep terms do not overflow the stack.
#pragma once

#include <vector>

#include "term/term_store.h"

namespace lem {

/// Calls make(t) for the root and its subterms, arguments first, where made(t) does not hold yet.
///   require: made(t) holds after make(t)
template <class Made, class Make>
void postorder(const TermStore& terms, Term root, Made made, Make make) {
  std::vector<Term> stack{root};
  while (!stack.empty()) {
    Term term = stack.back();
    if (made(term)) {
      stack.pop_back();
      continue;
    }
    std::size_t depth = stack.size();
    for (Term arg : terms.args(term))
      if (!made(arg)) stack.push_back(arg);
    if (stack.size() > depth) continue;
    stack.pop_back();
    make(term);
  }
}

}  // namespace lem
