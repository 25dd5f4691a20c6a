#include "campaign/session.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "base/try.h"
#include "campaign/plan.h"
#include "campaign/worker.h"

namespace lem::campaign {

namespace fs = std::filesystem;

static constexpr std::string_view kEnding = ".jsonl";

static std::string fresh_tag() {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";
  std::random_device chance;
  std::string out;
  for (int i = 0; i < 10; ++i) out += kLetters[chance() % kLetters.size()];
  return out;
}

Result<std::unique_ptr<Session>> Session::open(const std::string& path,
                                               const std::vector<RunSpec>& runs,
                                               OnProgress progress) {
  std::error_code failed;
  if (runs.empty() && !fs::exists(path, failed))
    return Error{{path}, "no such file, and no plan for a new campaign", ErrorKind::NotFound};
  auto database = Database::open(path, Sqlite::Mode::Write);
  if (!database) return database.error();
  std::string folder = fs::absolute(path).lexically_normal().string() + ".files";
  std::unique_ptr<Session> session(new Session(folder, std::move(*database), std::move(progress)));
  LEM_TRY(session->prepare(runs, path));
  return session;
}

Status Session::prepare(const std::vector<RunSpec>& runs, const std::string& path) {
  std::error_code failed;
  for (const char* part : {"bundles", "journals", "evidence", "logs"})
    fs::create_directories(folder_ + "/" + part, failed);
  std::string lock = folder_ + "/lock";
  lock_ = Descriptor(::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!lock_.ok()) return Error{{lock}, "cannot be made", ErrorKind::Internal};
  if (flock(lock_.fd(), LOCK_EX | LOCK_NB) != 0)
    return Error{{path}, "another `lemmata campaign` is at work on it", ErrorKind::Usage};
  std::string known = database_->value("digest");
  if (known.empty()) {
    database_->set_value("tag", fresh_tag());
    LEM_TRY(database_->plan(runs, digest_of(runs)));
  } else if (!runs.empty() && known != digest_of(runs)) {
    return Error{{path},
                 "it has a campaign with other runs; give the plan that it was made with, none to "
                 "go on with it, or another database",
                 ErrorKind::Usage};
  }
  tally_ = database_->tally();
  ended_before_ = tally_.ended;
  return collect();
}

std::string Session::tag() {
  return database_->value("tag");
}

std::vector<std::string> Session::journals() const {
  std::vector<std::string> out;
  std::error_code failed;
  fs::directory_iterator at(folder_ + "/journals", failed), end;
  for (; !failed && at != end; at.increment(failed)) {
    std::string name = at->path().filename();
    if (name.ends_with(kEnding)) out.push_back(name.substr(0, name.size() - kEnding.size()));
  }
  std::sort(out.begin(), out.end());
  return out;
}

Status Session::note(const std::vector<RunRecord>& records) {
  if (records.empty()) return Ok{};
  LEM_LET(std::vector<Database::Fresh> fresh, database_->record(records));
  for (const auto& [position, expected] : fresh) {
    const std::string& verdict = records[position].verdict;
    ++tally_.ended;
    tally_.safe += verdict == "safe" ? 1 : 0;
    tally_.unsafe += verdict == "unsafe" ? 1 : 0;
    tally_.unknown += verdict == "unknown" ? 1 : 0;
    tally_.errors += verdict == "error" ? 1 : 0;
    bool definite = verdict == "safe" || verdict == "unsafe";
    bool compared = definite && !expected.empty();
    tally_.compared += compared ? 1 : 0;
    tally_.wrong += compared && verdict != expected ? 1 : 0;
  }
  return Ok{};
}

Status Session::collect() {
  std::vector<RunRecord> records;
  for (const std::string& name : journals()) {
    std::error_code failed;
    std::string path = journal_path(folder_, name);
    JournalTail& tail = tails_[name];
    if (fs::file_size(path, failed) <= tail.offset) continue;
    for (JournalLine& line : read_on(path, tail))
      if (line.record) records.push_back(std::move(*line.record));
  }
  LEM_TRY(note(records));
  show_progress();
  return Ok{};
}

void Session::show_progress() {
  if (!progress_) return;
  std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  auto done = static_cast<double>(tally_.ended - ended_before_);
  auto left = static_cast<double>(tally_.planned - tally_.ended);
  progress_(tally_, done == 0 ? -1 : elapsed.count() / done * left);
}

Result<std::vector<RunSpec>> Session::missing() {
  Result<std::vector<RunSpec>> runs = database_->missing();
  if (!runs) return runs;
  std::vector<RunSpec> out;
  std::vector<RunRecord> hopeless;
  for (RunSpec& run : *runs) {
    if (run.lost >= kMostLost)
      hopeless.push_back(given_up(run, ""));
    else
      out.push_back(std::move(run));
  }
  LEM_TRY(note(hopeless));
  return out;
}

Status Session::settle(const std::string& journal, Lost lost) {
  std::map<std::int64_t, JournalLine> open = tails_[journal].open;
  for (const auto& [id, line] : open) {
    if (lost == Lost::Yes) LEM_TRY(database_->note_lost(id));
    Status closed = Journal(journal_path(folder_, journal))
                        .append({JournalLine::Kind::Release, id, {}, {}, {}});
    if (!closed) return closed;
  }
  return open.empty() ? Status(Ok{}) : collect();
}

Status Session::settle_local() {
  for (const std::string& name : journals()) {
    if (!name.starts_with("local")) continue;
    const auto& open = tails_[name].open;
    bool restarted = std::any_of(open.begin(), open.end(), [](const auto& each) {
      return each.second.host == host_name() && each.second.boot != boot_id();
    });
    LEM_TRY(settle(name, restarted ? Lost::Yes : Lost::No));
  }
  return Ok{};
}

}  // namespace lem::campaign
