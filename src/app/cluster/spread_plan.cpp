#include "app/cluster/spread_plan.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "app/cluster/spread.h"
#include "campaign/execute.h"
#include "run/members.h"

namespace lem::app {

namespace {

/// An engine with options; of `auto` and of those without a seed there is one.
struct Choice {
  std::string engine;
  std::vector<std::string> settings;
};

bool has_words_only(const TransitionSystem& system) {
  return std::all_of(system.states().begin(), system.states().end(), [&](const auto& state) {
    SortKind kind = system.terms().kind(state.current);
    return kind == SortKind::BitVec || kind == SortKind::Bool;
  });
}

bool has_seed(std::string_view engine) {
  const run::Selectable* found = run::find_selectable(engine);
  return found != nullptr &&
         std::any_of(found->options.begin(), found->options.end(),
                     [](const OptionRow& row) { return row.name.ends_with(".seed"); });
}

/// `auto` as a whole, on one core; then its members, those with the shortest turns first: a task of
/// its own brings most to a member that `auto` runs late and for a short time. The first one, which
/// `auto` begins with, is last.
std::vector<Choice> choices_for(const Problem& problem) {
  bool words = problem.is_terms() && has_words_only(problem.system());
  std::vector<Choice> out = {{"auto", {"portfolio.workers=1"}}};
  std::vector<run::Member> members =
      run::members_for(problem, words ? run::Bits::Yes : run::Bits::No);
  auto turn = [](const run::Member& member) {
    return member.turn_ms == 0 ? UINT32_MAX : member.turn_ms;
  };
  std::stable_sort(members.begin(), members.end(),
                   [&](const auto& a, const auto& b) { return turn(a) < turn(b); });
  for (const run::Member& member : members) {
    std::vector<std::string> settings;
    if (!member.settings.empty()) settings.push_back(member.settings);
    if (std::string prover = member.prover_setting(); !prover.empty()) settings.push_back(prover);
    bool known = std::any_of(out.begin(), out.end(), [&](const Choice& other) {
      return other.engine == member.id() && other.settings == settings;
    });
    if (!known) out.push_back({std::string(member.id()), settings});
  }
  return out;
}

/// The choices once, then those with a seed again and again, each time with another one.
std::vector<Choice> configurations(const Problem& problem, const std::string& engine,
                                   std::size_t count) {
  std::vector<Choice> out;
  if (engine == "auto")
    out = choices_for(problem);
  else
    out.push_back({engine, {}});
  std::vector<Choice> seeded;
  for (const Choice& choice : out)
    if (has_seed(choice.engine.substr(0, choice.engine.find(':')))) seeded.push_back(choice);
  if (seeded.empty()) seeded.push_back({"auto", {"portfolio.workers=1"}});
  for (std::size_t seed = 2; out.size() < count; ++seed)
    for (Choice choice : seeded) {
      std::string id = choice.engine.substr(0, choice.engine.find(':'));
      bool whole = id == "auto";
      for (const char* each : {"ic3", "ic3ia", "ic3cfa"})
        if (whole || id == each)
          choice.settings.push_back(std::string(each) + ".seed=" + std::to_string(seed));
      out.push_back(std::move(choice));
    }
  out.resize(count);
  return out;
}

SpreadTask task_of(const Choice& choice, std::vector<std::size_t> places) {
  std::string name = choice.engine;
  for (const std::string& setting : choice.settings)
    if (!setting.starts_with("portfolio.")) name += " " + setting;
  return {name, choice.engine, choice.settings, std::move(places)};
}

}  // namespace

std::vector<SpreadTask> spread_tasks(const Problem& problem, std::span<const std::size_t> chosen,
                                     const std::string& engine, int count) {
  std::vector<SpreadTask> tasks;
  auto wanted = static_cast<std::size_t>(count);
  if (chosen.size() >= wanted) {
    Choice choice = configurations(problem, engine, 1).front();
    for (std::size_t i = 0; i < wanted; ++i) {
      std::vector<std::size_t> places;
      for (std::size_t place = i; place < chosen.size(); place += wanted) places.push_back(place);
      tasks.push_back(task_of(choice, std::move(places)));
    }
    return tasks;
  }
  std::size_t each = (wanted + chosen.size() - 1) / chosen.size();
  std::vector<Choice> all = configurations(problem, engine, each);
  for (std::size_t i = 0; i < wanted; ++i)
    tasks.push_back(task_of(all[i / chosen.size()], {i % chosen.size()}));
  return tasks;
}

std::vector<campaign::RunSpec> spread_specs(const CheckRequest& request, const Problem& problem,
                                            std::span<const std::size_t> chosen,
                                            std::span<const SpreadTask> tasks,
                                            std::span<const std::string> arguments,
                                            const std::string& lemmas) {
  constexpr std::array<std::string_view, 7> kWithValue = {
      "--on", "--engine", "--json", "--witness", "--certificate", "--report", "--property"};
  constexpr std::array<std::string_view, 8> kFlags = {
      "--stream", "--stats", "--no-progress", "--no-certify", "-q", "-v", "-vv", "-vvv"};
  std::error_code failed;
  std::string program = std::filesystem::read_symlink("/proc/self/exe", failed).string();
  std::vector<std::string> common = without_options(arguments, kWithValue, kFlags);
  std::vector<campaign::RunSpec> specs;
  for (const SpreadTask& task : tasks) {
    campaign::RunSpec spec;
    spec.id = static_cast<std::int64_t>(specs.size());
    spec.file = request.file;
    spec.configuration = task.name;
    spec.seconds = request.limits.seconds.value_or(0);
    spec.command = {program, "check", "--engine", task.engine, "-q", "--json", "-"};
    std::string evidence = std::string(campaign::kEvidenceWord) + "/";
    spec.command.insert(spec.command.end(), {"--witness", evidence, "--certificate", evidence});
    // The submitting side checks what an engine claims; only `auto` needs to know itself which of
    // its members to believe.
    if (task.engine != "auto") spec.command.emplace_back("--no-certify");
    if (!lemmas.empty()) spec.command.insert(spec.command.end(), {"--set", "ic3.lemmas=" + lemmas});
    for (const std::string& setting : task.settings)
      spec.command.insert(spec.command.end(), {"--set", setting});
    for (std::size_t place : task.places)
      spec.command.insert(spec.command.end(),
                          {"--property", problem.properties[chosen[place]].name});
    spec.command.insert(spec.command.end(), common.begin(), common.end());
    specs.push_back(std::move(spec));
  }
  return specs;
}

std::vector<std::string> without_options(std::span<const std::string> arguments,
                                         std::span<const std::string_view> with_value,
                                         std::span<const std::string_view> flags) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    std::string_view name = std::string_view(word).substr(0, word.find('='));
    if (std::find(flags.begin(), flags.end(), word) != flags.end()) continue;
    if (std::find(with_value.begin(), with_value.end(), name) == with_value.end()) {
      out.push_back(word);
      continue;
    }
    if (name.size() == word.size()) ++i;  // its value
  }
  return out;
}

}  // namespace lem::app
