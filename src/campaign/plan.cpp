#include "campaign/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/sha256.h"
#include "base/try.h"
#include "campaign/execute.h"
#include "campaign/expected.h"
#include "campaign/inputs.h"

namespace lem::campaign {

namespace fs = std::filesystem;

Result<std::vector<std::string>> split_words(const std::string& text) {
  std::vector<std::string> out;
  std::string word;
  bool inside = false;  // of a word; one may be empty, in quotes
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      if (inside) out.push_back(std::exchange(word, ""));
      inside = false;
      continue;
    }
    inside = true;
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
    } else {
      word += c;
    }
  }
  if (quote != 0) return Error{{}, fmt::format("a quote {} is not closed", quote)};
  if (inside) out.push_back(word);
  return out;
}

static void replace_all(std::string& text, std::string_view what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
}

static std::vector<std::string> our_command(const Plan& plan, const Configuration& one,
                                            const std::string& file, std::int64_t seed,
                                            const Vocabulary& words) {
  std::string program = words.program;
  if (!one.program.empty()) program = fs::path(plan.base) / one.program;
  std::vector<std::string> out = {program,    "check", file,     "--engine",
                                  one.engine, "-q",    "--json", "-"};
  for (const char* kind : {"--witness", "--certificate"}) {
    out.emplace_back(kind);
    out.push_back(std::string(kEvidenceWord) + "/");
  }
  if (plan.seconds > 0) out.insert(out.end(), {"--timeout", fmt::format("{:g}", plan.seconds)});
  if (plan.memory_mb > 0) out.insert(out.end(), {"--memory", std::to_string(plan.memory_mb)});
  if (seed >= 0)
    for (const std::string& option : words.seeds)
      out.insert(out.end(), {"--set", option + "=" + std::to_string(seed)});
  for (const std::string& setting : one.settings) out.insert(out.end(), {"--set", setting});
  out.insert(out.end(), one.arguments.begin(), one.arguments.end());
  return out;
}

static std::vector<std::string> their_command(const Plan& plan, const Configuration& one,
                                              const std::string& file, std::int64_t seed,
                                              const Vocabulary& words) {
  std::vector<std::string> out = *split_words(one.command);
  for (std::string& word : out) {
    replace_all(word, "{file}", file);
    replace_all(word, "{seconds}", fmt::format("{:g}", plan.seconds));
    replace_all(word, "{memory}", std::to_string(plan.memory_mb));
    replace_all(word, "{seed}", std::to_string(std::max<std::int64_t>(seed, 0)));
    replace_all(word, "{lemmata}", words.program);
  }
  return out;
}

/// Beside other text in a word, a name is read by a language that we do not know: in the script of
/// a contender a semicolon or an exclamation mark could be a command.
static Status check_name(const Configuration& one, const std::string& file) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%~^";
  Result<std::vector<std::string>> words = split_words(one.command);
  for (const std::string& word : *words)
    if (word != "{file}" && word.find("{file}") != std::string::npos &&
        file.find_first_not_of(kPlain) != std::string::npos)
      return Error{{},
                   fmt::format("the name of '{}' cannot stand in '{}' of '{}': give {{file}} as a "
                               "word of its own, or rename the file",
                               file, word, one.name),
                   ErrorKind::Usage};
  return Ok{};
}

static Status check_run(const Configuration& one, const std::string& file,
                        const Vocabulary& words) {
  if (!one.ours()) return check_name(one, file);
  if (!one.program.empty() || !words.fits) return Ok{};
  Status fits = words.fits(file, one.arguments);
  if (fits) return fits;
  return Error{fits.error().at, "configuration '" + one.name + "': " + fits.error().message,
               fits.error().kind};
}

static bool takes(const Configuration& one, const std::string& file) {
  if (one.endings.empty()) return true;
  return std::find(one.endings.begin(), one.endings.end(), fs::path(file).extension()) !=
         one.endings.end();
}

static Result<std::vector<std::string>> files_of(const Plan& plan, const Vocabulary& words) {
  std::vector<std::string> out;
  std::set<std::string> known;
  for (const std::string& pattern : plan.inputs) {
    LEM_LET(std::vector<std::string> found, find_inputs(plan.base, pattern, words.endings));
    for (std::string& file : found) {
      auto excluded = [&](const std::string& one) { return matches(one, file); };
      bool out_of_it = std::any_of(plan.exclude.begin(), plan.exclude.end(), excluded);
      if (!out_of_it && known.insert(file).second) out.push_back(std::move(file));
    }
  }
  if (out.empty()) return Error{{}, "the plan excludes every input", ErrorKind::Usage};
  return out;
}

Result<std::vector<RunSpec>> expand(const Plan& plan, const Vocabulary& words) {
  LEM_LET(std::vector<std::string> files, files_of(plan, words));
  LEM_LET(Expected expected, Expected::read(plan.base, plan.expected));
  std::vector<Configuration> configurations = plan.configurations;
  if (configurations.empty()) configurations.push_back({.name = "auto"});
  std::vector<std::int64_t> seeds = plan.seeds;
  if (seeds.empty()) seeds.push_back(-1);
  std::vector<RunSpec> runs;
  for (const std::string& file : files) {
    std::string path = fs::absolute(fs::path(plan.base) / file).lexically_normal();
    for (std::int64_t seed : seeds)
      for (const Configuration& one : configurations) {
        if (!takes(one, file)) continue;
        LEM_TRY(check_run(one, path, words));
        RunSpec run;
        run.id = static_cast<std::int64_t>(runs.size()) + 1;
        run.file = file;
        run.configuration = one.name;
        run.seed = seed;
        run.expected = expected.of(file);
        run.ours = one.ours();
        run.command = run.ours ? our_command(plan, one, path, seed, words)
                               : their_command(plan, one, path, seed, words);
        run.safe = one.safe;
        run.unsafe = one.unsafe;
        run.seconds = plan.seconds;
        run.memory_mb = plan.memory_mb;
        runs.push_back(std::move(run));
      }
  }
  if (runs.empty()) return Error{{}, "no configuration takes any of the inputs", ErrorKind::Usage};
  return runs;
}

std::string digest_of(const std::vector<RunSpec>& runs) {
  std::string text;
  for (const RunSpec& run : runs) text += to_json(run) + "\n";
  return sha256(text);
}

}  // namespace lem::campaign
