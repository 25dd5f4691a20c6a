// Spacer as interpolator [Gurfinkel, Komuravelli]: one relation for each cut of the path, one rule
// for each step. The transformations are off, since they would inline the relations away. A child
// process, because interrupting Spacer in place ends in std::terminate.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <z3++.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <string>

#include "smt/interpolator.h"
#include "smt/z3_terms.h"
#include "term/traverse.h"
#include "term/wire.h"

namespace lem::smt {

namespace {

class HornPath {
 public:
  HornPath(TermStore& terms, const Path& path)
      : terms_(terms), path_(path), translate_(ctx_, terms), fixedpoint_(ctx_) {
    z3::params params(ctx_);
    params.set("engine", ctx_.str_symbol("spacer"));
    params.set("xform.slice", false);
    params.set("xform.inline_linear", false);
    params.set("xform.inline_eager", false);
    fixedpoint_.set(params);
    declare();
  }

  std::optional<Sequence> solve() {
    std::size_t k = path_.steps.size();
    add_rule(path_.first, {}, at(0, path_.current));
    for (std::size_t i = 0; i < k; ++i)
      add_rule(path_.steps[i], at(i, path_.current), at(i + 1, path_.next));
    z3::func_decl error = ctx_.function("error", 0, nullptr, ctx_.bool_sort());
    fixedpoint_.register_relation(error);
    add_rule(path_.last, at(k, path_.current), error());
    z3::expr goal = error();
    if (fixedpoint_.query(goal) != z3::unsat) return {};
    return read(fixedpoint_.get_answer());
  }

 private:
  void declare() {
    z3::sort_vector sorts(ctx_);
    for (Term variable : path_.current) sorts.push_back(translate_.to_z3(terms_.sort(variable)));
    for (std::size_t i = 0; i <= path_.steps.size(); ++i) {
      std::string name = "J" + std::to_string(i);
      cuts_.push_back(ctx_.function(name.c_str(), sorts, ctx_.bool_sort()));
      fixedpoint_.register_relation(cuts_.back());
    }
  }

  z3::expr at(std::size_t cut, std::span<const Term> variables) {
    z3::expr_vector args(ctx_);
    for (Term variable : variables) args.push_back(translate_.to_z3(variable));
    return cuts_[cut](args);
  }

  void add_rule(Term formula, std::optional<z3::expr> from, const z3::expr& head) {
    z3::expr body = translate_.to_z3(formula);
    if (from) body = *from && body;
    z3::expr_vector bound(ctx_);
    std::vector<Term> variables = variables_of(terms_, formula);
    auto bind = [&](std::span<const Term> more) {
      variables.insert(variables.end(), more.begin(), more.end());
    };
    bind(path_.current);
    bind(path_.next);
    std::sort(variables.begin(), variables.end());
    variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
    for (Term variable : variables) bound.push_back(translate_.to_z3(variable));
    z3::expr rule = z3::forall(bound, z3::implies(body, head));
    z3::symbol name = ctx_.str_symbol(("r" + std::to_string(rules_++)).c_str());
    fixedpoint_.add_rule(rule, name);
  }

  /// The answer is a conjunction of (forall (x) (= (J_i x) body)).
  std::optional<Sequence> read(const z3::expr& answer) {
    Sequence sequence(path_.steps.size() + 1, terms_.boolean(true));
    std::vector<z3::expr> parts{answer};
    while (!parts.empty()) {
      z3::expr part = parts.back();
      parts.pop_back();
      if (part.is_and()) {
        for (unsigned i = 0; i < part.num_args(); ++i) parts.push_back(part.arg(i));
        continue;
      }
      if (!read_definition(part.is_quantifier() ? part.body() : part, sequence)) return {};
    }
    return sequence;
  }

  bool read_definition(const z3::expr& definition, Sequence& sequence) {
    if (!definition.is_eq()) return true;
    z3::expr head = definition.arg(0);
    z3::expr body = definition.arg(1);
    for (std::size_t i = 0; i < cuts_.size(); ++i) {
      if (!z3::eq(head.decl(), cuts_[i])) continue;
      std::vector<Term> bound(path_.current.size());
      for (unsigned j = 0; j < head.num_args(); ++j) {
        if (!head.arg(j).is_var()) return false;
        bound[Z3_get_index_value(ctx_, head.arg(j))] = path_.current[j];
      }
      std::optional<Term> term = translate_.from_z3(body, bound);
      if (!term) return false;
      sequence[i] = *term;
    }
    return true;
  }

  TermStore& terms_;
  const Path& path_;
  z3::context ctx_;
  Z3Terms translate_;
  z3::fixedpoint fixedpoint_;
  std::vector<z3::func_decl> cuts_;
  int rules_ = 0;
};

/// A child process that writes bytes and ends, or is killed.
class Child {
 public:
  template <class Work>
  explicit Child(Work work) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
    pid_t parent = getpid();
    pid_ = fork();
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(1);
      std::string bytes = work();
      for (std::size_t done = 0; done < bytes.size();) {
        ssize_t wrote = write(ends[1], bytes.data() + done, bytes.size() - done);
        if (wrote <= 0 && errno != EINTR) _exit(1);
        if (wrote > 0) done += static_cast<std::size_t>(wrote);
      }
      _exit(0);
    }
    close(ends[1]);
    read_end_ = ends[0];
  }
  ~Child() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
    if (read_end_ >= 0) close(read_end_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// What the child wrote; nothing if it took longer than that.
  std::optional<std::string> wait(std::chrono::milliseconds patience, const std::stop_token& stop) {
    auto deadline = std::chrono::steady_clock::now() + patience;
    std::string bytes;
    std::array<char, 65536> buffer{};
    while (pid_ > 0 && !stop.stop_requested() && std::chrono::steady_clock::now() < deadline) {
      pollfd ready{read_end_, POLLIN, 0};
      if (poll(&ready, 1, 20) <= 0) continue;
      ssize_t got = read(read_end_, buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return bytes;
      bytes.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return {};
  }

 private:
  pid_t pid_ = -1;
  int read_end_ = -1;
};

class SpacerInterpolator final : public Interpolator {
 public:
  SpacerInterpolator(TermStore& terms, std::stop_token stop, std::uint32_t milliseconds)
      : terms_(terms), stop_(std::move(stop)), patience_(milliseconds) {}

  std::string_view name() const override { return "spacer"; }

  std::optional<Sequence> interpolate(const Path& path) override {
    std::size_t known = terms_.size();
    Child child([&]() -> std::string {
      try {
        std::optional<Sequence> sequence = HornPath(terms_, path).solve();
        if (!sequence) return {};
        return write_terms(terms_, *sequence, known);
      } catch (...) {  // Z3 throws; the parent sees an empty answer
        return {};
      }
    });
    std::optional<std::string> bytes = child.wait(patience_, stop_);
    if (!bytes || bytes->empty()) return {};
    std::optional<Sequence> sequence = read_terms(terms_, *bytes);
    if (!sequence || sequence->size() != path.steps.size() + 1) return {};
    return sequence;
  }

 private:
  TermStore& terms_;
  std::stop_token stop_;
  std::chrono::milliseconds patience_;
};

}  // namespace

std::unique_ptr<Interpolator> make_spacer_interpolator(TermStore& terms, std::stop_token stop,
                                                       std::uint32_t milliseconds) {
  return std::make_unique<SpacerInterpolator>(terms, std::move(stop), milliseconds);
}

}  // namespace lem::smt
