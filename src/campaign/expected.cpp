#include "campaign/expected.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/try.h"
#include "campaign/database.h"

namespace lem::campaign {

namespace fs = std::filesystem;

std::vector<std::string> csv_fields(const std::string& line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      out.back() += line[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      out.emplace_back();
    } else if (c != '\r') {
      out.back() += c;
    }
  }
  return out;
}

static std::string seen_from(const std::string& base, const fs::path& path) {
  return fs::absolute(path).lexically_normal().lexically_relative(
      fs::absolute(base).lexically_normal());
}

static bool is_definite(const std::string& verdict) {
  return verdict == "safe" || verdict == "unsafe";
}

using Verdicts = std::map<std::string, std::string>;

static Result<Verdicts> from_table(const std::string& base, const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line))
    return Error{{path.string()}, "cannot be read", ErrorKind::NotFound};
  std::vector<std::string> head = csv_fields(line);
  auto column = [&](const char* name) {
    return static_cast<std::size_t>(std::find(head.begin(), head.end(), name) - head.begin());
  };
  std::size_t name = column("file");
  std::size_t verdict = column("expected");
  if (name == head.size() || verdict == head.size())
    return Error{{path.string(), 1, 1}, "expected columns `file` and `expected`"};
  Verdicts out;
  while (std::getline(file, line)) {
    std::vector<std::string> fields = csv_fields(line);
    if (std::max(name, verdict) < fields.size() && is_definite(fields[verdict]))
      out[seen_from(base, path.parent_path() / fields[name])] = fields[verdict];
  }
  return out;
}

/// A file about which the campaign has two opinions is left out.
static Result<Verdicts> from_campaign(const fs::path& path) {
  std::error_code failed;
  if (!fs::exists(path, failed)) return Error{{path.string()}, "no such file", ErrorKind::NotFound};
  auto database = Database::open(path, Sqlite::Mode::Read);
  if (!database) return database.error();
  LEM_LET(std::vector<RunRow> rows, (*database)->rows());
  Verdicts out;
  for (const RunRow& row : rows) {
    if (!is_definite(row.record.verdict)) continue;
    auto [at, fresh] = out.try_emplace(row.file, row.record.verdict);
    if (!fresh && at->second != row.record.verdict) at->second = "";
  }
  return out;
}

Result<Expected> Expected::read(const std::string& base, const std::vector<std::string>& sources) {
  Expected out;
  out.base_ = base;
  for (const std::string& source : sources) {
    Source& made = out.sources_.emplace_back();
    made.names = source == "names";
    if (made.names) continue;
    fs::path path = fs::path(base) / source;
    LEM_LET(Verdicts verdicts,
            path.extension() == ".db" ? from_campaign(path) : from_table(base, path));
    made.verdicts = std::move(verdicts);
  }
  return out;
}

std::string Expected::of(const std::string& file) const {
  fs::path path = fs::path(file).lexically_normal();
  std::string seen = seen_from(base_, fs::path(base_) / path);
  for (const Source& source : sources_) {
    for (const std::string& key : {seen, path.string()})
      if (auto found = source.verdicts.find(key); found != source.verdicts.end())
        return found->second;
    std::string stem = path.stem();
    if (source.names && stem.ends_with("_unsafe")) return "unsafe";
    if (source.names && stem.ends_with("_safe")) return "safe";
  }
  return "";
}

}  // namespace lem::campaign
