// The parts of the translation, each by itself, on a few lines of LLVM code.
#pragma once

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

#include <memory>
#include <optional>
#include <string>

#include "frontend/c/calls.h"

namespace lem::c {

inline COptions checking(std::set<CRule> rules) {
  COptions options;
  options.checks = std::move(rules);
  return options;
}

/// A module with a prepared main, and all parts on it; analysed.
struct Parts {
  explicit Parts(const std::string& text, const COptions& chosen = {}) : options(chosen) {
    llvm::SMDiagnostic wrong;
    module = llvm::parseAssemblyString("target datalayout = \"e-p:32:32-i64:64-n8:16:32\"\n" + text,
                                       wrong, context);
    if (module == nullptr) ADD_FAILURE() << wrong.getMessage().str();
    w.emplace(*module->getFunction("main"), path, options);
    if (Status done = w->analyse(); !done) ADD_FAILURE() << done.error().text();
    failures.emplace(w->automaton, path, options);
    operands.emplace(*w);
    objects.emplace(*w, *operands, *failures);
    memory.emplace(*w, *operands, *objects, *failures);
    pointers.emplace(*w, *operands, *objects, *memory);
    integers.emplace(*w, *operands);
    floats.emplace(*w, *operands);
    calls.emplace(*w, *operands, *failures, *objects, *memory, *pointers, *integers, *floats);
    t = &w->terms;
  }

  /// The instruction of this name, or the one of this number.
  const llvm::Instruction& at(const std::string& name) const {
    for (const llvm::Instruction& one : llvm::instructions(w->main))
      if (one.getName() == name) return one;
    ADD_FAILURE() << "no instruction " << name;
    return w->main.front().front();
  }
  const llvm::Instruction& at(std::size_t number) const {
    return *w->chains.instructions().at(number);
  }
  template <class T>
  const T& get(const std::string& name) const {
    return *llvm::cast<T>(&at(name));
  }
  ObjectId object(const llvm::Value& site) const { return *w->points_to.object_of(&site); }
  /// What was written so far, with an edge to the exit behind it.
  CProgram finish() {
    w->automaton.end(w->automaton.exit(), 0);
    Result<CProgram> done = std::move(w->automaton).finish();
    if (!done) ADD_FAILURE() << done.error().text();
    return *std::move(done);
  }
  Term bits(long number, std::uint32_t width = 32) { return t->number(number, t->bv_sort(width)); }

  std::string path = "t.ll";
  COptions options;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::optional<Workspace> w;
  std::optional<Failures> failures;
  std::optional<Operands> operands;
  std::optional<Objects> objects;
  std::optional<Memory> memory;
  std::optional<PointerOperations> pointers;
  std::optional<IntegerOperations> integers;
  std::optional<FloatOperations> floats;
  std::optional<Calls> calls;
  TermStore* t = nullptr;
};

}  // namespace lem::c
