// Small automata for the tests of their preprocessing, and evidence judged on the original.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "check/cfa.h"
#include "transform/cfa/reduction.h"

namespace lem::test {

/// Locations are made by the edges that name them; "start" and "error" are what they say.
class Program {
 public:
  Program() {
    builder_.set_initial(at("start"));
    builder_.set_error(at("error"));
  }

  Term integer(const std::string& name) { return builder_.add_variable(name, t.int_sort()); }
  Term bits(const std::string& name, std::uint32_t width = 8) {
    return builder_.add_variable(name, t.bv_sort(width));
  }
  Program& edge(const std::string& from, Command command, const std::string& to) {
    LocationId source = at(from);
    builder_.add_edge(source, std::move(command), at(to));
    return *this;
  }
  LocationId at(const std::string& name) {
    for (std::uint32_t i = 0; i < names_.size(); ++i)
      if (names_[i] == name) return LocationId{i};
    names_.push_back(name);
    return builder_.add_location(name);
  }
  Cfa cfa() {
    auto made = std::move(builder_).freeze();
    EXPECT_TRUE(made.ok());
    return std::move(*made);
  }

 private:
  std::shared_ptr<TermStore> store_ = std::make_shared<TermStore>();
  CfaBuilder builder_{store_};
  std::vector<std::string> names_;

 public:
  TermStore& t = *store_;
};

inline std::vector<std::string> names(const Cfa& cfa) {
  std::vector<std::string> all;
  for (const Location& location : cfa.locations()) all.push_back(location.name);
  return all;
}

/// The invariants `claim` of the reduced automaton hold there, and come back to good ones.
inline LocationInvariants carried(const Cfa& original, const transform::Reduction& reduced,
                                  const LocationInvariants& claim) {
  EXPECT_EQ(check::check_invariants(reduced.cfa, claim, {}).holds, check::TermHolds::Yes)
      << "the reduced automaton's";
  LocationInvariants back = reduced.back->invariants(claim);
  check::TermFinding finding = check::check_invariants(original, back, {});
  EXPECT_EQ(finding.holds, check::TermHolds::Yes) << finding.failed;
  return back;
}

/// The same for a run.
inline CfaTrace carried(const Cfa& original, const transform::Reduction& reduced,
                        const CfaTrace& run) {
  EXPECT_EQ(check::replay(reduced.cfa, run, {}), std::nullopt) << "the reduced automaton's";
  std::optional<CfaTrace> back = reduced.back->trace(run);
  EXPECT_TRUE(back);
  if (!back) return {};
  EXPECT_EQ(check::replay(original, *back, {}), std::nullopt);
  return *back;
}

/// true everywhere but at the error location.
inline LocationInvariants nothing_but_safe(const Cfa& cfa) {
  LocationInvariants claim;
  for (std::uint32_t i = 0; i < cfa.locations().size(); ++i)
    claim.at.push_back(cfa.terms().boolean(LocationId{i} != cfa.error()));
  return claim;
}

}  // namespace lem::test
