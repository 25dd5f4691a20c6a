#include "term/smtlib/operators.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "term/smtlib/float_operators.h"
#include "term/smtlib/printer.h"

namespace lem::smtlib {

namespace {

using Args = std::span<const Term>;

/// What the arguments must be, and how they are brought to one sort.
enum class Signature : std::uint8_t {
  Bools,
  OneSort,   // any sort; Int becomes Real beside Real
  Choice,    // Bool, then OneSort
  Numbers,   // Int or Real, brought to one sort
  Ratio,     // Real; all but the first are constants other than 0
  Division,  // Int; all but the first are constants other than 0
  Ints,
  Reals,
  Vectors,   // bit-vectors of any widths
  OneWidth,  // bit-vectors of one width
  Select,
  Store,
};

constexpr std::size_t kAny = SIZE_MAX;

struct Row {
  std::string_view name;
  std::size_t min;
  std::size_t max;
  Signature signature;
  Term (*build)(TermStore& t, Args args);
};

template <Op op>
Term all(TermStore& t, Args args) {
  return t.make(op, args);
}
/// Left-associative.
template <Op op>
Term fold(TermStore& t, Args args) {
  Term result = args[0];
  for (Term arg : args.subspan(1)) result = t.make(op, {result, arg});
  return result;
}
using Binary = Term (TermStore::*)(Term, Term);
template <Binary binary>
Term fold_by(TermStore& t, Args args) {
  Term result = args[0];
  for (Term arg : args.subspan(1)) result = (t.*binary)(result, arg);
  return result;
}
/// a < b < c is a < b and b < c.
template <Binary binary>
Term chain(TermStore& t, Args args) {
  std::vector<Term> links;
  for (std::size_t i = 0; i + 1 < args.size(); ++i)
    links.push_back((t.*binary)(args[i], args[i + 1]));
  return t.make_and(links);
}
template <Op op>
Term negated(TermStore& t, Args args) {
  Term inner = t.make(op, {args[0], args[1]});
  return t.kind(inner) == SortKind::Bool ? t.make_not(inner) : t.make(Op::BvNot, {inner});
}
template <Op op>
Term swapped(TermStore& t, Args args) {
  return t.make(op, {args[1], args[0]});
}
template <Op op>
Term swapped_negated(TermStore& t, Args args) {
  return t.make_not(t.make(op, {args[1], args[0]}));
}

Term conjunction(TermStore& t, Args args) {
  return t.make_and(args);
}
Term disjunction(TermStore& t, Args args) {
  return t.make_or(args);
}
Term implication(TermStore& t, Args args) {  // right-associative
  Term result = args.back();
  for (std::size_t i = args.size() - 1; i-- > 0;) result = t.make_implies(args[i], result);
  return result;
}
Term distinct(TermStore& t, Args args) {
  return t.make_distinct(args);
}
Term minus(TermStore& t, Args args) {
  if (args.size() == 1) return t.make_neg(args[0]);
  return fold_by<&TermStore::make_sub>(t, args);
}
Term identity_or_sum(TermStore& t, Args args) {
  return args.size() == 1 ? args[0] : t.make(Op::Add, args);
}
Term identity_or_product(TermStore& t, Args args) {
  return args.size() == 1 ? args[0] : t.make(Op::Mul, args);
}
Term ratio(TermStore& t, Args args) {
  Term result = args[0];
  for (Term by : args.subspan(1)) result = t.make_mul(t.real(1 / t.real_value(by)), result);
  return result;
}
Term absolute(TermStore& t, Args args) {
  return t.make_ite(t.make_ge(args[0], t.integer(0)), args[0], t.make_neg(args[0]));
}
Term to_real(TermStore& t, Args args) {
  return t.make_to_real(args[0]);
}
Term is_int(TermStore& t, Args args) {
  return t.make_eq(args[0], t.make_to_real(t.make(Op::ToInt, {args[0]})));
}
Term bv_comp(TermStore& t, Args args) {
  return t.make_ite(t.make_eq(args[0], args[1]), t.bv(1, 1), t.bv(0, 1));
}

constexpr auto kOperators = std::to_array<Row>({
    {"not", 1, 1, Signature::Bools, all<Op::Not>},
    {"and", 0, kAny, Signature::Bools, conjunction},
    {"or", 0, kAny, Signature::Bools, disjunction},
    {"xor", 2, kAny, Signature::Bools, fold_by<&TermStore::make_xor>},
    {"=>", 2, kAny, Signature::Bools, implication},
    {"=", 2, kAny, Signature::OneSort, chain<&TermStore::make_eq>},
    {"distinct", 2, kAny, Signature::OneSort, distinct},
    {"ite", 3, 3, Signature::Choice, all<Op::Ite>},
    {"+", 1, kAny, Signature::Numbers, identity_or_sum},
    {"-", 1, kAny, Signature::Numbers, minus},
    {"*", 1, kAny, Signature::Numbers, identity_or_product},
    {"/", 2, kAny, Signature::Ratio, ratio},
    {"div", 2, kAny, Signature::Division, fold<Op::IntDiv>},
    {"mod", 2, 2, Signature::Division, all<Op::IntMod>},
    {"abs", 1, 1, Signature::Ints, absolute},
    {"<=", 2, kAny, Signature::Numbers, chain<&TermStore::make_le>},
    {"<", 2, kAny, Signature::Numbers, chain<&TermStore::make_lt>},
    {">=", 2, kAny, Signature::Numbers, chain<&TermStore::make_ge>},
    {">", 2, kAny, Signature::Numbers, chain<&TermStore::make_gt>},
    {"to_real", 1, 1, Signature::Numbers, to_real},
    {"to_int", 1, 1, Signature::Reals, all<Op::ToInt>},
    {"is_int", 1, 1, Signature::Reals, is_int},
    {"bvnot", 1, 1, Signature::OneWidth, all<Op::BvNot>},
    {"bvneg", 1, 1, Signature::OneWidth, all<Op::BvNeg>},
    {"bvand", 2, kAny, Signature::OneWidth, fold<Op::BvAnd>},
    {"bvor", 2, kAny, Signature::OneWidth, fold<Op::BvOr>},
    {"bvxor", 2, kAny, Signature::OneWidth, fold<Op::BvXor>},
    {"bvnand", 2, 2, Signature::OneWidth, negated<Op::BvAnd>},
    {"bvnor", 2, 2, Signature::OneWidth, negated<Op::BvOr>},
    {"bvxnor", 2, 2, Signature::OneWidth, negated<Op::BvXor>},
    {"bvadd", 2, kAny, Signature::OneWidth, fold<Op::BvAdd>},
    {"bvsub", 2, kAny, Signature::OneWidth, fold_by<&TermStore::make_bv_sub>},
    {"bvmul", 2, kAny, Signature::OneWidth, fold<Op::BvMul>},
    {"bvudiv", 2, 2, Signature::OneWidth, all<Op::BvUdiv>},
    {"bvurem", 2, 2, Signature::OneWidth, all<Op::BvUrem>},
    {"bvsdiv", 2, 2, Signature::OneWidth, all<Op::BvSdiv>},
    {"bvsrem", 2, 2, Signature::OneWidth, all<Op::BvSrem>},
    {"bvsmod", 2, 2, Signature::OneWidth, all<Op::BvSmod>},
    {"bvshl", 2, 2, Signature::OneWidth, all<Op::BvShl>},
    {"bvlshr", 2, 2, Signature::OneWidth, all<Op::BvLshr>},
    {"bvashr", 2, 2, Signature::OneWidth, all<Op::BvAshr>},
    {"bvult", 2, 2, Signature::OneWidth, all<Op::BvUlt>},
    {"bvugt", 2, 2, Signature::OneWidth, swapped<Op::BvUlt>},
    {"bvule", 2, 2, Signature::OneWidth, swapped_negated<Op::BvUlt>},
    {"bvuge", 2, 2, Signature::OneWidth, negated<Op::BvUlt>},
    {"bvslt", 2, 2, Signature::OneWidth, all<Op::BvSlt>},
    {"bvsgt", 2, 2, Signature::OneWidth, swapped<Op::BvSlt>},
    {"bvsle", 2, 2, Signature::OneWidth, swapped_negated<Op::BvSlt>},
    {"bvsge", 2, 2, Signature::OneWidth, negated<Op::BvSlt>},
    {"bvcomp", 2, 2, Signature::OneWidth, bv_comp},
    {"concat", 2, kAny, Signature::Vectors, fold<Op::BvConcat>},
    {"select", 2, 2, Signature::Select, all<Op::Select>},
    {"store", 3, 3, Signature::Store, all<Op::Store>},
});

const Row* find_row(std::string_view name) {
  const auto* at = std::find_if(kOperators.begin(), kOperators.end(),
                                [&](const Row& r) { return r.name == name; });
  return at == kOperators.end() ? nullptr : at;
}

Error bad(std::string message) {
  return {{}, std::move(message), ErrorKind::BadInput};
}

/// The arguments of one application while they are checked and coerced.
class Checker {
 public:
  Checker(TermStore& terms, std::string_view name, Args args)
      : t_(terms), name_(name), args_(args.begin(), args.end()) {}

  Args args() const { return args_; }
  Status check(const Row& row);

 private:
  std::string found(Term arg) const { return ", found " + sort_text(t_, t_.sort(arg)); }
  Status every(SortKind kind, const char* what, std::size_t from = 0) {
    for (std::size_t i = from; i < args_.size(); ++i)
      if (t_.kind(args_[i]) != kind) return expects(what, args_[i]);
    return Ok{};
  }
  Error expects(const std::string& what, Term arg) const {
    return bad("'" + std::string(name_) + "' expects " + what + found(arg));
  }
  Status one_sort(std::size_t from);
  Status numbers();
  Status constant_divisors();
  Status width_limit();
  Status fits(std::size_t i, Sort sort, const char* what);

  TermStore& t_;
  std::string_view name_;
  std::vector<Term> args_;
};

Status Checker::check(const Row& row) {
  if (args_.size() < row.min || args_.size() > row.max) {
    std::string wanted =
        row.max == kAny ? "at least " + std::to_string(row.min) : std::to_string(row.min);
    return bad("'" + std::string(name_) + "' expects " + wanted + " argument" +
               (row.min == 1 ? "" : "s") + ", found " + std::to_string(args_.size()));
  }
  switch (row.signature) {
    case Signature::Bools:
      return every(SortKind::Bool, "Bool");
    case Signature::OneSort:
      return one_sort(0);
    case Signature::Choice:
      if (t_.kind(args_[0]) != SortKind::Bool) return expects("a Bool condition", args_[0]);
      return one_sort(1);
    case Signature::Numbers:
      return numbers();
    case Signature::Ratio:
      if (Status ok = numbers(); !ok) return ok;
      for (Term& arg : args_) arg = t_.make_to_real(arg);
      return constant_divisors();
    case Signature::Division:
      if (Status ok = every(SortKind::Int, "Int"); !ok) return ok;
      return constant_divisors();
    case Signature::Ints:
      return every(SortKind::Int, "Int");
    case Signature::Reals:
      if (Status ok = numbers(); !ok) return ok;
      for (Term& arg : args_) arg = t_.make_to_real(arg);
      return Ok{};
    case Signature::Vectors:
      if (Status ok = every(SortKind::BitVec, "bit-vectors"); !ok) return ok;
      return width_limit();
    case Signature::OneWidth:
      if (Status ok = every(SortKind::BitVec, "bit-vectors"); !ok) return ok;
      return one_sort(0);
    case Signature::Select:
    case Signature::Store: {
      if (t_.kind(args_[0]) != SortKind::Array) return expects("an array", args_[0]);
      Sort array = t_.sort(args_[0]);
      if (Status ok = fits(1, t_.index_sort(array), "an index of sort "); !ok) return ok;
      if (row.signature == Signature::Select) return Ok{};
      return fits(2, t_.element_sort(array), "an element of sort ");
    }
  }
  unreachable();
}

Status Checker::fits(std::size_t i, Sort sort, const char* what) {
  Term arg = coerce(t_, args_[i], sort);
  if (!arg) return expects(what + sort_text(t_, sort), args_[i]);
  args_[i] = arg;
  return Ok{};
}

Status Checker::one_sort(std::size_t from) {
  Sort wanted = t_.sort(args_[from]);
  for (std::size_t i = from; i < args_.size(); ++i)
    if (t_.kind(args_[i]) == SortKind::Real) wanted = t_.real_sort();
  for (std::size_t i = from; i < args_.size(); ++i) {
    Term arg = coerce(t_, args_[i], wanted);
    if (!arg)
      return bad("'" + std::string(name_) + "' expects arguments of one sort, found " +
                 sort_text(t_, t_.sort(args_[i])) + " beside " + sort_text(t_, wanted));
    args_[i] = arg;
  }
  return Ok{};
}

Status Checker::numbers() {
  for (Term arg : args_)
    if (!t_.is_numeric(t_.sort(arg))) return expects("numbers", arg);
  return one_sort(0);
}

Status Checker::constant_divisors() {
  for (std::size_t i = 1; i < args_.size(); ++i) {
    if (!t_.is_value(args_[i]))
      return bad("unsupported: '" + std::string(name_) + "' by a term that is no constant");
    if (t_.number_value(args_[i]) == 0)
      return bad("unsupported: '" + std::string(name_) + "' by zero");
  }
  return Ok{};
}

Status Checker::width_limit() {
  std::uint64_t width = 0;
  for (Term arg : args_) width += t_.width(arg);
  if (width > kMaxWidth)
    return bad("unsupported: a bit-vector of " + std::to_string(width) + " bits");
  return Ok{};
}

struct IndexedCall {
  TermStore& t;
  std::string_view name;
  std::span<const std::uint32_t> indices;
  Term arg;
};

Result<Term> extract(const IndexedCall& call) {
  std::uint32_t high = call.indices[0];
  std::uint32_t low = call.indices[1];
  if (high < low || high >= call.t.width(call.arg))
    return bad("cannot extract bits " + std::to_string(high) + " to " + std::to_string(low) +
               " of " + std::to_string(call.t.width(call.arg)) + " bits");
  return call.t.make_extract(call.arg, high, low);
}

Result<Term> extend(const IndexedCall& call) {
  std::uint32_t by = call.indices[0];
  if (by == 0) return call.arg;
  if (by > kMaxWidth - call.t.width(call.arg))
    return bad("unsupported: extension by " + std::to_string(by) + " bits");
  return call.t.make(call.name == "zero_extend" ? Op::BvZeroExtend : Op::BvSignExtend, {call.arg},
                     by);
}

Result<Term> repeat(const IndexedCall& call) {
  std::uint32_t times = call.indices[0];
  if (times == 0) return bad("'repeat' expects a positive number");
  if (times > kMaxWidth / call.t.width(call.arg))
    return bad("unsupported: repetition of " + std::to_string(times) + " times");
  // By doubling: a constant that is repeated often would otherwise cost the square of its width.
  Term result{};
  for (Term power = call.arg;; power = call.t.make_concat(power, power)) {
    if (times % 2 == 1) result = result ? call.t.make_concat(power, result) : power;
    times /= 2;
    if (times == 0) return result;
  }
}

Result<Term> rotate(const IndexedCall& call) {
  if (call.name == "rotate_left") return call.t.make_rotate_left(call.arg, call.indices[0]);
  return call.t.make_rotate_right(call.arg, call.indices[0]);
}

struct IndexedRow {
  std::string_view name;
  std::size_t indices;
  Result<Term> (*build)(const IndexedCall& call);
};

constexpr auto kIndexed = std::to_array<IndexedRow>({
    {"extract", 2, extract},
    {"zero_extend", 1, extend},
    {"sign_extend", 1, extend},
    {"rotate_left", 1, rotate},
    {"rotate_right", 1, rotate},
    {"repeat", 1, repeat},
});

}  // namespace

bool is_operator(std::string_view name) {
  return find_row(name) != nullptr || is_float_operator(name);
}

Term coerce(TermStore& terms, Term term, Sort sort) {
  if (terms.sort(term) == sort) return term;
  if (terms.kind(sort) == SortKind::Real && terms.kind(term) == SortKind::Int)
    return terms.make_to_real(term);
  return {};
}

Result<Term> apply_operator(TermStore& terms, std::string_view name, std::span<const Term> args,
                            std::optional<Rounding> rounding) {
  if (is_float_operator(name)) return apply_float(terms, {name, {}, rounding, args});
  if (rounding) return bad("'" + std::string(name) + "' has no rounding mode");
  const Row* row = find_row(name);
  if (row == nullptr) return bad("unknown function '" + std::string(name) + "'");
  Checker checker(terms, name, args);
  if (Status ok = checker.check(*row); !ok) return ok.error();
  return row->build(terms, checker.args());
}

Result<Term> apply_indexed(TermStore& terms, std::string_view name,
                           std::span<const std::uint32_t> indices, std::span<const Term> args,
                           std::optional<Rounding> rounding) {
  if (is_float_operator(name)) return apply_float(terms, {name, indices, rounding, args});
  if (rounding) return bad("'" + std::string(name) + "' has no rounding mode");
  const auto* row =
      std::find_if(kIndexed.begin(), kIndexed.end(), [&](const auto& r) { return r.name == name; });
  if (row == kIndexed.end())
    return bad("unsupported: indexed function '" + std::string(name) + "'");
  if (indices.size() != row->indices)
    return bad("'" + std::string(name) + "' expects " + std::to_string(row->indices) +
               (row->indices == 1 ? " index" : " indices") + ", found " +
               std::to_string(indices.size()));
  if (args.size() != 1)
    return bad("'" + std::string(name) + "' expects 1 argument, found " +
               std::to_string(args.size()));
  if (terms.kind(args[0]) != SortKind::BitVec)
    return bad("'" + std::string(name) + "' expects a bit-vector, found " +
               sort_text(terms, terms.sort(args[0])));
  return row->build({terms, name, indices, args[0]});
}

}  // namespace lem::smtlib
