// Weakest preconditions along a path whose steps are conjunctions: equations x' = t are
// substituted, guards are kept, and the cube that must not be reached moves backwards.
#include <algorithm>
#include <map>

#include "smt/interpolate/interpolator.h"
#include "term/solve.h"
#include "term/traverse.h"

namespace lem::smt {

namespace {

class WpInterpolator final : public Interpolator {
 public:
  explicit WpInterpolator(TermStore& terms) : terms_(terms) {}
  std::string_view name() const override { return "wp"; }

  std::optional<Sequence> interpolate(const Path& path) override {
    std::vector<Term> cube = conjuncts(terms_, path.last);
    Sequence sequence{terms_.make_not(terms_.make_and(cube))};
    for (std::size_t i = path.steps.size(); i-- > 0;) {
      cube = before(path, path.steps[i], cube);
      sequence.push_back(terms_.make_not(terms_.make_and(cube)));
    }
    std::reverse(sequence.begin(), sequence.end());
    return sequence;
  }

 private:
  /// The cube before a step that leads into the cube after it, without what the step leaves open.
  std::vector<Term> before(const Path& path, Term step, const std::vector<Term>& after) {
    std::map<Term, Term> next_of;
    for (std::size_t i = 0; i < path.current.size(); ++i) next_of[path.current[i]] = path.next[i];
    auto is_next = [&](Term variable) {
      return std::find(path.next.begin(), path.next.end(), variable) != path.next.end();
    };
    TermMap values;
    std::vector<Term> guards;
    for (Term part : conjuncts(terms_, step)) {
      std::optional<Definition> found = solve_for(terms_, part, [&](Term variable) {
        return is_next(variable) && !values.contains(variable);
      });
      if (found)
        values[found->variable] = found->value;
      else
        guards.push_back(part);
    }
    TermMap prime(next_of.begin(), next_of.end());
    Substitution to_next(terms_, std::move(prime));
    for (Term literal : after) guards.push_back(to_next.apply(literal));
    std::vector<Term> cube;
    for (Term literal : guards) {
      // Values may mention other next variables: repeats until none is left.
      for (std::size_t round = 0; round <= values.size(); ++round) {
        Term changed = substitute(terms_, literal, values);
        if (changed == literal) break;
        literal = changed;
      }
      for (Term part : conjuncts(terms_, literal))
        if (is_over(path.current, part) && !terms_.is_value(part)) cube.push_back(part);
    }
    std::sort(cube.begin(), cube.end());
    cube.erase(std::unique(cube.begin(), cube.end()), cube.end());
    return cube;
  }

  bool is_over(std::span<const Term> variables, Term formula) const {
    std::vector<Term> used = variables_of(terms_, formula);
    return std::all_of(used.begin(), used.end(), [&](Term variable) {
      return std::find(variables.begin(), variables.end(), variable) != variables.end();
    });
  }

  TermStore& terms_;
};

}  // namespace

std::unique_ptr<Interpolator> make_wp_interpolator(TermStore& terms) {
  return std::make_unique<WpInterpolator>(terms);
}

}  // namespace lem::smt
