#include "frontend/c/frames.h"

#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/InstIterator.h>

#include <filesystem>

namespace lem::c {

Frames::Frames(const llvm::Function& main) : frames_(1) {
  if (const llvm::DISubprogram* function = main.getSubprogram()) file_ = function->getFile();
  for (const llvm::Instruction& instruction : llvm::instructions(main)) {
    const llvm::DILocation* at = instruction.getDebugLoc().get();
    if (at != nullptr && at->getFile() != file_ && at->getFile() != nullptr &&
        file_numbers_.insert({at->getFile(), static_cast<std::uint32_t>(files_.size() + 1)}).second)
      files_.push_back(std::filesystem::path(at->getFile()->getFilename().str()).filename());
    std::vector<const llvm::DILocation*> calls;  // the innermost first
    for (; at != nullptr && at->getInlinedAt() != nullptr; at = at->getInlinedAt())
      calls.push_back(at->getInlinedAt());
    std::uint32_t frame = 0;
    for (std::size_t i = calls.size(); i-- > 0;) {
      auto [known, is_new] =
          numbers_.insert({calls[i], static_cast<std::uint32_t>(frames_.size())});
      if (is_new) {
        bool here = calls[i]->getFile() == file_;
        frames_.push_back(
            {frame, here ? calls[i]->getLine() : 0, here ? calls[i]->getColumn() : 0});
      }
      frame = known->second;
    }
  }
}

std::uint32_t Frames::frame(const llvm::DILocation& at) const {
  const llvm::DILocation* call = at.getInlinedAt();
  return call == nullptr ? 0 : numbers_.lookup(call);
}

CMark Frames::mark(const llvm::Instruction& instruction) const {
  const llvm::DILocation* at = instruction.getDebugLoc().get();
  if (at == nullptr) return {};
  bool here = at->getFile() == file_ && at->getLine() != 0;
  return {here ? at->getLine() : 0, here ? at->getColumn() : 0, frame(*at),
          file_numbers_.lookup(at->getFile())};
}

}  // namespace lem::c
