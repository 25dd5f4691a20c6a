#include "model/horn.h"

#include "term/traverse.h"

namespace lem {

std::vector<Term> variables_of(const HornSystem& system, const HornClause& clause) {
  std::vector<Term> roots{clause.constraint};
  for (const HornAtom& atom : clause.body)
    roots.insert(roots.end(), atom.args.begin(), atom.args.end());
  if (clause.head) roots.insert(roots.end(), clause.head->args.begin(), clause.head->args.end());
  return variables_of(*system.terms, roots);
}

}  // namespace lem
