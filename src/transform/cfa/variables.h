// Variables of an automaton by number, sets of them as bits, and what terms and commands read.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/cfa.h"

namespace lem::transform {

using VariableIndex = std::uint32_t;

class VariableSet {
 public:
  explicit VariableSet(std::size_t variables) : words_((variables + 63) / 64) {}

  bool contains(VariableIndex v) const { return (words_[v / 64] >> v % 64 & 1) != 0; }
  void add(VariableIndex v) { words_[v / 64] |= std::uint64_t{1} << v % 64; }
  void remove(VariableIndex v) { words_[v / 64] &= ~(std::uint64_t{1} << v % 64); }
  /// Whether it grew.
  bool unite(const VariableSet& other) {
    std::uint64_t added = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      added |= other.words_[i] & ~words_[i];
      words_[i] |= other.words_[i];
    }
    return added != 0;
  }
  void subtract(const VariableSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  }
  bool meets(const VariableSet& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if ((words_[i] & other.words_[i]) != 0) return true;
    return false;
  }

 private:
  std::vector<std::uint64_t> words_;
};

class VariableIndices {
 public:
  explicit VariableIndices(const Cfa& cfa);

  std::size_t size() const { return variables_.size(); }
  Term operator[](VariableIndex v) const { return variables_[v]; }
  VariableIndex of(Term variable) const { return index_.at(variable); }
  /// Variables of a term, remembered.
  std::span<const VariableIndex> in(Term term) const;

 private:
  const TermStore& terms_;
  std::vector<Term> variables_;
  std::unordered_map<Term, VariableIndex> index_;
  mutable std::unordered_map<Term, std::vector<VariableIndex>> in_;
};

/// What is needed of the variables from each location on: x is live there if, before x is written
/// again, a guard reads it, or a value that a live variable gets.
class LiveVariables {
 public:
  LiveVariables(const Cfa& cfa, const VariableIndices& variables);
  const VariableSet& at(LocationId id) const { return at_[index(id)]; }

  /// From what is live after the command to what is live before.
  void before(const Command& command, VariableSet& live) const;

 private:
  const VariableIndices& variables_;
  std::vector<VariableSet> at_;
};

}  // namespace lem::transform
