// All rules at once: random terms are built twice, over variables and over values of the variables.
// Evaluating the first must give the second, which no rule but folding has seen.
#include <gtest/gtest.h>

#include <random>

#include "unit/term/rule_support.h"

namespace lem {
namespace {

constexpr std::size_t kModels = 8;

struct Twin {
  Term term;
  std::array<Term, kModels> values;
};

class RandomTerms {
 public:
  explicit RandomTerms(unsigned seed) : random_(seed) {
    std::vector<TermMap> models;
    for (std::size_t i = 0; i < kModels; ++i) {
      models.push_back(scope_.values(random_));
      substitutions_.emplace_back(t_, models.back());
    }
    for (Term var : scope_.vars) {
      Twin twin{var, {}};
      for (std::size_t i = 0; i < kModels; ++i) twin.values[i] = models[i].at(var);
      pool_.push_back(twin);
    }
    for (Term value : {t_.integer(0),
                       t_.integer(1),
                       t_.integer(2),
                       t_.integer(-3),
                       t_.real(0),
                       t_.real(mpq_class(1, 2)),
                       t_.bv(0, 8),
                       t_.bv(1, 8),
                       t_.bv(2, 8),
                       t_.bv(-1, 8),
                       t_.bv(127, 8),
                       t_.bv(128, 8),
                       t_.bv(8, 8),
                       t_.bv(0, 1),
                       t_.bv(1, 1),
                       t_.bv(0, 4),
                       t_.bv(8, 4),
                       t_.bv(2, 4),
                       t_.boolean(true),
                       t_.number(1, t_.float_sort({3, 4})),
                       t_.number(-1, t_.float_sort({3, 4})),
                       t_.number(0, t_.float_sort({3, 4})),
                       t_.floating(FloatValue::zero({3, 4}, true)),
                       t_.floating(FloatValue::nan({3, 4})),
                       t_.floating(FloatValue::infinity({3, 4}, true))}) {
      Twin twin{value, {}};
      twin.values.fill(value);
      pool_.push_back(twin);
    }
  }

  void step() {
    static constexpr Op kFirst = Op::Eq;
    Op op = static_cast<Op>(
        static_cast<unsigned>(kFirst) +
        pick(static_cast<unsigned>(Op::FpToUnsigned) - static_cast<unsigned>(kFirst) + 1));
    std::vector<Twin> args{any()};
    std::uint32_t p0 = 0;
    std::uint32_t p1 = 0;
    if (!complete(op, args, p0, p1)) return;
    Twin made{make(op, args, p0, p1, [](const Twin& arg) { return arg.term; }), {}};
    for (std::size_t i = 0; i < kModels; ++i) {
      made.values[i] = make(op, args, p0, p1, [&](const Twin& arg) { return arg.values[i]; });
      ASSERT_EQ(substitutions_[i].apply(made.term), made.values[i])
          << smtlib::term_text(t_, made.term);
    }
    pool_.push_back(made);
  }

 private:
  unsigned pick(std::size_t bound) { return static_cast<unsigned>(random_() % bound); }
  /// New terms more often than old ones.
  const Twin& any() {
    std::size_t recent = std::min<std::size_t>(pool_.size(), 40);
    return pick(2) == 0 ? pool_[pick(pool_.size())] : pool_[pool_.size() - 1 - pick(recent)];
  }
  bool add(Sort sort, std::vector<Twin>& args) {
    for (int tries = 0; tries < 50; ++tries) {
      const Twin& found = any();
      if (t_.sort(found.term) != sort) continue;
      args.push_back(found);
      return true;
    }
    return false;
  }
  template <class Which>
  Term make(Op op, const std::vector<Twin>& args, std::uint32_t p0, std::uint32_t p1, Which which) {
    std::vector<Term> terms;
    for (const Twin& arg : args) terms.push_back(which(arg));
    return t_.make(op, terms, p0, p1);
  }
  bool complete(Op op, std::vector<Twin>& args, std::uint32_t& p0, std::uint32_t& p1) {
    Sort sort = t_.sort(args[0].term);
    SortKind kind = t_.kind(sort);
    bool is_bv = kind == SortKind::BitVec;
    switch (op) {
      case Op::Eq:
        return add(sort, args);
      case Op::Ite:
        return kind == SortKind::Bool && add(t_.sort(any().term), args) &&
               add(t_.sort(args[1].term), args);
      case Op::Not:
        return kind == SortKind::Bool;
      case Op::And:
      case Op::Or:
        return kind == SortKind::Bool && add(sort, args) && (pick(2) == 0 || add(sort, args));
      case Op::BvNot:
      case Op::BvNeg:
        return is_bv;
      case Op::BvConcat:
        return is_bv && t_.width(sort) == 4 && add(sort, args);
      case Op::BvExtract: {
        if (!is_bv) return false;
        static constexpr std::array<std::uint32_t, 3> kWidths{1, 4, 8};
        std::uint32_t width = kWidths[pick(3)];
        if (width > t_.width(sort)) return false;
        p1 = pick(t_.width(sort) - width + 1);
        p0 = p1 + width - 1;
        return true;
      }
      case Op::BvZeroExtend:
      case Op::BvSignExtend:
        if (!is_bv || t_.width(sort) == 8) return false;
        p0 = t_.width(sort) == 1 ? (pick(2) == 0 ? 3 : 7) : 4;
        return true;
      case Op::Add:
      case Op::Le:
      case Op::Lt:
        return t_.is_numeric(sort) && add(sort, args);
      case Op::Mul:  // rarely, or numbers explode
        return t_.is_numeric(sort) && pick(4) == 0 && add(sort, args);
      case Op::IntDiv:
      case Op::IntMod: {
        Twin divisor{t_.integer(static_cast<int>(pick(5)) - 5), {}};
        divisor.values.fill(divisor.term);
        args.push_back(divisor);
        return kind == SortKind::Int;
      }
      case Op::ToReal:
        return kind == SortKind::Int;
      case Op::ToInt:
        return kind == SortKind::Real;
      case Op::Select:
        return kind == SortKind::Array && add(t_.index_sort(sort), args);
      case Op::Store:
        return kind == SortKind::Array && add(t_.index_sort(sort), args) &&
               add(t_.element_sort(sort), args);
      case Op::ConstArray:
      case Op::FpValue:
        return false;
      default:
        return op > Op::FpValue ? complete_float(op, args, p0, p1) : is_bv && add(sort, args);
    }
  }
  bool complete_float(Op op, std::vector<Twin>& args, std::uint32_t& p0, std::uint32_t& p1) {
    static constexpr FloatFormat kFormat{3, 4};
    Sort sort = t_.sort(args[0].term);
    bool is_float = t_.kind(sort) == SortKind::Float;
    p0 = pick(kRoundings);
    switch (op) {
      case Op::FpNeg:
      case Op::FpAbs:
        p0 = 0;
        return is_float;
      case Op::FpSqrt:
      case Op::FpRound:
        return is_float;
      case Op::FpEq:
      case Op::FpLe:
      case Op::FpLt:
        p0 = 0;
        return is_float && add(sort, args);
      case Op::FpAdd:
      case Op::FpMul:
      case Op::FpDiv:
        return is_float && add(sort, args);
      case Op::FpToFp:
        p1 = p0;
        p0 = (pick(2) == 0 ? kFormat : FloatFormat{2, 3}).packed();
        return is_float;
      case Op::FpFromSigned:
      case Op::FpFromUnsigned:
        p1 = p0;
        p0 = kFormat.packed();
        return t_.kind(sort) == SortKind::BitVec;
      case Op::FpToSigned:
      case Op::FpToUnsigned:
        p0 = pick(2) == 0 ? 4 : 8;
        return is_float;
      default:
        return false;  // no seven bits to make a float from
    }
  }

  std::mt19937 random_;
  RuleScope scope_;
  TermStore& t_ = scope_.t;
  std::vector<Substitution> substitutions_;
  std::vector<Twin> pool_;
};

TEST(RewriteRandom, TermsKeepTheirMeaning) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    RandomTerms terms(seed);
    for (int i = 0; i < 1500; ++i) {
      ASSERT_NO_FATAL_FAILURE(terms.step()) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace lem
