#include "term/term_store.h"

#include <algorithm>
#include <cassert>

#include "term/rewrite.h"

namespace lem {

TermStore::TermStore() {
  for (SortKind kind : {SortKind::Bool, SortKind::Bool, SortKind::Int, SortKind::Real})
    sorts_.push_back({kind, 0, {}, {}});                              // the first is no sort
  nodes_.push_back({Op::Variable, false, Sort(), 0, 0, 0, nullptr});  // id 0: no term
  table_.assign(1 << 10, 0);
  false_ = intern_leaf(Op::BoolValue, bool_sort(), 0);
  true_ = intern_leaf(Op::BoolValue, bool_sort(), 1);
}

TermStore::~TermStore() = default;

Sort TermStore::bv_sort(std::uint32_t width) {
  assert(width > 0 && "a bit-vector has at least one bit");
  for (std::uint32_t id = 4; id < sorts_.size(); ++id)
    if (sorts_[id].kind == SortKind::BitVec && sorts_[id].width == width) return Sort(id);
  sorts_.push_back({SortKind::BitVec, width, {}, {}});
  return Sort(static_cast<std::uint32_t>(sorts_.size() - 1));
}

Sort TermStore::array_sort(Sort index, Sort element) {
  for (std::uint32_t id = 4; id < sorts_.size(); ++id)
    if (sorts_[id].kind == SortKind::Array && sorts_[id].index == index &&
        sorts_[id].element == element)
      return Sort(id);
  sorts_.push_back({SortKind::Array, 0, index, element});
  return Sort(static_cast<std::uint32_t>(sorts_.size() - 1));
}

Sort TermStore::float_sort(FloatFormat format) {
  assert(format.is_supported() && "too many bits, or too few");
  for (std::uint32_t id = 4; id < sorts_.size(); ++id)
    if (sorts_[id].kind == SortKind::Float && sorts_[id].format == format) return Sort(id);
  sorts_.push_back({SortKind::Float, 0, {}, {}, format});
  return Sort(static_cast<std::uint32_t>(sorts_.size() - 1));
}

FloatFormat TermStore::format(Sort floats) const {
  assert(kind(floats) == SortKind::Float && "only floats have a format");
  return sorts_[floats.id_].format;
}

std::uint32_t TermStore::width(Sort bv) const {
  assert(kind(bv) == SortKind::BitVec && "only bit-vectors have a width");
  return sorts_[bv.id_].width;
}

Sort TermStore::index_sort(Sort array) const {
  assert(kind(array) == SortKind::Array && "not an array");
  return sorts_[array.id_].index;
}

Sort TermStore::element_sort(Sort array) const {
  assert(kind(array) == SortKind::Array && "not an array");
  return sorts_[array.id_].element;
}

// Leaves ------------------------------------------------------------------------------------------

Term TermStore::variable(std::string_view name, Sort sort) {
  std::string key = "v" + std::to_string(sort.id_) + ":" + std::string(name);
  auto [at, added] = leaves_.try_emplace(std::move(key));
  if (!added) return at->second;
  names_.emplace_back(name);
  at->second = intern_leaf(Op::Variable, sort, static_cast<std::uint32_t>(names_.size() - 1));
  return at->second;
}

Term TermStore::fresh(std::string_view prefix, Sort sort) {
  while (true) {
    std::string name = std::string(prefix) + "!" + std::to_string(fresh_++);
    std::size_t before = nodes_.size();
    Term made = variable(name, sort);
    if (nodes_.size() != before) return made;
  }
}

Term TermStore::bv(const mpz_class& value, std::uint32_t width) {
  mpz_class reduced;
  mpz_fdiv_r_2exp(reduced.get_mpz_t(), value.get_mpz_t(), width);
  std::string key = "b" + std::to_string(width) + ":" + reduced.get_str(62);
  auto [at, added] = leaves_.try_emplace(std::move(key));
  if (!added) return at->second;
  integers_.push_back(reduced);
  Term made =
      intern_leaf(Op::BvValue, bv_sort(width), static_cast<std::uint32_t>(integers_.size() - 1));
  return at->second = made;
}

Term TermStore::integer(const mpz_class& value) {
  auto [at, added] = leaves_.try_emplace("i" + value.get_str(62));
  if (!added) return at->second;
  integers_.push_back(value);
  return at->second = intern_leaf(Op::IntValue, int_sort(),
                                  static_cast<std::uint32_t>(integers_.size() - 1));
}

Term TermStore::real(const mpq_class& value) {
  mpq_class canonical = value;
  canonical.canonicalize();
  auto [at, added] = leaves_.try_emplace("r" + canonical.get_str(62));
  if (!added) return at->second;
  reals_.push_back(canonical);
  return at->second =
             intern_leaf(Op::RealValue, real_sort(), static_cast<std::uint32_t>(reals_.size() - 1));
}

Term TermStore::floating(const FloatValue& value) {
  std::string key = "f" + std::to_string(value.format().packed()) + ":" + value.bits().get_str(62);
  auto [at, added] = leaves_.try_emplace(std::move(key));
  if (!added) return at->second;
  integers_.push_back(value.bits());
  Term made = intern_leaf(Op::FpValue, float_sort(value.format()),
                          static_cast<std::uint32_t>(integers_.size() - 1));
  return at->second = made;
}

Term TermStore::number(const mpq_class& value, Sort sort) {
  if (kind(sort) == SortKind::Real) return real(value);
  if (kind(sort) == SortKind::Float)
    return floating(FloatValue::rounded(format(sort), value, Rounding::NearestEven));
  assert(value.get_den() == 1 && "not an integral number");
  if (kind(sort) == SortKind::Int) return integer(value.get_num());
  return bv(value.get_num(), width(sort));
}

Term TermStore::default_value(Sort sort) {
  switch (kind(sort)) {
    case SortKind::Bool:
      return false_;
    case SortKind::BitVec:
    case SortKind::Int:
    case SortKind::Real:
    case SortKind::Float:
      return number(0, sort);
    case SortKind::Array:
      return make_const_array(sort, default_value(element_sort(sort)));
  }
  return {};
}

// Applications ------------------------------------------------------------------------------------

Term TermStore::make(Op op, std::span<const Term> args, std::uint32_t p0, std::uint32_t p1) {
  return Rewriter(*this).make(op, args, p0, p1);
}

Term TermStore::make_and(std::span<const Term> args) {
  return args.empty() ? true_ : args.size() == 1 ? args[0] : make(Op::And, args);
}

Term TermStore::make_or(std::span<const Term> args) {
  return args.empty() ? false_ : args.size() == 1 ? args[0] : make(Op::Or, args);
}

Term TermStore::make_distinct(std::span<const Term> args) {
  std::vector<Term> pairs;
  for (std::size_t i = 0; i < args.size(); ++i)
    for (std::size_t j = i + 1; j < args.size(); ++j)
      pairs.push_back(make_not(make_eq(args[i], args[j])));
  return make_and(pairs);
}

Term TermStore::make_neg(Term a) {
  return make_mul(number(-1, sort(a)), a);
}

Term TermStore::make_to_real(Term a) {
  return kind(a) == SortKind::Real ? a : make(Op::ToReal, {a});
}

Term TermStore::make_rotate_left(Term a, std::uint32_t by) {
  std::uint32_t n = width(a);
  by %= n;
  if (by == 0) return a;
  return make_concat(make_extract(a, n - by - 1, 0), make_extract(a, n - 1, n - by));
}

Term TermStore::make_rotate_right(Term a, std::uint32_t by) {
  return make_rotate_left(a, width(a) - by % width(a));
}

Term TermStore::make_const_array(Sort array, Term value) {
  assert(sort(value) == element_sort(array) && "the value must fit the array");
  return intern(Op::ConstArray, array, {&value, 1}, 0, 0);
}

// Looking at terms --------------------------------------------------------------------------------

const std::string& TermStore::name(Term variable) const {
  assert(is_variable(variable) && "only variables have names");
  return names_[nodes_[variable.id_].p0];
}

const mpz_class& TermStore::integer_value(Term t) const {
  assert((op(t) == Op::BvValue || op(t) == Op::IntValue) && "not an integral value");
  return integers_[nodes_[t.id_].p0];
}

const mpq_class& TermStore::real_value(Term t) const {
  assert(op(t) == Op::RealValue && "not a Real value");
  return reals_[nodes_[t.id_].p0];
}

FloatValue TermStore::float_value(Term t) const {
  assert(op(t) == Op::FpValue && "not a float");
  return {format(sort(t)), integers_[nodes_[t.id_].p0]};
}

mpq_class TermStore::number_value(Term t) const {
  return op(t) == Op::RealValue ? real_value(t) : mpq_class(integer_value(t));
}

mpz_class TermStore::signed_value(Term bv) const {
  const mpz_class& value = integer_value(bv);
  if (mpz_tstbit(value.get_mpz_t(), width(bv) - 1) == 0) return value;
  return value - (mpz_class(1) << width(bv));
}

// Hash-consing ------------------------------------------------------------------------------------

static std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  return (hash ^ value) * 0x9E3779B97F4A7C15ULL;
}

static std::size_t hash_node(Op op, std::uint32_t sort, std::span<const Term> args,
                             std::uint32_t p0, std::uint32_t p1) {
  std::uint64_t hash = mix(static_cast<std::uint64_t>(op) << 32 | sort, 0x51ED270B);
  hash = mix(hash, static_cast<std::uint64_t>(p0) << 32 | p1);
  for (Term arg : args) hash = mix(hash ^ (hash >> 29), arg.id());
  return static_cast<std::size_t>(hash ^ (hash >> 32));
}

const Term* TermStore::keep(std::span<const Term> args) {
  if (args.empty()) return nullptr;
  if (block_used_ + args.size() > block_size_) {
    block_size_ = std::max<std::size_t>(4096, args.size());
    blocks_.push_back(std::make_unique<Term[]>(block_size_));
    block_used_ = 0;
  }
  Term* at = blocks_.back().get() + block_used_;
  std::copy(args.begin(), args.end(), at);
  block_used_ += args.size();
  return at;
}

Term TermStore::intern_leaf(Op op, Sort sort, std::uint32_t p0) {
  nodes_.push_back({op, op != Op::Variable, sort, p0, 0, 0, nullptr});
  return Term(static_cast<std::uint32_t>(nodes_.size() - 1));
}

Term TermStore::intern(Op op, Sort sort, std::span<const Term> args, std::uint32_t p0,
                       std::uint32_t p1) {
  std::size_t mask = table_.size() - 1;
  std::size_t at = hash_node(op, sort.id_, args, p0, p1) & mask;
  for (; table_[at] != 0; at = (at + 1) & mask) {
    const Node& node = nodes_[table_[at]];
    if (node.op == op && node.sort == sort && node.p0 == p0 && node.p1 == p1 &&
        std::equal(args.begin(), args.end(), node.args, node.args + node.size))
      return Term(table_[at]);
  }
  bool values = op == Op::ConstArray || op == Op::Store;
  for (Term arg : args) values = values && is_value(arg);
  auto id = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({op, values, sort, p0, p1, static_cast<std::uint32_t>(args.size()), keep(args)});
  table_[at] = id;
  if (nodes_.size() * 2 > table_.size()) grow_table();
  return Term(id);
}

void TermStore::grow_table() {
  std::vector<std::uint32_t> bigger(table_.size() * 4, 0);
  std::size_t mask = bigger.size() - 1;
  for (std::uint32_t id : table_) {
    if (id == 0) continue;
    const Node& node = nodes_[id];
    std::size_t at =
        hash_node(node.op, node.sort.id_, {node.args, node.size}, node.p0, node.p1) & mask;
    while (bigger[at] != 0) at = (at + 1) & mask;
    bigger[at] = id;
  }
  table_ = std::move(bigger);
}

}  // namespace lem
