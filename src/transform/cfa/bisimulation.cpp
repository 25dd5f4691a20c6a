#include "transform/cfa/bisimulation.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/assert.h"

namespace lem::transform {

namespace {

using ClassId = std::uint32_t;
using Step = std::pair<std::uint32_t, ClassId>;  // a command and where it leads

/// Equal commands, equal numbers.
class CommandNumbers {
 public:
  std::uint32_t operator()(const Command& command) {
    std::vector<std::uint32_t> key{static_cast<std::uint32_t>(command.kind()),
                                   command.variable().id(), command.value().id()};
    for (const Command& part : command.parts()) key.push_back((*this)(part));
    return numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(numbers_.size()))
        .first->second;
  }

 private:
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers_;
};

/// The coarsest partition whose classes have the same steps. A class that splits keeps its number
/// for the largest part, and only what leads into the other parts is looked at again.
class Refinement {
 public:
  explicit Refinement(const Cfa& cfa)
      : cfa_(cfa), class_of_(cfa.locations().size()), place_(class_of_.size()), members_(3) {
    CommandNumbers number;
    for (const CfaEdge& edge : cfa.edges()) commands_.push_back(number(edge.command));
    std::set<std::uint32_t> dirty;
    for (std::uint32_t i = 0; i < class_of_.size(); ++i) {
      LocationId id{i};
      put(i, id == cfa.error() ? 2 : id == cfa.initial() ? 1 : 0);
      dirty.insert(i);
    }
    while (!dirty.empty()) dirty = refine(dirty);
  }

  ClassId class_of(LocationId id) const { return class_of_[index(id)]; }
  Step step(EdgeId id) const { return {commands_[index(id)], class_of(cfa_[id].to)}; }

 private:
  /// Locations of a class that have the same steps, among those examined.
  struct Part {
    std::vector<std::uint32_t> locations;
    std::size_t others = 0;  // not examined: nothing changed for them
    std::size_t size() const { return locations.size() + others; }
  };
  using Parts = std::map<std::vector<Step>, Part>;

  std::vector<Step> steps(std::uint32_t location) const {
    std::vector<Step> all;
    for (EdgeId edge : cfa_.out(LocationId{location})) all.push_back(step(edge));
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  /// Splits the classes of the locations whose steps may differ now; returns the next ones.
  std::set<std::uint32_t> refine(const std::set<std::uint32_t>& dirty) {
    std::map<ClassId, Parts> parts;
    std::map<ClassId, std::size_t> seen;
    for (std::uint32_t location : dirty) {
      parts[class_of_[location]][steps(location)].locations.push_back(location);
      ++seen[class_of_[location]];
    }
    for (auto& [of, split] : parts) {
      std::size_t others = members_[of].size() - seen[of];
      if (others == 0) continue;
      auto one = std::find_if(members_[of].begin(), members_[of].end(),
                              [&](std::uint32_t each) { return !dirty.contains(each); });
      split[steps(*one)].others = others;
    }
    std::vector<std::uint32_t> moved;
    for (auto& [of, split] : parts) divide(of, split, dirty, moved);
    std::set<std::uint32_t> next;
    for (std::uint32_t location : moved)
      for (EdgeId edge : cfa_.in(LocationId{location})) next.insert(index(cfa_[edge].from));
    return next;
  }

  void divide(ClassId of, Parts& parts, const std::set<std::uint32_t>& dirty,
              std::vector<std::uint32_t>& moved) {
    auto largest = std::max_element(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
      return a.second.size() < b.second.size();
    });
    for (auto part = parts.begin(); part != parts.end(); ++part) {
      if (part == largest) continue;
      std::vector<std::uint32_t> leaving = part->second.locations;
      if (part->second.others > 0)
        std::copy_if(members_[of].begin(), members_[of].end(), std::back_inserter(leaving),
                     [&](std::uint32_t each) { return !dirty.contains(each); });
      members_.emplace_back();
      for (std::uint32_t location : leaving) {
        take(location);
        put(location, static_cast<ClassId>(members_.size() - 1));
        moved.push_back(location);
      }
    }
  }

  void put(std::uint32_t location, ClassId into) {
    class_of_[location] = into;
    place_[location] = members_[into].size();
    members_[into].push_back(location);
  }
  void take(std::uint32_t location) {
    std::vector<std::uint32_t>& from = members_[class_of_[location]];
    std::swap(from[place_[location]], from.back());
    place_[from[place_[location]]] = place_[location];
    from.pop_back();
  }

  const Cfa& cfa_;
  std::vector<std::uint32_t> commands_;              // by edge
  std::vector<ClassId> class_of_;                    // by location
  std::vector<std::size_t> place_;                   // by location: among the members
  std::vector<std::vector<std::uint32_t>> members_;  // by class
};

class BisimulationBack final : public CfaBackTranslator {
 public:
  BisimulationBack(const Cfa& old, std::vector<Step> steps, std::vector<Step> new_steps,
                   std::vector<LocationId> image)
      : old_(old),
        steps_(std::move(steps)),
        new_steps_(std::move(new_steps)),
        image_(std::move(image)) {}

  LocationInvariants invariants(const LocationInvariants& claim) const override {
    LocationInvariants all;
    for (LocationId image : image_) all.at.push_back(claim.at[index(image)]);
    if (!claim.rounds.empty())
      for (LocationId image : image_) all.rounds.push_back(claim.rounds[index(image)]);
    return all;
  }
  std::optional<CfaTrace> trace(const CfaTrace& run) const override {
    CfaTrace lifted{{}, run.values};
    LocationId at = old_.initial();
    for (EdgeId id : run.edges) {
      auto out = old_.out(at);
      auto edge = std::find_if(out.begin(), out.end(), [&](EdgeId each) {
        return steps_[index(each)] == new_steps_[index(id)];
      });
      assert(edge != out.end() && "equivalent locations have the same steps");
      lifted.edges.push_back(*edge);
      at = old_[*edge].to;
    }
    return lifted;
  }

 private:
  Cfa old_;
  std::vector<Step> steps_, new_steps_;  // by old and by new edge
  std::vector<LocationId> image_;        // by old location
};

}  // namespace

Reduction bisimulation(const Cfa& cfa) {
  Refinement partition(cfa);
  CfaBuilder builder(cfa.store());
  for (Term variable : cfa.variables()) builder.add_variable(variable);
  std::map<ClassId, LocationId> made;
  std::vector<LocationId> image, first;  // by old location; by new one: the first of its class
  for (std::uint32_t i = 0; i < cfa.locations().size(); ++i) {
    ClassId of = partition.class_of(LocationId{i});
    if (!made.contains(of)) {
      made[of] = builder.add_location(cfa.locations()[i].name, cfa.locations()[i].line);
      first.push_back(LocationId{i});
    }
    image.push_back(made[of]);
  }
  std::vector<Step> steps, new_steps;
  for (std::uint32_t i = 0; i < cfa.edges().size(); ++i) steps.push_back(partition.step(EdgeId{i}));
  for (LocationId from : first) {
    std::set<Step> seen;
    for (EdgeId id : cfa.out(from)) {
      if (!seen.insert(steps[index(id)]).second) continue;
      builder.add_edge(image[index(from)], cfa[id].command, image[index(cfa[id].to)], cfa[id].line);
      new_steps.push_back(steps[index(id)]);
    }
  }
  builder.set_initial(image[index(cfa.initial())]);
  builder.set_error(image[index(cfa.error())]);
  Result<Cfa> quotient = std::move(builder).freeze();
  assert(quotient.ok() && "the quotient of an automaton is one");
  return {std::move(*quotient), std::make_unique<BisimulationBack>(
                                    cfa, std::move(steps), std::move(new_steps), std::move(image))};
}

}  // namespace lem::transform
