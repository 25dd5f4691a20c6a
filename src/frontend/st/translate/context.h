// What all parts of the translation share: the program, what the user asks for, the automaton that
// is being written, and which calls are being inlined.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "frontend/st/options.h"
#include "frontend/st/translate/automaton.h"
#include "model/remarks.h"

namespace lem::st {

/// A call that is being inlined.
struct Frame {
  struct Loop {
    LocationId leave, again;
  };
  const PouInfo* pou = nullptr;
  const Storage* self = nullptr;
  std::map<std::string, Place> references{};  // VAR_IN_OUT
  LocationId end{};
  std::vector<Loop> loops{};
  bool runs = false;  // its statements, not a condition of a requirement
  // Of methods: the instance they belong to.
  const Storage* owner = nullptr;
  std::map<std::string, Place> owner_references{};
};

struct Context {
  const Program& program;
  const StOptions& options;
  std::vector<Warning>& warnings;
  Automaton automaton{};
  const PouInfo* entry = nullptr;  // the block that runs in every cycle
  Frame entry_frame{};
  Term clock{};                 // milliseconds since the start, where the program asks for it
  std::vector<Frame> frames{};  // the innermost last

  ///   require: some call is being inlined
  Frame& frame() {
    assert(!frames.empty() && "no call is being inlined");
    return frames.back();
  }
  /// Of the entry block, of what it calls, of initial values; not of a standard block.
  bool in_user_code() const {
    return !frames.empty() && (frames.back().pou == nullptr || !frames.back().pou->builtin);
  }
  const Type* elementary(const char* key) const { return program.named_types.at(key); }
  /// None: there is no scalar type of that name.
  const Type* scalar_type(const std::string& key) const {
    auto found = program.named_types.find(key);
    return found != program.named_types.end() && found->second->is_scalar() ? found->second
                                                                            : nullptr;
  }
  /// The same place is warned of once, however often it is inlined.
  void warn(const SourcePos& at, const std::string& message) {
    if (!in_user_code()) return;
    for (const Warning& one : warnings)
      if (one.at.line == at.line && one.at.column == at.column && one.message == message) return;
    warnings.push_back({at, message});
  }
};

/// Names mean what they mean in `frame`, until this object ends.
class [[nodiscard]] InFrame {
 public:
  InFrame(Context& context, Frame frame) : frames_(context.frames) {
    frames_.push_back(std::move(frame));
  }
  ~InFrame() { frames_.pop_back(); }
  InFrame(const InFrame&) = delete;
  InFrame& operator=(const InFrame&) = delete;

 private:
  std::vector<Frame>& frames_;
};

}  // namespace lem::st
