#include "transform/cfa/value_classes.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace lem::transform {

Partition::Partition(const TermStore& terms, Sort sort, bool prefer_signed)
    : sort_(sort),
      bits_(terms.kind(sort) == SortKind::BitVec ? terms.width(sort) : 0),
      signed_(prefer_signed && bits_ > 0) {
  if (bits_ == 0) return;
  mpz_ui_pow_ui(half_.get_mpz_t(), 2, bits_ - 1);
  count_ = 2 * half_;
}

mpz_class Partition::key(const mpz_class& value) const {
  if (!signed_) return value;
  return value < half_ ? mpz_class(value + half_) : mpz_class(value - half_);
}

mpz_class Partition::value(const mpz_class& key) const {
  return Partition::key(key);  // half a turn: its own inverse
}

/// One interval of keys, or two: as signed bits, an unsigned interval starts anew in the middle.
std::vector<HalfOpenInterval> Partition::keys_inside(const Comparison& comparison) const {
  if (bits_ == 0) return {comparison.inside};
  if (comparison.order == Comparison::Order::Equality) {
    mpz_class only = key(*comparison.inside.low);
    return {{only, only + 1}};
  }
  bool is_signed = comparison.order == Comparison::Order::Signed;
  mpz_class offset = is_signed ? half_ : mpz_class(0);
  mpz_class low = comparison.inside.low ? mpz_class(*comparison.inside.low + offset) : 0;
  mpz_class high = comparison.inside.high ? mpz_class(*comparison.inside.high + offset) : count_;
  if (is_signed == signed_) return {{low, high}};
  std::vector<HalfOpenInterval> keys;
  if (low < half_) keys.push_back({low + half_, std::min(high, half_) + half_});
  if (high > half_) keys.push_back({std::max(low, half_) - half_, high - half_});
  return keys;
}

void Partition::cut_at(const Comparison& comparison) {
  auto cut = [&](const std::optional<mpz_class>& key) {
    if (key && (bits_ == 0 || (*key > 0 && *key < count_))) pending_.insert(*key);
  };
  for (const HalfOpenInterval& keys : keys_inside(comparison)) {
    cut(keys.low);
    cut(keys.high);
  }
}

void Partition::separate(const std::set<mpz_class>& constants) {
  std::set<mpz_class> keys;
  for (const mpz_class& constant : constants) keys.insert(key(constant));
  auto alone = [&](auto one, auto other) {
    auto cut = pending_.upper_bound(*one);
    return cut != pending_.end() && *cut <= *other;
  };
  for (auto each = keys.begin(); each != keys.end(); ++each)
    if (each != keys.begin() && !alone(std::prev(each), each)) pending_.insert(*each);
  cuts_.assign(pending_.begin(), pending_.end());
  constant_.resize(size());
  for (const mpz_class& each : keys) constant_[number_of_key(each)] = each;
}

std::uint32_t Partition::width() const {
  std::uint32_t width = 1;
  while (size() > (std::size_t{1} << width)) ++width;
  return width;
}

std::size_t Partition::number_of_key(const mpz_class& key) const {
  return static_cast<std::size_t>(std::upper_bound(cuts_.begin(), cuts_.end(), key) -
                                  cuts_.begin());
}

std::size_t Partition::number_of(const mpz_class& value) const {
  return number_of_key(key(value));
}

Term Partition::representative(TermStore& terms, const mpz_class& number) const {
  std::size_t i = number < size() ? number.get_ui() : size() - 1;
  mpz_class chosen = 0;
  if (constant_[i])
    chosen = *constant_[i];
  else if (!cuts_.empty())
    chosen = i == 0 ? mpz_class(cuts_[0] - 1) : cuts_[i - 1];
  return terms.number(value(chosen), sort_);
}

/// Numbers from size() on are in the last interval, so its upper bound is never asked for.
Term Partition::numbers_inside(TermStore& terms, const HalfOpenInterval& keys, Term number) const {
  std::size_t first = keys.low ? number_of_key(*keys.low) : 0;
  bool open = !keys.high || (bits_ > 0 && *keys.high >= count_);
  std::size_t end = open ? size() : number_of_key(*keys.high);
  if (first >= end) return terms.boolean(false);
  std::uint32_t bits = width();
  auto constant = [&](std::size_t i) { return terms.bv(mpz_class(i), bits); };
  if (end == first + 1 && (end < size() || size() == std::size_t{1} << bits))
    return terms.make_eq(number, constant(first));
  Term low = terms.boolean(true), high = terms.boolean(true);
  if (first > 0) low = terms.make_bv_ule(constant(first), number);
  if (end < size()) high = terms.make(Op::BvUlt, {number, constant(end)});
  return terms.make_and(low, high);
}

Term Partition::on_number(TermStore& terms, const Comparison& comparison, Term number) const {
  std::vector<Term> parts;
  for (const HalfOpenInterval& keys : keys_inside(comparison))
    parts.push_back(numbers_inside(terms, keys, number));
  return terms.make_or(parts);
}

Term Partition::below(TermStore& terms, const mpz_class& key, Term value) const {
  if (bits_ == 0) return terms.make_lt(value, terms.integer(key));
  Term bound = terms.bv(Partition::value(key), bits_);
  return terms.make(signed_ ? Op::BvSlt : Op::BvUlt, {value, bound});
}

Term Partition::keys_inside_term(TermStore& terms, std::size_t first, std::size_t end,
                                 Term value) const {
  bool bounded_below = first > 0, bounded_above = end < size();
  if (bits_ > 0 || (bounded_below && bounded_above)) {
    mpz_class low = bounded_below ? cuts_[first - 1] : mpz_class(0);
    mpz_class high = bounded_above ? cuts_[end - 1] : count_;
    if (high - low == 1) return terms.make_eq(value, terms.number(Partition::value(low), sort_));
  }
  Term low = terms.boolean(true), high = terms.boolean(true);
  if (bounded_below) low = terms.make_not(below(terms, cuts_[first - 1], value));
  if (bounded_above) high = below(terms, cuts_[end - 1], value);
  return terms.make_and(low, high);
}

Term Partition::on_value(TermStore& terms, const std::vector<bool>& members, Term value) const {
  assert(members.size() == size());
  std::vector<Term> runs;
  for (std::size_t first = 0; first < size(); ++first) {
    if (!members[first]) continue;
    std::size_t end = first;
    while (end < size() && members[end]) ++end;
    runs.push_back(keys_inside_term(terms, first, end, value));
    first = end;
  }
  return terms.make_or(runs);
}

Term Partition::number_term(TermStore& terms, Term value) const {
  std::uint32_t bits = width();
  Term number = terms.bv(mpz_class(size() - 1), bits);
  for (std::size_t i = size() - 1; i-- > 0;)
    number = terms.make_ite(below(terms, cuts_[i], value), terms.bv(mpz_class(i), bits), number);
  return number;
}

ValueClasses::ValueClasses(const Cfa& cfa) : terms_(cfa.terms()) {
  for (const CfaEdge& edge : cfa.edges()) collect(edge.command);
  cut();
}

/// Of a sort whose values have an order.
bool ValueClasses::is_candidate(Term term) const {
  SortKind kind = terms_.kind(term);
  return kind == SortKind::Int || (kind == SortKind::BitVec && terms_.width(term) > 1);
}

static bool is_flow(const TermStore& terms, Term term) {
  return terms.is_variable(term) || terms.op(term) == Op::Ite;
}

std::optional<Comparison> ValueClasses::comparison(Term atom) const {
  using Order = Comparison::Order;
  Op op = terms_.op(atom);
  if (op != Op::Eq && op != Op::BvUlt && op != Op::BvSlt && op != Op::Le) return {};
  Term left = terms_.arg(atom, 0), right = terms_.arg(atom, 1);
  if (!is_candidate(left)) return {};
  if (op == Op::Eq && terms_.is_value(left)) std::swap(left, right);
  bool value_first = terms_.is_value(left);
  Term flow = value_first ? right : left, value = value_first ? left : right;
  if (!terms_.is_value(value)) return {};
  if (op == Op::Le) {  // flow <= value, or -1 * flow <= value
    mpz_class bound = terms_.integer_value(value);
    bool negated = terms_.op(flow) == Op::Mul && terms_.args(flow).size() == 2 &&
                   terms_.op(terms_.arg(flow, 0)) == Op::IntValue &&
                   terms_.integer_value(terms_.arg(flow, 0)) == -1;
    if (negated) flow = terms_.arg(flow, 1);
    if (!is_flow(terms_, flow)) return {};
    return negated ? Comparison{flow, Order::Signed, {mpz_class(-bound), {}}}
                   : Comparison{flow, Order::Signed, {{}, mpz_class(bound + 1)}};
  }
  if (!is_flow(terms_, flow)) return {};
  if (op == Op::Eq) {
    mpz_class only = terms_.integer_value(value);
    return Comparison{flow, Order::Equality, {only, mpz_class(only + 1)}};
  }
  bool is_signed = op == Op::BvSlt;
  mpz_class bound = is_signed ? terms_.signed_value(value) : terms_.integer_value(value);
  Order order = is_signed ? Order::Signed : Order::Unsigned;
  return value_first ? Comparison{flow, order, {mpz_class(bound + 1), {}}}
                     : Comparison{flow, order, {{}, bound}};
}

void ValueClasses::collect(const Command& command) {
  switch (command.kind()) {
    case Command::Kind::Assume:
      collect(command.guard());
      break;
    case Command::Kind::Assign:
      if (is_candidate(command.variable())) flows(command.value(), command.variable());
      collect(command.value());
      break;
    case Command::Kind::Havoc:
      break;
    case Command::Kind::Sequence:
    case Command::Kind::Choice:
      for (const Command& part : command.parts()) collect(part);
  }
}

void ValueClasses::collect(Term root) {
  todo_.push_back(root);
  while (!todo_.empty()) {
    Term next = todo_.back();
    todo_.pop_back();
    if (seen_.insert(next).second) look_at(next);
  }
}

void ValueClasses::look_at(Term term) {
  if (auto compared = comparison(term)) {
    members_[classes_.root(compared->flow)].comparisons.push_back(*compared);
    todo_.push_back(compared->flow);
    return;
  }
  bool choice = is_candidate(term) && terms_.op(term) == Op::Ite;
  for (Term arg : terms_.args(term)) {
    todo_.push_back(arg);
    if (!is_candidate(arg)) continue;
    if (choice)
      flows(arg, term);
    else if (is_flow(terms_, arg))
      members_[classes_.root(arg)].computed = true;
  }
}

void ValueClasses::flows(Term from, Term to) {
  Term root = classes_.root(to);
  if (terms_.is_value(from)) {
    members_[root].constants.insert(terms_.integer_value(from));
  } else if (!is_flow(terms_, from)) {
    members_[root].computed = true;
  } else if (Term other = classes_.unite(to, from)) {
    Members& all = members_[root];
    Members joined = std::move(members_[other]);
    members_.erase(other);
    all.computed = all.computed || joined.computed;
    all.constants.merge(joined.constants);
    std::move(joined.comparisons.begin(), joined.comparisons.end(),
              std::back_inserter(all.comparisons));
  }
}

/// Integers become bits only where all of them do: half of them would leave a mix of theories.
void ValueClasses::cut() {
  bool integers_computed = false;
  for (const auto& [root, members] : members_) {
    bool integer = terms_.kind(root) == SortKind::Int;
    integers_computed = integers_computed || (integer && members.computed);
    if (members.computed) continue;
    auto has = [&](Comparison::Order order) {
      return std::any_of(members.comparisons.begin(), members.comparisons.end(),
                         [&](const Comparison& each) { return each.order == order; });
    };
    bool prefer_signed = has(Comparison::Order::Signed) && !has(Comparison::Order::Unsigned);
    Partition partition(terms_, terms_.sort(root), prefer_signed);
    for (const Comparison& each : members.comparisons) partition.cut_at(each);
    partition.separate(members.constants);
    if (integer || partition.width() < terms_.width(root))
      partitions_.emplace(root, std::move(partition));
  }
  if (integers_computed)
    std::erase_if(partitions_,
                  [&](const auto& each) { return terms_.kind(each.first) == SortKind::Int; });
}

const Partition* ValueClasses::partition(Term flow) const {
  auto found = partitions_.find(classes_.root(flow));
  return found == partitions_.end() ? nullptr : &found->second;
}

}  // namespace lem::transform
