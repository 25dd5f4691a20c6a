// What a search found out about some properties of a problem: a claim with its evidence. check/
// decides whether it holds.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "model/verdict.h"

namespace lem {

/// The same verdict, by the same evidence, for these properties. Safe: the certificate shows that
/// none of them fails. Unsafe: all of them fail at the end of the run.
struct Found {
  std::vector<std::size_t> properties;  // ascending numbers of the problem's
  Verdict verdict;                      // definite
};
using OnFound = std::function<void(Found)>;

}  // namespace lem
