// Small C programs, runs of their automata found at random, and what the machine says of them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/temporary_folder.h"
#include "check/c/native.h"
#include "check/cfa.h"
#include "frontend/c/c.h"
#include "support/c_head.h"
#include "term/traverse.h"

namespace lem::check {

/// A program on disk, as long as this lives.
class TestProgram {
 public:
  explicit TestProgram(const std::string& text, const c::COptions& options = {})
      : path_(folder_.path() + "/t.c"), text_(text), program_(written(path_, text, options)) {
    if (!program_) ADD_FAILURE() << program_.error().text();
    keep_source(options);
  }
  explicit TestProgram(const std::filesystem::path& file, const c::COptions& options = {})
      : path_(file.string()), program_(c::read_c(path_, options)) {
    keep_source(options);
  }

  bool ok() const { return program_.ok(); }
  const std::string& path() const { return path_; }
  const std::string& text() const { return text_; }
  const Cfa& cfa() const { return program_->cfa; }
  TermStore& terms() const { return cfa().terms(); }
  const CSource& source() const { return source_; }
  const CMarks& marks() const { return marks_; }
  Problem problem() const {
    Problem out{cfa(), {Property{"error", ErrorLocation{}}}, {}};
    out.source.file = path_;
    out.source.format = "c";
    out.source.c = std::make_shared<CSource>(source_);
    return out;
  }

  /// The value that the variable has whenever it may have any.
  void prefer(Term variable, Term value) { preferred_[variable] = value; }

  /// A run to the error, by running at random: `inputs` first, other values behind.
  std::optional<CfaTrace> find_run(std::vector<long> inputs = {}, int runs = 20000,
                                   int steps = 2000) {
    for (int i = 0; i < runs; ++i)
      if (std::optional<CfaTrace> run = random_run(inputs, steps)) return run;
    return {};
  }

 private:
  void keep_source(const c::COptions& options) {
    if (program_)
      source_ = {program_->variables, program_->inputs, options.pointer_bits, program_->module};
    if (program_) marks_ = program_->marks;
  }
  static Result<c::CProgram> written(const std::string& path, const std::string& text,
                                     const c::COptions& options) {
    std::ofstream(path) << text;
    return c::read_c(path, options);
  }
  Term number(long value, Sort sort) const {
    if (terms().kind(sort) == SortKind::Bool) return terms().boolean(value % 2 != 0);
    return terms().number(mpq_class(value), sort);
  }
  Term any(Sort sort) {
    if (terms().kind(sort) == SortKind::Array) return terms().default_value(sort);
    static constexpr long kOften[] = {0, 1, 2, -1, 5, 127, -128, 255, 2147483647L};
    if (random_() % 4 != 0) return number(kOften[random_() % std::size(kOften)], sort);
    return number(static_cast<int>(random_()), sort);
  }
  bool execute(const Command& command, EdgeId edge);
  std::vector<Term> state() const {
    std::vector<Term> out;
    for (Term variable : cfa().variables()) out.push_back(state_.at(variable));
    return out;
  }
  std::optional<CfaTrace> random_run(const std::vector<long>& inputs, int steps);

  TemporaryFolder folder_;
  std::string path_;
  std::string text_;
  CSource source_;
  CMarks marks_;
  Result<c::CProgram> program_;
  std::mt19937 random_{7};
  TermMap state_;
  TermMap preferred_;
  std::vector<long> given_;
  std::size_t taken_ = 0;
};

inline bool TestProgram::execute(const Command& command, EdgeId edge) {
  switch (command.kind()) {
    case Command::Kind::Assign:
      state_[command.variable()] = evaluate(terms(), command.value(), state_);
      return true;
    case Command::Kind::Assume:
      return terms().is_true(evaluate(terms(), command.guard(), state_));
    case Command::Kind::Havoc:
      state_[command.variable()] = preferred_.contains(command.variable())
                                       ? preferred_[command.variable()]
                                       : any(terms().sort(command.variable()));
      for (const CInput& input : source().inputs)
        if (input.edge == edge && input.variable == command.variable() && taken_ < given_.size())
          state_[command.variable()] = number(given_[taken_++], terms().sort(input.variable));
      return true;
    case Command::Kind::Sequence:
      for (const Command& part : command.parts())
        if (!execute(part, edge)) return false;
      return true;
    case Command::Kind::Choice:
      break;
  }
  ADD_FAILURE() << "the front end makes no choices";
  return false;
}

inline std::optional<CfaTrace> TestProgram::random_run(const std::vector<long>& inputs, int steps) {
  given_ = inputs;
  taken_ = 0;
  for (Term variable : cfa().variables()) state_[variable] = any(terms().sort(variable));
  CfaTrace trace;
  trace.values.push_back(state());
  LocationId at = cfa().initial();
  for (int step = 0; step < steps && at != cfa().error(); ++step) {
    std::vector<EdgeId> out(cfa().out(at).begin(), cfa().out(at).end());
    std::shuffle(out.begin(), out.end(), random_);
    bool moved = false;
    for (EdgeId edge : out) {
      TermMap before = state_;
      std::size_t taken = taken_;
      if ((moved = execute(cfa()[edge].command, edge))) {
        at = cfa()[edge].to;
        trace.edges.push_back(edge);
        trace.values.push_back(state());
        break;
      }
      state_ = std::move(before);
      taken_ = taken;
    }
    if (!moved) return {};
  }
  if (at != cfa().error()) return {};
  return trace;
}

inline NativeRun natively(const TestProgram& program, const CfaTrace& trace,
                          const NativeOptions& options = {}) {
  return run_natively(program.cfa(), program.source(), trace, program.path(), options, {});
}

}  // namespace lem::check
