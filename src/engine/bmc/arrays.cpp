#include "engine/bmc/arrays.h"

#include <cassert>

namespace lem::engine {

struct ArrayNode {
  enum class Kind : std::uint8_t {
    Unknown,   // term: the variable
    Constant,  // term: every element
    Entries,   // over `base`: elements at known indices
    Write,     // over `base`: `term` at `index`
    Choice,    // `base` if `term`, else `other`
  };
  Kind kind;
  Sort sort;
  Term term{}, index{};
  ArrayRef base{}, other{};
  PersistentVector<Term> entries{};                // by number of the index
  mutable std::unordered_map<Term, Term> found{};  // by index: what was read

  /// Chains of writes are long: their nodes go one after the other, not inside each other.
  ~ArrayNode() {
    for (ArrayRef next = std::move(base); next && next.use_count() == 1;) {
      ArrayRef after = std::move(const_cast<ArrayNode&>(*next).base);
      next = std::move(after);
    }
  }
};

ArrayRef Arrays::unknown(Term variable) {
  return std::make_shared<ArrayNode>(
      ArrayNode{ArrayNode::Kind::Unknown, terms_.sort(variable), variable});
}

ArrayRef Arrays::constant(Sort array, Term element) {
  return std::make_shared<ArrayNode>(ArrayNode{ArrayNode::Kind::Constant, array, element});
}

std::uint32_t Arrays::number_of(Term index) {
  auto [at, added] = numbers_.try_emplace(index, static_cast<std::uint32_t>(indices_.size()));
  if (added) indices_.push_back(index);
  return at->second;
}

ArrayRef Arrays::write(const ArrayRef& array, Term index, Term value) {
  if (!terms_.is_value(index))
    return std::make_shared<ArrayNode>(
        ArrayNode{ArrayNode::Kind::Write, array->sort, value, index, array});
  bool over = array->kind == ArrayNode::Kind::Entries;
  ArrayNode node{ArrayNode::Kind::Entries, array->sort, {}, {}, over ? array->base : array};
  if (over) node.entries = array->entries;
  node.entries.set(number_of(index), value);
  return std::make_shared<ArrayNode>(std::move(node));
}

ArrayRef Arrays::choose(Term condition, const ArrayRef& a, const ArrayRef& b) {
  if (a == b || terms_.is_true(condition)) return a;
  if (terms_.is_false(condition)) return b;
  auto base = [](const ArrayRef& x) { return x->kind == ArrayNode::Kind::Entries ? x->base : x; };
  auto entries = [](const ArrayRef& x) {
    return x->kind == ArrayNode::Kind::Entries ? x->entries : PersistentVector<Term>();
  };
  if (base(a) == base(b)) {
    ArrayNode node{ArrayNode::Kind::Entries, a->sort, {}, {}, base(a)};
    auto at = [&](Term entry, std::size_t i) {
      return entry ? entry : read(node.base, indices_[i]);
    };
    node.entries =
        PersistentVector<Term>::merge(entries(a), entries(b), [&](std::size_t i, Term x, Term y) {
          return terms_.make_ite(condition, at(x, i), at(y, i));
        });
    return std::make_shared<ArrayNode>(std::move(node));
  }
  // A write on one side alone: under the condition, the old element else.
  if (a->kind == ArrayNode::Kind::Write && a->base == b)
    return write(b, a->index, terms_.make_ite(condition, a->term, read(b, a->index)));
  if (b->kind == ArrayNode::Kind::Write && b->base == a)
    return write(a, b->index, terms_.make_ite(condition, read(a, b->index), b->term));
  return std::make_shared<ArrayNode>(
      ArrayNode{ArrayNode::Kind::Choice, a->sort, condition, {}, a, b});
}

/// Down along the bases to what decides, then up again: chains of writes are long.
Term Arrays::read(const ArrayRef& array, Term index) {
  std::vector<const ArrayNode*> passed;
  const ArrayNode* node = array.get();
  Term result;
  while (!result) {
    if (auto known = node->found.find(index); known != node->found.end()) {
      result = known->second;
    } else if (node->kind == ArrayNode::Kind::Constant) {
      result = node->term;
    } else if (node->kind == ArrayNode::Kind::Unknown) {
      result = read_unknown(node->term, index);
    } else if (node->kind == ArrayNode::Kind::Write && node->index == index) {
      result = node->term;
    } else {
      if (node->kind == ArrayNode::Kind::Entries && terms_.is_value(index))
        result = node->entries[number_of(index)];
      if (!result) passed.push_back(node);
      node = node->base.get();
    }
  }
  for (; !passed.empty(); passed.pop_back()) {
    node = passed.back();
    switch (node->kind) {
      case ArrayNode::Kind::Unknown:
      case ArrayNode::Kind::Constant:
        break;
      case ArrayNode::Kind::Entries:
        if (terms_.is_value(index)) continue;
        result = read_entries(*node, index, result);
        break;
      case ArrayNode::Kind::Write:
        result = terms_.make_ite(terms_.make_eq(node->index, index), node->term, result);
        break;
      case ArrayNode::Kind::Choice:
        result = terms_.make_ite(node->term, result, read(node->other, index));
        break;
    }
    node->found.emplace(index, result);
  }
  return result;
}

Term Arrays::read_entries(const ArrayNode& node, Term index, Term otherwise) {
  node.entries.for_each([&](std::size_t i, Term value) {
    otherwise = terms_.make_ite(terms_.make_eq(index, indices_[i]), value, otherwise);
  });
  return otherwise;
}

/// [Ackermann54]: a variable for each element that is read.
Term Arrays::read_unknown(Term variable, Term index) {
  auto [at, added] = elements_[variable].try_emplace(index);
  if (!added) return at->second;
  Term element = terms_.fresh("element", terms_.element_sort(terms_.sort(variable)));
  at->second = element;
  all_elements_.push_back(element);
  std::vector<Element>& others = read_[variable];
  for (const Element& other : others) {
    Term same = terms_.make_eq(index, other.index);
    if (!terms_.is_false(same))
      facts_.push_back(terms_.make_implies(same, terms_.make_eq(element, other.element)));
  }
  others.push_back({index, element});
  return element;
}

Term Arrays::value_of(const ArrayNode& node, const std::function<Term(Term)>& value) {
  switch (node.kind) {
    case ArrayNode::Kind::Unknown: {
      Term array = terms_.default_value(node.sort);
      for (const Element& each : read_[node.term])
        array = terms_.make_store(array, value(each.index), value(each.element));
      return array;
    }
    case ArrayNode::Kind::Constant:
      return terms_.make_const_array(node.sort, value(node.term));
    case ArrayNode::Kind::Entries: {
      Term array = value_of(*node.base, value);
      node.entries.for_each([&](std::size_t i, Term entry) {
        array = terms_.make_store(array, indices_[i], value(entry));
      });
      return array;
    }
    case ArrayNode::Kind::Write: {
      // Chains of writes are long: not by recursion.
      std::vector<const ArrayNode*> writes{&node};
      while (writes.back()->base->kind == ArrayNode::Kind::Write)
        writes.push_back(writes.back()->base.get());
      Term array = value_of(*writes.back()->base, value);
      for (; !writes.empty(); writes.pop_back())
        array = terms_.make_store(array, value(writes.back()->index), value(writes.back()->term));
      return array;
    }
    case ArrayNode::Kind::Choice:
      return value_of(terms_.is_true(value(node.term)) ? *node.base : *node.other, value);
  }
  return {};
}

Arrays::Valued Arrays::evaluate(const ArrayRef& array, const Valued& before,
                                const std::function<Term(Term)>& value) {
  if (array == before.array) return before;
  if (before.array && before.array->kind == ArrayNode::Kind::Entries &&
      array->kind == ArrayNode::Kind::Entries && array->base == before.array->base) {
    Term changed = before.value;
    bool only_more = true;
    PersistentVector<Term>::merge(before.array->entries, array->entries,
                                  [&](std::size_t i, Term, Term now) {
                                    only_more = only_more && now;
                                    if (now)
                                      changed = terms_.make_store(changed, indices_[i], value(now));
                                    return now;
                                  });
    if (only_more) return {array, changed};
  }
  return {array, value_of(*array, value)};
}

}  // namespace lem::engine
