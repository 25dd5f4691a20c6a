#include "campaign/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <vector>

#include "base/try.h"
#include "base/xml.h"
#include "campaign/changes.h"
#include "campaign/database.h"
#include "campaign/json.h"
#include "writer/file.h"

namespace lem::campaign {

// Made by CMake of report/page.html, .css and .js.
extern const char* const kPageHtml;
extern const char* const kPageCss;
extern const char* const kPageJs;

namespace {

namespace fs = std::filesystem;

std::string dumped(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  // Data in a script must not end it.
  std::string out;
  for (char c : text) out += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return out;
}

/// Texts that occur often are kept once; rows have their numbers.
class Strings {
 public:
  std::size_t number(const std::string& text) {
    auto [at, fresh] = numbers_.try_emplace(text, list_.size());
    if (fresh) list_.push_back(text);
    return at->second;
  }
  const std::vector<std::string>& list() const { return list_; }

 private:
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::string> list_;
};

double rounded(double value) {
  return static_cast<double>(static_cast<std::int64_t>(value * 1000 + 0.5)) / 1000;
}

/// The row as page.js reads it: see `columns` there.
Json row_json(const RunRow& row, Strings& strings, const std::string& links) {
  const RunRecord& record = row.record;
  auto number = [&](const std::string& text) { return strings.number(text); };
  return {record.id,
          number(row.file),
          number(row.configuration),
          row.seed,
          number(row.expected),
          number(record.verdict),
          number(record.reason),
          rounded(record.seconds),
          rounded(record.processor_seconds),
          record.memory_kb,
          number(record.engine),
          number(record.host),
          record.evidence.empty() ? "" : links + "/" + record.evidence,
          record.attempts};
}

Json comparison_json(const Comparison& comparison, const std::string& against) {
  Json out;
  out["against"] = against;
  out["common"] = comparison.common;
  out["added"] = comparison.added;
  out["removed"] = comparison.removed;
  out["ratio"] = rounded(comparison.ratio);
  out["noise"] = rounded(comparison.noise);
  Json& list = out["changes"] = Json::array();
  for (const Change& change : comparison.changes)
    list.push_back({name(change.kind), change.file, change.configuration, change.before,
                    change.after, rounded(change.seconds_before), rounded(change.seconds_after)});
  return out;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string csv(const std::vector<RunRow>& rows) {
  std::string out =
      "file,configuration,seed,expected,verdict,wrong,reason,seconds,processor_seconds,memory_kb,"
      "engine,version,host,evidence,evidence_hash,attempts,finished\n";
  for (const RunRow& row : rows) {
    const RunRecord& one = row.record;
    out += fmt::format(
        "{},{},{},{},{},{},{},{:.3f},{:.3f},{},{},{},{},{},{},{},{}\n", csv_field(row.file),
        csv_field(row.configuration), row.seed < 0 ? "" : std::to_string(row.seed), row.expected,
        one.verdict, row.wrong() ? 1 : 0, csv_field(one.reason), one.seconds, one.processor_seconds,
        one.memory_kb, csv_field(one.engine), csv_field(one.version), csv_field(one.host),
        csv_field(one.evidence), one.evidence_hash, one.attempts, one.finished);
  }
  return out;
}

/// A wrong verdict is a failure, a run that failed an error, one without an answer skipped.
std::string junit(const std::vector<RunRow>& rows) {
  std::size_t wrong = 0, errors = 0, skipped = 0;
  double seconds = 0;
  std::string cases;
  for (const RunRow& row : rows) {
    const RunRecord& one = row.record;
    seconds += one.seconds;
    std::string name = row.file + (row.seed < 0 ? "" : " seed " + std::to_string(row.seed));
    cases += fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">",
                         xml_escaped(row.configuration), xml_escaped(name), one.seconds);
    if (row.wrong()) {
      ++wrong;
      cases +=
          fmt::format("<failure message=\"{} where {} is expected\"/>", one.verdict, row.expected);
    } else if (one.verdict == "error") {
      ++errors;
      cases += fmt::format("<error message=\"{}\"/>", xml_escaped(one.reason));
    } else if (one.verdict == "unknown") {
      ++skipped;
      cases += fmt::format("<skipped message=\"unknown: {}\"/>", xml_escaped(one.reason));
    }
    cases += "</testcase>\n";
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"lemmata campaign\" "
      "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
      "time=\"{:.3f}\">\n{}</testsuite>\n",
      rows.size(), wrong, errors, skipped, seconds, cases);
}

std::string filled(std::string text, std::string_view mark, const std::string& with) {
  std::size_t at = text.find(mark);
  assert(at != std::string::npos && "the page has no such mark");
  return text.replace(at, mark.size(), with);
}

Result<std::vector<RunRow>> rows_of(const std::string& path) {
  std::error_code failed;
  if (!fs::exists(path, failed)) return Error{{path}, "no such file", ErrorKind::NotFound};
  auto database = Database::open(path, Sqlite::Mode::Read);
  if (!database) return database.error();
  return (*database)->rows();
}

std::string page_text(const std::vector<RunRow>& rows, const std::string& database,
                      const fs::path& page, const Json& comparison) {
  fs::path folder = fs::absolute(page).parent_path();
  std::string links = fs::absolute(database + ".files").lexically_relative(folder).string();
  Strings strings;
  Json data;
  data["title"] = fs::path(database).filename().string();
  Json& list = data["rows"] = Json::array();
  for (const RunRow& row : rows) list.push_back(row_json(row, strings, links));
  data["strings"] = strings.list();
  data["comparison"] = comparison;
  std::string text = filled(kPageHtml, "/*style*/", kPageCss);
  text = filled(std::move(text), "/*script*/", kPageJs);
  return filled(std::move(text), "/*data*/", dumped(data));
}

}  // namespace

Status write_report(const std::string& database, const std::string& page,
                    const std::string& against) {
  fs::path path(page);
  if (path.extension() == ".csv" || path.extension() == ".xml")
    return Error{{page}, "the page is HTML; .csv and .xml are put beside it", ErrorKind::Usage};
  LEM_LET(std::vector<RunRow> rows, rows_of(database));
  Json comparison;
  if (!against.empty()) {
    LEM_LET(std::vector<RunRow> before, rows_of(against));
    comparison = comparison_json(compare(before, rows), fs::path(against).filename());
  }
  Status done = writer::write_file_atomically(page, page_text(rows, database, path, comparison));
  if (!done) return done;
  done = writer::write_file_atomically(fs::path(path).replace_extension(".csv"), csv(rows));
  if (!done) return done;
  return writer::write_file_atomically(fs::path(path).replace_extension(".xml"), junit(rows));
}

}  // namespace lem::campaign
