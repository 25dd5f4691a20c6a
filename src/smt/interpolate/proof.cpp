// Sequence interpolants of linear arithmetic from one proof of our own solver (src/arith). Every
// part of the path has an encoder of its own over the terms as they are: X and X' are mapped to the
// columns of the cuts on either side, and all else is local to the part. No term is copied.
//
// Integers: branches alone are local to a part by construction; a path that needs more than the
// limit of branches is refused, and the caller asks another source.
#include <cassert>

#include "arith/encoder.h"
#include "arith/interpolant.h"
#include "smt/interpolate/interpolator.h"

namespace lem::smt {

namespace {

using arith::Variables;

class ProofInterpolator final : public Interpolator {
 public:
  ProofInterpolator(TermStore& terms, std::stop_token stop, std::uint32_t milliseconds,
                    arith::System system)
      : terms_(terms),
        support_(terms),
        stop_(std::move(stop)),
        milliseconds_(milliseconds),
        system_(system) {}

  std::string_view name() const override { return "proof"; }

  std::optional<Sequence> interpolate(const Path& path) override {
    if (!is_supported(path)) return {};
    arith::Dpllt solver(arith::Dpllt::Proofs::Yes);
    solver.set_stop(stop_);
    solver.limit_time(milliseconds_ / 1000.0);
    const std::size_t cuts = path.steps.size() + 1;
    std::vector<Variables> at_cut(cuts);  // columns and literals of X
    for (Variables& each : at_cut) make_variables(solver, path.current, each);
    auto assert_part = [&](std::size_t part, Term formula, const Variables& before,
                           const Variables* after) {
      Variables local = before;
      if (after != nullptr) rename(path, *after, local);
      arith::Encoder encoder(terms_, solver, local, static_cast<std::uint32_t>(part));
      encoder.assert_formula(formula);
    };
    assert_part(0, path.first, at_cut[0], nullptr);
    for (std::size_t i = 0; i < path.steps.size(); ++i)
      assert_part(i + 1, path.steps[i], at_cut[i], &at_cut[i + 1]);
    assert_part(cuts, path.last, at_cut[cuts - 1], nullptr);
    if (solver.solve({}) != arith::Answer::Unsat) return {};
    Sequence sequence = arith::interpolate(terms_, solver, vocabulary(solver, path, at_cut),
                                           static_cast<std::uint32_t>(cuts), system_);
    LEM_CHECKED(is_interpolant_sequence(terms_, path, sequence, stop_) || stop_.stop_requested(),
                "interpolants of a proof must be interpolants");
    return sequence;
  }

 private:
  bool is_supported(const Path& path) {
    for (Term variable : path.current)
      if (!support_(variable)) return false;
    for (Term step : path.steps)
      if (!support_(step)) return false;
    return support_(path.first) && support_(path.last);
  }

  void make_variables(arith::Dpllt& solver, std::span<const Term> all, Variables& into) {
    arith::Encoder encoder(terms_, solver, into);
    for (Term variable : all) {
      if (terms_.kind(variable) == SortKind::Bool)
        encoder.boolean(variable);
      else
        encoder.column(variable);
    }
  }

  /// X' of `local` is X of `after`.
  void rename(const Path& path, const Variables& after, Variables& local) {
    for (std::size_t i = 0; i < path.current.size(); ++i) {
      if (terms_.kind(path.current[i]) == SortKind::Bool)
        Variables::set(local.booleans, path.next[i], after.boolean(path.current[i]));
      else
        Variables::set(local.columns, path.next[i], after.column(path.current[i]));
    }
  }

  arith::Vocabulary vocabulary(const arith::Dpllt& solver, const Path& path,
                               const std::vector<Variables>& at_cut) {
    arith::Vocabulary result;
    result.booleans.resize(solver.num_vars());
    result.columns.resize(solver.simplex().columns());
    for (const Variables& each : at_cut)
      for (Term variable : path.current) {
        if (terms_.kind(variable) == SortKind::Bool)
          result.booleans[each.boolean(variable)] = variable;
        else
          result.columns[each.column(variable)] = variable;
      }
    return result;
  }

  TermStore& terms_;
  arith::Support support_;
  std::stop_token stop_;
  std::uint32_t milliseconds_;
  arith::System system_;
};

}  // namespace

std::unique_ptr<Interpolator> make_proof_interpolator(TermStore& terms, std::stop_token stop,
                                                      std::uint32_t milliseconds,
                                                      arith::System system) {
  return std::make_unique<ProofInterpolator>(terms, std::move(stop), milliseconds, system);
}

}  // namespace lem::smt
