#include "run/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <string>
#include <utility>

#include "run/live/search.h"
#include "run/lowering.h"

namespace lem::run {

namespace {

/// Members of `auto` differ in whether they take programs in blocks.
constexpr std::string_view kNoBlocks = "transform.cfa-blocks=off,transform.cfa-bisimulation=off";

/// Where all members of `auto` start: transformed, on the rung where it is.
void lower_for_all(Question& question, const Context& ctx) {
  Options common = ctx.options;
  [[maybe_unused]] Status set = common.set_all(question.problem().is_program() ? kNoBlocks : "");
  assert(set.ok() && "transforms have these options");
  question.then<Lowering>(ctx.with_options(common), Rungs::all());
}

std::string size_of(const Problem& problem) {
  if (problem.is_program())
    return fmt::format("{} locations, {} edges, {} variables", problem.cfa().locations().size(),
                       problem.cfa().edges().size(), problem.cfa().variables().size());
  if (problem.is_terms())
    return fmt::format("{} inputs, {} states", problem.system().inputs().size(),
                       problem.system().states().size());
  if (problem.is_horn())
    return fmt::format("{} predicates, {} clauses", problem.horn().predicates.size(),
                       problem.horn().clauses.size());
  const Aig& aig = problem.aig();
  return fmt::format("{} inputs, {} latches, {} gates", aig.num_inputs(), aig.num_latches(),
                     aig.num_ands());
}

void log_sizes(const Problem& original, const Question& question, const Context& ctx) {
  ctx.log.info([&] {
    const Problem& asked = question.problem();
    return asked.properties.front().name + ": " + size_of(original) + "; after transforms " +
           size_of(asked);
  });
}

class Search {
 public:
  Search(const Asked& asked, const Member& member, const OnFound& found, const Context& ctx)
      : asked_(asked), member_(member), found_(found), ctx_(ctx), left_(asked.members) {}

  Result<Reason> ask_slice();
  Result<Reason> ask_whole();
  Result<Reason> ask_live();
  /// Common: where all members of `auto` start. Ready: where the engine takes it.
  enum class Form : std::uint8_t { Original, Common, Ready };
  Result<Reason> ask(Question question, Form form);
  /// Whether something was found about every property.
  bool is_done() const { return left_.empty(); }

 private:
  Status lower(Question& question, Form form) const;

  const Asked& asked_;
  const Member& member_;
  const OnFound& found_;
  const Context& ctx_;
  std::vector<std::size_t> left_;  // nothing was found about them yet
};

Result<Reason> Search::ask_slice() {
  Form form = asked_.prepared == nullptr ? Form::Original : Form::Common;
  Question question = form == Form::Common ? asked_.prepared->question : Question(asked_.problem);
  const Problem& program = question.problem();
  std::vector<std::size_t> members = asked_.members;
  const transform::Dependence* dependence = asked_.dependence;
  if (form == Form::Common) members = {0};
  std::optional<transform::Dependence> own;
  if (form == Form::Common || dependence == nullptr) {
    std::vector<LocationId> errors;
    for (std::size_t member : members) errors.push_back(error_of(program, member));
    own.emplace(program.cfa(), errors, transform::Dependence::Assumptions::All);
    dependence = &*own;
  }
  if (question.then<Slice>(*dependence, members).is_whole()) return Reason::GaveUp;
  return ask(std::move(question), form);
}

/// Again for those that are left while runs are found.
Result<Reason> Search::ask_whole() {
  bool several = member_.engine->several_properties && !asked_.problem.is_program();
  Joint::Form form = several && left_.size() > 1 ? Joint::Form::Several : Joint::Form::Disjunction;
  while (true) {
    std::size_t before = left_.size();
    Question question(asked_.problem);
    question.then<Joint>(left_, asked_.proved, form);
    Result<Reason> end = ask(std::move(question), Form::Original);
    bool again = form == Joint::Form::Disjunction && !left_.empty() && left_.size() < before;
    if (!end || !again || ctx_.stopped()) return end;
  }
}

/// Justice properties come one at a time.
Result<Reason> Search::ask_live() {
  assert(left_.size() == 1 && "one justice property");
  Question question(asked_.problem);
  question.then<Joint>(left_, std::vector<Proved>{}, Joint::Form::Disjunction);
  return search_live(question, *member_.live, member_.engine, found_, ctx_);
}

/// To where the engine takes it. The user's engine decides alone what the model becomes; members of
/// `auto` start from a common form.
Status Search::lower(Question& question, Form form) const {
  if (form == Form::Ready) return Ok{};
  Rungs targets = member_.rung ? Rungs(*member_.rung) : member_.engine->accepts;
  if (!member_.chosen) {
    if (form == Form::Original) lower_for_all(question, ctx_);
    bool there = !member_.rung && targets.has(question.problem().rung());
    if (there || ctx_.stopped()) return Ok{};
  }
  const auto& lowered = question.then<Lowering>(ctx_, targets);
  if (lowered.obstacle().empty()) return Ok{};
  return does_not_fit(asked_.problem, *member_.engine, lowered.obstacle());
}

Result<Reason> Search::ask(Question question, Form form) {
  Status lowered = lower(question, form);
  // A run that is stopped here has not brought the model to where the engine takes it.
  if (ctx_.stopped()) return Reason::Stopped;
  if (!lowered) return lowered.error();
  log_sizes(asked_.problem, question, ctx_);
  auto back = [&](Found found) {
    std::optional<Found> about = question.back(std::move(found));
    if (!about) return;
    std::erase_if(left_, [&](std::size_t one) {
      return std::binary_search(about->properties.begin(), about->properties.end(), one);
    });
    found_(*std::move(about));
  };
  Reason end = member_.engine->check(question.problem(), back, ctx_);
  return ctx_.stopped() ? Reason::Stopped : end;
}

}  // namespace

Error does_not_fit(const Problem& problem, const engine::EngineInfo& engine,
                   const std::string& why) {
  std::string works = engine.accepts == Rung::Program   ? "programs"
                      : engine.accepts == Rung::Horn    ? "Horn clauses"
                      : engine.accepts.has(Rung::Terms) ? "transition systems"
                                                        : "bits";
  return {{problem.source.file},
          "engine '" + std::string(engine.id) + "' works on " + works + ": " + why,
          ErrorKind::Usage};
}

std::optional<Prepared> prepare(const Problem& problem, std::size_t property, const Context& ctx) {
  Question question(problem);
  question.then<Joint>(std::vector<std::size_t>{property}, std::vector<Proved>{},
                       Joint::Form::Disjunction);
  // A justice property is lowered after it has become a safety problem, by each method.
  if (question.problem().has_justice()) return Prepared{std::move(question), {}};
  lower_for_all(question, ctx);
  if (ctx.stopped()) return {};
  log_sizes(problem, question, ctx);
  Prepared made{std::move(question), {}};
  if (!made.question.problem().is_terms()) return made;
  Question bits = made.question;
  if (bits.then<Lowering>(ctx, Rung::Bits).obstacle().empty() && !ctx.stopped())
    made.bits = std::move(bits);
  return made;
}

Result<Reason> search(const Asked& asked, const Member& member, const OnFound& found,
                      const Context& ctx) {
  assert(!asked.members.empty() && "a question is about something");
  Search search(asked, member, found, ctx);
  if (member.live != nullptr) return search.ask_live();
  if (asked.slicing == Asked::Slicing::First && asked.problem.is_program()) {
    Result<Reason> end = search.ask_slice();
    if (!end || search.is_done() || ctx.stopped()) return end;
  }
  if (asked.prepared == nullptr) return search.ask_whole();
  bool bits = asked.prepared->bits && member.rung == Rung::Bits;
  return bits ? search.ask(*asked.prepared->bits, Search::Form::Ready)
              : search.ask(asked.prepared->question, Search::Form::Common);
}

}  // namespace lem::run
