// The portfolio's loop. Workers are processes (worker.h) that share the cores (crew.h); who they
// are is in members.h. Tests: tests/unit/portfolio/portfolio_test.cpp.
#include "portfolio/portfolio.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "portfolio/crew.h"
#include "portfolio/members.h"
#include "portfolio/pool.h"

namespace lem::portfolio {

namespace {

// Bounds how long a stop request, a turn or a growing worker goes unnoticed.
constexpr std::chrono::milliseconds kTick{20};

struct PortfolioStats {
  explicit PortfolioStats(Stats& all)
      : started(all.counter("portfolio.started")),
        crashed(all.counter("portfolio.crashed")),
        rejected(all.counter("portfolio.rejected")),
        contradiction(all.counter("portfolio.contradiction")),
        judging(all.timer("portfolio.judging")) {}
  Counter& started;
  Counter& crashed;
  Counter& rejected;
  Counter& contradiction;
  Timer& judging;
};

class PortfolioRun {
 public:
  PortfolioRun(const std::vector<Member>& members, const Problem& problem, Judge* judge,
               const Context& ctx, Growth* growth)
      : problem_(problem),
        judge_(judge),
        ctx_(ctx),
        growth_(growth),
        stats_(ctx.stats),
        crew_(members, problem, ctx.options, cores_for(ctx.options), memory_for(ctx.options),
              growth == nullptr ? Sampling::Off : Sampling::On) {}

  Answer check() {
    while (!ctx_.stopped()) {
      crew_.take_turns();
      std::vector<News> news = crew_.listen(kTick);
      for (std::size_t i = 0; i < news.size(); ++i)
        if (wins(news[i])) return settle(news[i], std::span(news).subspan(i + 1));
      shed_memory();
      stats_.started.value = crew_.started();
      if (crew_.gone() && crew_.started() == 0) return work_alone();
      if (crew_.gone()) return {Unknown{why_nobody_knows()}};
    }
    return {Unknown{Reason::Stopped}};
  }

 private:
  bool wins(const News& news);
  Answer settle(const News& winner, std::span<const News> rest);
  bool contradicts(const Verdict& accepted, const News& news);
  bool believed(const News& news);
  void shed_memory();
  void merge_stats(const News& winner);
  Reason why_nobody_knows() const;
  Answer work_alone();

  const Problem& problem_;
  Judge* judge_;
  const Context& ctx_;
  Growth* growth_;  // nullptr: nobody wants to see it
  PortfolioStats stats_;
  Crew crew_;
  std::optional<Reason> last_reason_;
  bool shed_ = false;  // members for lack of memory
};

bool is_definite(const News& news) {
  return news.kind == News::Kind::Answer &&
         !std::holds_alternative<Unknown>(std::get<FinalWord>(news.message).verdict);
}

/// One more point of the member's curves.
void note_growth(Growth& growth, const Member& member, const Message& message) {
  std::string name = member.settings.empty() ? std::string(member.engine->id) : member.name();
  if (const auto* sample = std::get_if<Sample>(&message))
    growth.add(name, sample->stats, sample->memory_bytes, sample->text);
  if (const auto* last = std::get_if<FinalWord>(&message)) growth.add(name, last->stats, 0, {});
}

/// Whoever answered or crashed and does not win is out, and its core free.
bool PortfolioRun::wins(const News& news) {
  std::string name = crew_.member(news.from).name();
  if (growth_ != nullptr) note_growth(*growth_, crew_.member(news.from), news.message);
  switch (news.kind) {
    case News::Kind::Progress:
      // Workers send few lines, and each of them is news about another engine.
      ctx_.progress.publish(status_of(news.message));
      return false;
    case News::Kind::Crash:
      ++stats_.crashed;
      ctx_.log.info([&] { return "portfolio: worker " + name + " died without an answer"; });
      break;
    case News::Kind::Answer:
      if (is_definite(news) && believed(news)) return true;
      if (const auto* unknown = std::get_if<Unknown>(&std::get<FinalWord>(news.message).verdict))
        last_reason_ = unknown->reason;
  }
  crew_.dismiss(news.from);
  return false;
}

/// The others stand still meanwhile: the judge needs the core, and most likely they are done.
bool PortfolioRun::believed(const News& news) {
  if (judge_ == nullptr) return true;
  TimerScope time(stats_.judging);
  crew_.pause_all();
  bool accepted = judge_->accepts(std::get<FinalWord>(news.message).verdict);
  if (accepted || ctx_.stopped()) return accepted;
  crew_.resume_all();
  ++stats_.rejected;
  ctx_.log.info([&] {
    return "portfolio: evidence of " + crew_.member(news.from).name() + " was not accepted";
  });
  return false;
}

/// An opposite answer that is already there gets its hearing: if it is believed too, neither
/// counts.
Answer PortfolioRun::settle(const News& winner, std::span<const News> rest) {
  const Verdict& verdict = std::get<FinalWord>(winner.message).verdict;
  std::vector<News> late = crew_.listen(std::chrono::milliseconds{0});
  bool contradicted = false;
  for (const News& news : rest) contradicted = contradicted || contradicts(verdict, news);
  for (const News& news : late) contradicted = contradicted || contradicts(verdict, news);
  crew_.dismiss_all();
  stats_.started.value = crew_.started();
  ctx_.log.debug([&] { return "portfolio: answer by " + crew_.member(winner.from).name(); });
  merge_stats(winner);
  if (contradicted) return {Unknown{Reason::Crashed}};
  return {verdict, std::string(crew_.member(winner.from).engine->id)};
}

bool PortfolioRun::contradicts(const Verdict& accepted, const News& news) {
  if (!is_definite(news)) return false;
  if (std::get<FinalWord>(news.message).verdict.index() == accepted.index()) return false;
  if (!believed(news)) return false;
  ++stats_.contradiction;
  ctx_.log.info([&] {
    return "portfolio: internal error: " + crew_.member(news.from).name() +
           " contradicts an accepted answer and was accepted too";
  });
  return true;
}

void PortfolioRun::shed_memory() {
  for (MemberId id : crew_.shed_memory()) {
    shed_ = true;
    ++stats_.crashed;
    ctx_.log.info([&] {
      return "portfolio: worker " + crew_.member(id).name() + " ended: the memory is full";
    });
  }
}

/// The winner's counters become the run's; its depth is the run's depth under any name.
void PortfolioRun::merge_stats(const News& winner) {
  const Stats& won = std::get<FinalWord>(winner.message).stats;
  add_counts(ctx_.stats, won);
  auto depth = won.counters().find(std::string(crew_.member(winner.from).engine->id) + ".depth");
  if (depth == won.counters().end()) return;
  for (const char* name : {"portfolio.depth", "auto.depth"})
    ctx_.stats.counter(name).value = depth->second.value;
}

Reason PortfolioRun::why_nobody_knows() const {
  if (shed_) return Reason::OutOfMemory;  // they did not give up
  return last_reason_.value_or(Reason::Crashed);
}

/// Without any worker the first member runs in this process; the caller checks its evidence.
Answer PortfolioRun::work_alone() {
  if (!crew_.has_members()) return {Unknown{Reason::GaveUp}};
  const Member& first = crew_.member(MemberId{0});
  ctx_.log.info(
      [&] { return "portfolio: no process could be started: " + first.name() + " alone"; });
  Options own = member_options(first, ctx_.options);
  Context ctx{own, ctx_.stats, ctx_.log, ctx_.progress, ctx_.stop};
  return {run_member(first, problem_, ctx), std::string(first.engine->id)};
}

}  // namespace

std::span<const OptionRow> portfolio_options() {
  static constexpr std::array kRows = {
      OptionRow::number("portfolio.workers", 0, 0, 256,
                        "workers that run at the same time, 0 for one per core"),
      OptionRow::number("portfolio.memory", 1800, 0, 1'000'000,
                        "MB that all workers may hold together, 0 for no limit"),
      OptionRow::toggle("portfolio.slice", true,
                        "prove a program by the part that its property depends on, if that will "
                        "do [Weiser81]"),
      OptionRow::toggle("portfolio.share", false,
                        "workers and tasks of one run share lemmas (ic3.lemmas)"),
  };
  return kRows;
}

Answer run_members(const std::vector<Member>& members, const Problem& problem, Judge* judge,
                   const Context& ctx, Growth* growth) {
  return PortfolioRun(members, problem, judge, ctx, growth).check();
}

Answer run_portfolio(const Problem& problem, Judge* judge, const Context& ctx, Growth* growth) {
  std::optional<transform::Pipeline> bits;
  if (problem.is_terms()) bits.emplace(problem, ctx, Rung::Bits);
  bool has_bits = bits && bits->obstacle().empty() && !ctx.stopped();
  std::vector<Member> members =
      has_bits ? members_for(problem, Bits::Yes, &*bits) : members_for(problem, Bits::No);
  return run_members(members, problem, judge, ctx, growth);
}

}  // namespace lem::portfolio
