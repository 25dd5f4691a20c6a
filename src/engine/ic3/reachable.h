// Concrete states that are known to be reachable, each with the run that reaches it [Ivrii15].
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/parts/common/cube.h"
#include "model/aig.h"
#include "model/verdict.h"

namespace lem::engine {

enum class ReachedId : std::uint32_t {};

class ReachedStates {
 public:
  /// Borrows the model.
  explicit ReachedStates(const Aig& aig) : aig_(aig) {}

  /// Some state in the cube, the oldest.
  std::optional<ReachedId> in(const Cube& cube) const;
  bool is_in(ReachedId id, const Cube& cube) const;

  struct Added {
    ReachedId id;
    bool fresh;  // not known before
  };
  Added add_initial(std::vector<bool> state) { return add({std::move(state), {}, {}}); }
  /// The state after one step under the inputs.
  Added add_successor(ReachedId from, std::vector<bool> inputs);

  /// The run from an initial state to this one, without inputs of its last state.
  Trace run_to(ReachedId id) const;

 private:
  struct Reached {
    std::vector<bool> state;
    std::optional<ReachedId> parent;  // none: an initial state
    std::vector<bool> inputs;         // of the step from the parent
  };
  const Reached& at(ReachedId id) const { return reached_[static_cast<std::size_t>(id)]; }
  Added add(Reached reached);

  const Aig& aig_;
  std::vector<Reached> reached_;
};

}  // namespace lem::engine
