#include "campaign/spec.h"

#include <algorithm>
#include <array>

#include "campaign/json.h"

namespace lem::campaign {

// Names come from files and need not be UTF-8.
static std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string to_json(const RunSpec& spec) {
  Json out;
  out["id"] = spec.id;
  out["file"] = spec.file;
  out["configuration"] = spec.configuration;
  out["seed"] = spec.seed;
  out["expected"] = spec.expected;
  out["command"] = spec.command;
  out["ours"] = spec.ours;
  out["safe"] = spec.safe;
  out["unsafe"] = spec.unsafe;
  out["seconds"] = spec.seconds;
  out["memory_mb"] = spec.memory_mb;
  out["lost"] = spec.lost;
  return dumped(out);
}

Result<RunSpec> spec_from_json(std::string_view line) {
  Json in = Json::parse(line, nullptr, false);
  try {
    RunSpec out;
    out.id = in.at("id");
    out.file = in.at("file");
    out.configuration = in.at("configuration");
    out.seed = in.at("seed");
    out.expected = in.at("expected");
    out.command = in.at("command").get<std::vector<std::string>>();
    out.ours = in.at("ours");
    out.safe = in.at("safe");
    out.unsafe = in.at("unsafe");
    out.seconds = in.at("seconds");
    out.memory_mb = in.at("memory_mb");
    out.lost = in.at("lost");
    return out;
  } catch (const Json::exception&) {
    return Error{{}, "not the description of a run: " + std::string(line.substr(0, 60))};
  }
}

static Json rows_json(const std::vector<PropertyRow>& rows) {
  Json out = Json::array();
  for (const PropertyRow& row : rows)
    out.push_back({{"property", row.property},
                   {"verdict", row.verdict},
                   {"reason", row.reason},
                   {"engine", row.engine},
                   {"seconds", row.seconds}});
  return out;
}

std::string to_json(const std::vector<PropertyRow>& rows) {
  return dumped(rows_json(rows));
}

static Json record_json(const RunRecord& record) {
  return {{"end", record.id},
          {"verdict", record.verdict},
          {"reason", record.reason},
          {"seconds", record.seconds},
          {"processor_seconds", record.processor_seconds},
          {"memory_kb", record.memory_kb},
          {"engine", record.engine},
          {"version", record.version},
          {"host", record.host},
          {"evidence", record.evidence},
          {"evidence_hash", record.evidence_hash},
          {"attempts", record.attempts},
          {"finished", record.finished},
          {"properties", rows_json(record.properties)}};
}

std::string to_json(const RunRecord& record) {
  return dumped(record_json(record));
}

static RunRecord record_from(const Json& in) {
  RunRecord out;
  out.id = in.at("end");
  out.verdict = in.at("verdict");
  out.reason = in.at("reason");
  out.seconds = in.at("seconds");
  out.processor_seconds = in.at("processor_seconds");
  out.memory_kb = in.at("memory_kb");
  out.engine = in.at("engine");
  out.version = in.at("version");
  out.host = in.at("host");
  out.evidence = in.at("evidence");
  out.evidence_hash = in.at("evidence_hash");
  out.attempts = in.at("attempts");
  out.finished = in.at("finished");
  for (const Json& row : in.at("properties"))
    out.properties.push_back({row.at("property"), row.at("verdict"), row.at("reason"),
                              row.at("engine"), row.at("seconds").get<double>()});
  return out;
}

std::string to_json(const JournalLine& line) {
  switch (line.kind) {
    case JournalLine::Kind::Start:
      return dumped({{"start", line.id}, {"host", line.host}, {"boot", line.boot}});
    case JournalLine::Kind::Release:
      return dumped({{"release", line.id}});
    case JournalLine::Kind::End:
      return to_json(*line.record);
  }
  unreachable();
}

std::optional<JournalLine> journal_line(std::string_view text) {
  Json in = Json::parse(text, nullptr, false);
  if (!in.is_object()) return {};
  try {
    using Kind = JournalLine::Kind;
    if (in.contains("start"))
      return JournalLine{Kind::Start, in.at("start"), in.at("host"), in.at("boot"), {}};
    if (in.contains("release")) return JournalLine{Kind::Release, in.at("release"), {}, {}, {}};
    RunRecord record = record_from(in);
    return JournalLine{Kind::End, record.id, {}, {}, std::move(record)};
  } catch (const Json::exception&) {
    return {};
  }
}

std::string_view worst(std::string_view left, std::string_view right) {
  constexpr std::array<std::string_view, 4> kOrder = {"unsafe", "error", "unknown", "safe"};
  auto rank = [&](std::string_view word) {
    return std::find(kOrder.begin(), kOrder.end(), word) - kOrder.begin();
  };
  return rank(left) <= rank(right) ? left : right;
}

}  // namespace lem::campaign
