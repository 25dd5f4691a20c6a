// Running small C programs: the automaton that the front end makes, executed at random.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/temporary_folder.h"
#include "frontend/c/c.h"
#include "support/c_head.h"
#include "term/traverse.h"

namespace lem::c {

inline COptions int_options() {
  COptions options;
  options.arith = COptions::Arith::Int;
  return options;
}

/// A program on disk, taken as it is.
struct OnDisk {
  std::string path;
};

/// The text as a file that lives as long as this.
class SourceFile {
 public:
  SourceFile(const std::string& name, const std::string& text)
      : path_(folder_.path() + "/" + name) {
    std::ofstream(path_) << text;
  }
  const std::string& path() const { return path_; }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

class CRun {
 public:
  /// `body` behind kHead; with the name of an LLVM file, the whole text.
  explicit CRun(const std::string& body, const COptions& options = {},
                const std::string& name = "t.c")
      : file_(name, name == "t.c" ? kHead + body : body), program_(read_c(file_.path(), options)) {
    if (!program_) ADD_FAILURE() << program_.error().text();
  }
  CRun(const OnDisk& disk, const COptions& options)
      : file_("unused.c", ""), program_(read_c(disk.path, options)) {}
  bool ok() const { return program_.ok(); }
  const Error& error() const { return program_.error(); }
  const CProgram& program() const { return *program_; }
  const Cfa& cfa() const { return program_->cfa; }
  TermStore& terms() const { return cfa().terms(); }

  /// "error", "exit", "stuck" or "running" after many steps. Inputs take these values in turn, and
  /// random ones behind them.
  std::string run(std::vector<long> inputs = {}, int steps = 5000) {
    if (!ok()) return "no program";
    given_ = std::move(inputs);
    taken_ = 0;
    state_.clear();
    lines_.clear();
    for (Term variable : cfa().variables()) state_[variable] = any(terms().sort(variable));
    LocationId at = cfa().initial();
    for (int step = 0; step < steps; ++step) {
      if (at == cfa().error()) return "error";
      if (cfa()[at].name == "exit") return "exit";
      std::vector<EdgeId> out(cfa().out(at).begin(), cfa().out(at).end());
      std::shuffle(out.begin(), out.end(), random_);
      std::optional<LocationId> next;
      for (EdgeId edge : out) {
        TermMap before = state_;
        std::size_t taken = taken_;
        edge_ = edge;
        if (execute(cfa()[edge].command)) {
          next = cfa()[edge].to;
          lines_.push_back(cfa()[edge].line);
          break;
        }
        state_ = std::move(before);
        taken_ = taken;
      }
      if (!next) return "stuck";
      at = *next;
    }
    return "running";
  }
  /// Whether one of many random runs fails.
  bool can_fail(int runs = 400) {
    for (int i = 0; i < runs && ok(); ++i)
      if (run() == "error") return true;
    return false;
  }
  const std::vector<std::uint32_t>& lines() const { return lines_; }

  const CVariable* variable(const std::string& name) const {
    for (const CVariable& variable : program_->variables)
      if (terms().name(variable.term) == name) return &variable;
    return nullptr;
  }
  std::vector<std::string> user_names() const {
    std::vector<std::string> out;
    for (const CVariable& variable : program_->variables)
      if (variable.origin == COrigin::User) out.push_back(terms().name(variable.term));
    std::sort(out.begin(), out.end());
    return out;
  }

 private:
  Term number(long value, Sort sort) const {
    if (terms().kind(sort) == SortKind::Bool) return terms().boolean(value != 0);
    return terms().number(mpq_class(value), sort);
  }
  Term any(Sort sort) {
    static constexpr long kOften[] = {0, 1, 2, -1, 5, 127, -128, 255, 2147483647L};
    if (terms().kind(sort) == SortKind::Array) {
      Sort element = terms().element_sort(sort);
      Term array = terms().make_const_array(sort, any(element));
      for (long i = 0; i < 12; ++i)
        array = terms().make_store(array, number(i, terms().index_sort(sort)), any(element));
      return array;
    }
    if (random_() % 2 == 0) return number(kOften[random_() % std::size(kOften)], sort);
    return number(static_cast<int>(random_()), sort);
  }
  bool execute(const Command& command) {
    switch (command.kind()) {
      case Command::Kind::Assign:
        state_[command.variable()] = evaluate(terms(), command.value(), state_);
        return true;
      case Command::Kind::Assume:
        return terms().is_true(evaluate(terms(), command.guard(), state_));
      case Command::Kind::Havoc:
        state_[command.variable()] = any(terms().sort(command.variable()));
        for (const CInput& input : program_->inputs)
          if (input.edge == edge_ && input.variable == command.variable() && taken_ < given_.size())
            state_[command.variable()] = number(given_[taken_++], terms().sort(input.variable));
        return true;
      case Command::Kind::Sequence:
        for (const Command& part : command.parts())
          if (!execute(part)) return false;
        return true;
      case Command::Kind::Choice:
        ADD_FAILURE() << "the front end makes no choices";
        return false;
    }
    return false;
  }

  SourceFile file_;
  Result<CProgram> program_;
  std::mt19937 random_{7};
  TermMap state_;
  std::vector<long> given_;
  std::size_t taken_ = 0;
  EdgeId edge_{};
  std::vector<std::uint32_t> lines_;
};

/// The error without the folder: `t.c:9:3: error: ...`.
inline std::string c_error(const std::string& body, const COptions& options = {},
                           const std::string& name = "t.c") {
  SourceFile file(name, name == "t.c" ? kHead + body : body);
  Result<CProgram> program = read_c(file.path(), options);
  if (program) return "no error";
  std::string text = program.error().text(), folder = file.path();
  folder.resize(folder.rfind('/') + 1);
  for (std::size_t at; (at = text.find(folder)) != std::string::npos;)
    text.erase(at, folder.size());
  return text;
}

/// Fails exactly if the expression over int a, b is not the expected number.
inline std::string calculation(const std::string& type, const std::string& expression,
                               const std::string& expected) {
  return "int main(void) { int x = __VERIFIER_nondet_int(); int y = __VERIFIER_nondet_int();\n" +
         type + " a = x, b = y; if ((" + expression + ") != (" + expected +
         ")) reach_error(); return 0; }\n";
}

}  // namespace lem::c
