#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <regex>

#include "base/near_names.h"
#include "campaign/plan.h"

namespace lem::campaign {

namespace {

/// Reads one file; the first error is kept.
class PlanReader {
 public:
  PlanReader(const std::string& path, const Vocabulary& words) : path_(path), words_(words) {}

  Result<Plan> read();

 private:
  void fail(const YAML::Node& at, std::string message) {
    if (error_) return;
    YAML::Mark mark = at.Mark();
    bool known = mark.line >= 0;
    error_ = Error{{path_, known ? static_cast<std::uint32_t>(mark.line) + 1 : 0,
                    known ? static_cast<std::uint32_t>(mark.column) + 1 : 0},
                   std::move(message)};
  }
  void only(const YAML::Node& map, std::initializer_list<const char*> keys);
  std::string text(const YAML::Node& node);
  /// One text stands for a list with one.
  std::vector<std::string> texts(const YAML::Node& node);
  double number(const YAML::Node& node, double least, double most);
  std::vector<std::int64_t> seeds(const YAML::Node& plan);
  Configuration configuration(const YAML::Node& node);
  Configuration contender(const YAML::Node& node);
  void matrix(const YAML::Node& node, Plan& plan);
  void add(const YAML::Node& at, Configuration one, Plan& plan);

  const std::string& path_;
  const Vocabulary& words_;
  std::optional<Error> error_;
};

void PlanReader::only(const YAML::Node& map, std::initializer_list<const char*> keys) {
  if (!map.IsMap()) return fail(map, "expected keys with values");
  std::vector<std::string> names(keys.begin(), keys.end());
  for (const auto& entry : map) {
    std::string key = entry.first.Scalar();
    if (std::find(names.begin(), names.end(), key) != names.end()) continue;
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    return fail(entry.first,
                "unknown key '" + key + "'" + near_names(key, names) + " (keys: " + all + ")");
  }
}

std::string PlanReader::text(const YAML::Node& node) {
  if (!node) return {};
  if (!node.IsScalar()) fail(node, "expected a text");
  return node.IsScalar() ? node.Scalar() : std::string();
}

std::vector<std::string> PlanReader::texts(const YAML::Node& node) {
  std::vector<std::string> out;
  if (!node) return out;
  if (!node.IsSequence()) return {text(node)};
  for (const YAML::Node& each : node) out.push_back(text(each));
  return out;
}

double PlanReader::number(const YAML::Node& node, double least, double most) {
  double value = 0;
  if (!node) return value;
  if (!node.IsScalar() || !YAML::convert<double>::decode(node, value) || value < least ||
      value > most)
    fail(node, "expected a number from " + std::to_string(static_cast<std::int64_t>(least)) +
                   " to " + std::to_string(static_cast<std::int64_t>(most)));
  return value;
}

std::vector<std::int64_t> PlanReader::seeds(const YAML::Node& plan) {
  std::vector<std::int64_t> out;
  if (plan["seeds"] && plan["repeat"]) fail(plan["seeds"], "give `seeds` or `repeat`, not both");
  YAML::Node list = plan["seeds"];
  if (list && !list.IsSequence()) fail(list, "expected a list of numbers");
  if (list && list.IsSequence())
    for (const YAML::Node& each : list)
      out.push_back(static_cast<std::int64_t>(number(each, 0, 1e6)));
  auto repeat = static_cast<std::int64_t>(number(plan["repeat"], 1, 1000));
  for (std::int64_t i = 1; i <= repeat; ++i) out.push_back(i);
  return out;
}

Configuration PlanReader::configuration(const YAML::Node& node) {
  Configuration out;
  if (node.IsScalar()) {
    out.name = out.engine = node.Scalar();
    return out;
  }
  only(node, {"name", "engine", "set", "arguments", "program"});
  if (!node.IsMap()) return out;
  if (node["engine"]) out.engine = text(node["engine"]);
  out.settings = texts(node["set"]);
  out.arguments = texts(node["arguments"]);
  out.program = text(node["program"]);
  out.name = node["name"] ? text(node["name"]) : out.engine;
  return out;
}

Configuration PlanReader::contender(const YAML::Node& node) {
  Configuration out;
  only(node, {"name", "command", "safe", "unsafe", "files"});
  if (!node.IsMap()) return out;
  for (const char* key : {"name", "command"})
    if (!node[key]) fail(node, std::string("a contender needs `") + key + "`");
  out.name = text(node["name"]);
  out.command = text(node["command"]);
  out.safe = text(node["safe"]);
  out.unsafe = text(node["unsafe"]);
  out.endings = texts(node["files"]);
  out.engine.clear();
  if (!error_ && out.command.find("{file}") == std::string::npos)
    fail(node["command"], "the command has no {file}");
  if (Result<std::vector<std::string>> words = split_words(out.command); !error_ && !words)
    fail(node["command"], words.error().message);
  for (const char* key : {"safe", "unsafe"}) try {
      std::regex(text(node[key]));
    } catch (const std::regex_error&) {
      fail(node[key], "not a regular expression");
    }
  return out;
}

void PlanReader::add(const YAML::Node& at, Configuration one, Plan& plan) {
  if (error_) return;
  for (const Configuration& other : plan.configurations)
    if (other.name == one.name) return fail(at, "two configurations are called '" + one.name + "'");
  if (one.ours() && one.program.empty())
    if (Status known = words_.check(one.engine, one.settings); !known)
      return fail(at, known.error().message);
  plan.configurations.push_back(std::move(one));
}

/// Every combination of engines, options and arguments; a configuration is called after its parts.
void PlanReader::matrix(const YAML::Node& node, Plan& plan) {
  only(node, {"engine", "set", "arguments"});
  if (error_) return;
  std::vector<Configuration> all = {Configuration{}};
  auto multiply = [&](const YAML::Node& choices, auto apply) {
    if (!choices) return;
    if (!choices.IsSequence()) return fail(choices, "expected a list of choices");
    std::vector<Configuration> next;
    for (const Configuration& one : all)
      for (const YAML::Node& choice : choices) {
        Configuration made = one;
        std::string word = apply(made, choice);
        if (!word.empty()) made.name += (made.name.empty() ? "" : " ") + word;
        next.push_back(std::move(made));
      }
    all = std::move(next);
  };
  auto joined = [](const std::vector<std::string>& list) {
    std::string out;
    for (const std::string& each : list) out += (out.empty() ? "" : " ") + each;
    return out;
  };
  multiply(node["engine"],
           [&](Configuration& one, const YAML::Node& choice) { return one.engine = text(choice); });
  multiply(node["set"], [&](Configuration& one, const YAML::Node& choice) {
    return joined(one.settings = texts(choice));
  });
  multiply(node["arguments"], [&](Configuration& one, const YAML::Node& choice) {
    return joined(one.arguments = texts(choice));
  });
  for (Configuration& one : all) {
    if (one.name.empty()) one.name = one.engine;
    add(node, std::move(one), plan);
  }
}

Result<Plan> PlanReader::read() {
  Plan plan;
  std::filesystem::path folder = std::filesystem::absolute(path_).parent_path();
  plan.base = folder.string();
  YAML::Node root = YAML::LoadFile(path_);
  only(root, {"inputs", "exclude", "configurations", "matrix", "contenders", "limits", "expected",
              "seeds", "repeat", "slurm"});
  if (error_) return *error_;
  plan.inputs = texts(root["inputs"]);
  if (plan.inputs.empty()) fail(root, "a plan needs `inputs`");
  plan.exclude = texts(root["exclude"]);
  if (YAML::Node limits = root["limits"]; limits) {
    only(limits, {"seconds", "memory"});
    if (!error_) plan.seconds = number(limits["seconds"], 0, 1e7);
    if (!error_) plan.memory_mb = static_cast<std::uint64_t>(number(limits["memory"], 1, 1e7));
  }
  for (const YAML::Node& each : root["configurations"]) add(each, configuration(each), plan);
  if (root["matrix"]) matrix(root["matrix"], plan);
  for (const YAML::Node& each : root["contenders"]) add(each, contender(each), plan);
  plan.expected = texts(root["expected"]);
  plan.seeds = seeds(root);
  if (YAML::Node slurm = root["slurm"]; slurm) {
    only(slurm, {"cores", "bundle", "arguments"});
    if (error_) return *error_;
    if (slurm["cores"]) plan.cluster.cores = static_cast<int>(number(slurm["cores"], 1, 1024));
    plan.cluster.bundle = static_cast<int>(number(slurm["bundle"], 1, 100'000));
    plan.cluster.arguments = texts(slurm["arguments"]);
  }
  if (error_) return *error_;
  return plan;
}

}  // namespace

Result<Plan> read_plan(const std::string& path, const Vocabulary& words) {
  try {
    return PlanReader(path, words).read();
  } catch (const YAML::BadFile&) {
    return Error{{path}, "no such file", ErrorKind::NotFound};
  } catch (const YAML::Exception& wrong) {
    return Error{{path, static_cast<std::uint32_t>(wrong.mark.line + 1),
                  static_cast<std::uint32_t>(wrong.mark.column + 1)},
                 wrong.msg};
  }
}

}  // namespace lem::campaign
