#include "app/sby.h"

#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <new>
#include <numeric>
#include <optional>
#include <vector>

#include "app/supervisor.h"
#include "base/context.h"
#include "check/certify.h"
#include "frontend/frontend.h"
#include "run/prove.h"
#include "run/selection.h"
#include "writer/aiger.h"
#include "writer/btor2.h"

namespace lem::app {

namespace {

/// Whose answers are given. Aiger: a line 0, 1 or 2 and a witness; Btormc and Pono: a witness that
/// starts with `sat`, and a line of their own when there is none.
enum class Protocol : std::uint8_t { Aiger, Btormc, Pono };

struct Persona {
  std::string_view name;
  Protocol protocol;
  std::string_view format;        // of the models it reads
  std::string_view bound_option;  // before the last step to look at; empty: a plain number
  bool always_bounded;
};
constexpr std::array kPersonas = {
    Persona{"suprove", Protocol::Aiger, "aiger", "+", false},
    Persona{"avy", Protocol::Aiger, "aiger", "+", false},
    Persona{"aigbmc", Protocol::Aiger, "aiger", "", true},
    Persona{"rIC3", Protocol::Aiger, "aiger", "--bmc-max-k", false},
    Persona{"btormc", Protocol::Btormc, "btor2", "-kmax", true},
    Persona{"pono", Protocol::Pono, "btor2", "-k", true},
};

const Persona* find_persona(std::string_view name) {
  for (const Persona& engine : kPersonas)
    if (engine.name == name) return &engine;
  return nullptr;
}

struct Task {
  const Persona* engine = nullptr;
  std::string file;
  std::optional<std::uint32_t> last_step;  // none: prove
  std::uint32_t first_step = 0;
  bool all = false;  // a witness for each property, not for the first one alone
};

std::optional<std::uint32_t> number(const std::string& text) {
  std::uint32_t value = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool whole = failed == std::errc{} && end == text.data() + text.size() && value <= 1'000'000;
  return whole ? std::optional(value) : std::nullopt;
}

/// Options that mean nothing here are passed over, as the engines have many.
Result<Task> parse(const Persona& engine, std::span<const std::string> args) {
  auto usage = [&](std::string message) {
    return Error{
        {}, "as " + std::string(engine.name) + ": " + std::move(message), ErrorKind::Usage};
  };
  if (args.empty()) return usage("expected a model as the last argument");
  Task task{&engine, args.back(), {}, 0, false};
  std::span<const std::string> options = args.first(args.size() - 1);
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string& option = options[i];
    if (engine.bound_option.empty() && !task.last_step && number(option)) {
      task.last_step = number(option);
      continue;
    }
    bool bound = !engine.bound_option.empty() && option == engine.bound_option;
    bool skip = option == "-kmin";
    bool stop_first = option == "--stop-first";
    if (!bound && !skip && !stop_first) continue;
    std::optional<std::uint32_t> value;
    if (i + 1 < options.size()) value = number(options[++i]);
    if (!value) return usage("expected a number after " + option);
    if (bound) task.last_step = value;
    if (skip) task.first_step = *value;
    if (stop_first) task.all = *value == 0;
  }
  if (engine.always_bounded && !task.last_step) return usage("expected the last step to look at");
  if (task.first_step != 0)
    return usage("-kmin is not supported: steps are looked at from the first");
  return task;
}

class Conversation {
 public:
  Conversation(const Task& task, const Problem& problem, Console& console)
      : task_(task), problem_(problem), console_(console) {}

  /// What comes before any answer.
  void open() {
    if (task_.engine->protocol == Protocol::Btormc)
      console_.out("[btormc] calling BMC on " + std::to_string(problem_.properties.size()) +
                   " properties\n");
  }

  void add(std::size_t property, const check::Certified& outcome) {
    const Verdict& verdict = outcome.verdict();
    if (is_safe(verdict)) {
      ++safe_;
      ++settled_;
      return;
    }
    if (std::optional<Reason> reason = reason_of(verdict)) {
      if (*reason == Reason::BoundReached) ++settled_;
      return;
    }
    ++settled_;
    if (is_answered()) return;
    show(property, outcome);
    witnesses_ = true;
  }
  /// Whether nothing more is to be said.
  bool is_answered() const { return witnesses_ && !task_.all; }

  /// The last word; whether the protocol had an answer.
  bool close() {
    std::size_t all = problem_.properties.size();
    switch (task_.engine->protocol) {
      case Protocol::Aiger:
        if (witnesses_) return true;
        // Under a bound 2 means that no step up to it fails.
        if (safe_ < all && task_.last_step && settled_ < all) return false;
        console_.out((safe_ == all ? "0\n" : "2\n") + writer::witness_symbol(problem_, 0) +
                     "\n.\n");
        return true;
      case Protocol::Btormc:
        if (!(witnesses_ && !task_.all) && settled_ < all) return false;
        console_.out("[btormc] deleting model checker: " + std::to_string(all) + " properties\n");
        return true;
      case Protocol::Pono:
        if (witnesses_) return true;
        if (settled_ < all) return false;
        console_.out("unknown\n");
        return true;
    }
    unreachable();
  }

 private:
  void show(std::size_t property, const check::Certified& outcome) {
    std::string bound = std::to_string(depth_of(*run_of(outcome.verdict())));
    switch (task_.engine->protocol) {
      case Protocol::Aiger:
        console_.out(writer::write_aiger_witness(problem_, property, outcome));
        return;
      case Protocol::Btormc:
        console_.out("[btormc] at bound k = " + bound + '\n' +
                     writer::write_btor2_witness(problem_, property, outcome));
        return;
      case Protocol::Pono:
        console_.out("at bound " + bound + '\n' +
                     writer::write_btor2_witness(problem_, property, outcome));
        return;
    }
    unreachable();
  }

  const Task& task_;
  const Problem& problem_;
  Console& console_;
  std::size_t safe_ = 0;
  std::size_t settled_ = 0;  // for good, or up to the bound
  bool witnesses_ = false;
};

/// Answers in the protocol; false if there is none to give.
bool converse(const Task& task, const Problem& problem, Supervisor& supervisor, Console& console) {
  const run::Selectable* engine = run::find_selectable(task.last_step ? "bmc" : "auto");
  Options options = run::declared_options();
  [[maybe_unused]] bool set = options.set_all(engine->settings).ok();
  if (task.last_step)
    set = set && options.set_all("bmc.max-depth=" + std::to_string(*task.last_step)).ok();
  assert(set && "the engines have these options");
  Stats stats;
  Log log;
  Progress progress;
  std::stop_source answered;  // or stopped by the supervisor
  std::stop_callback pass_on(supervisor.token(), [&] { answered.request_stop(); });
  Context ctx{options, stats, log, progress, answered.get_token()};
  Conversation conversation(task, problem, console);
  conversation.open();
  std::vector<std::size_t> all(problem.properties.size());
  std::iota(all.begin(), all.end(), 0);
  auto settled = [&](std::size_t property, const check::Certified& outcome, std::string_view) {
    conversation.add(property, outcome);
    if (conversation.is_answered()) answered.request_stop();
    return Status(Ok{});
  };
  run::Settings settings{.native = check::Native::Never};
  try {
    if (!run::prove_all(problem, all, *engine, settings, settled, ctx)) return false;
  } catch (const std::bad_alloc&) {
    supervisor.request(StopCause::Memory);
  }
  return conversation.close();
}

}  // namespace

bool is_sby_engine(std::string_view name) {
  return find_persona(name) != nullptr;
}

std::string sby_engines() {
  std::string out;
  for (const Persona& engine : kPersonas)
    out += (out.empty() ? "" : ", ") + std::string(engine.name);
  return out;
}

ExitCode run_as_engine(std::string_view name, std::span<const std::string> args, Console& console) {
  Result<Task> task = parse(*find_persona(name), args);
  if (!task) return console.fail(task.error());
  auto give_up = [&](StopCause) { _exit(static_cast<int>(ExitCode::Unknown)); };
  Supervisor supervisor({}, {[] {}, give_up});
  if (Status watching = supervisor.watching(); !watching) return ExitCode::Internal;
  Result<Problem> problem = frontend::read_problem(task->file, {}, nullptr, supervisor.token());
  if (!problem) return exit_code(problem.error().kind);
  bool fits = problem->source.format == task->engine->format;
  if (!fits || problem->properties.empty()) return ExitCode::Usage;
  bool answered = converse(*task, *problem, supervisor, console);
  supervisor.stand_down();
  return answered ? ExitCode::Safe : ExitCode::Unknown;
}

}  // namespace lem::app
