#include "campaign/spread.h"

#include <filesystem>
#include <utility>

#include "base/try.h"
#include "campaign/worker.h"

namespace lem::campaign {

namespace fs = std::filesystem;

static constexpr std::chrono::seconds kBetweenQuestions{1};

Result<Spread> Spread::start(const std::string& folder, const std::string& program,
                             const std::vector<RunSpec>& runs) {
  LEM_LET(Slurm slurm, Slurm::find(""));
  auto count = static_cast<std::int64_t>(runs.size());
  if (count > slurm.most_tasks())
    return Error{{},
                 "the cluster takes at most " + std::to_string(slurm.most_tasks()) + " tasks",
                 ErrorKind::Usage};
  Spread out(std::move(slurm), folder, count);
  std::error_code failed;
  for (const char* part : {"bundles", "journals", "evidence", "logs"})
    fs::create_directories(folder + "/" + part, failed);
  if (failed) return Error{{folder}, "cannot be made: " + failed.message(), ErrorKind::Usage};
  for (std::size_t i = 0; i < runs.size(); ++i)
    LEM_TRY(write_bundle(folder, static_cast<std::int64_t>(i), {runs[i]}));
  out.heartbeat_ = std::make_unique<Heartbeat>(folder);
  Submission submission;
  submission.name = out.name_ = "lemmata-" + fs::path(folder).filename().string();
  submission.command = {program, "campaign", "work", folder};
  submission.count = count;
  submission.log = folder + "/logs/%A.txt";
  LEM_LET(std::int64_t number, out.slurm_.submit(submission));
  out.number_ = number;
  return out;
}

Spread::Spread(Spread&& other) noexcept
    : slurm_(other.slurm_),
      folder_(std::move(other.folder_)),
      name_(std::move(other.name_)),
      number_(std::exchange(other.number_, 0)),
      count_(other.count_),
      tails_(std::move(other.tails_)),
      heartbeat_(std::move(other.heartbeat_)),
      asked_(other.asked_) {}

Spread::~Spread() {
  static_cast<void>(cancel_all());
}

std::vector<RunRecord> Spread::news() {
  std::vector<RunRecord> out;
  std::error_code failed;
  fs::directory_iterator at(folder_ + "/journals", failed), end;
  for (; !failed && at != end; at.increment(failed))
    for (JournalLine& line : read_on(at->path(), tails_[at->path()]))
      if (line.record) out.push_back(std::move(*line.record));
  return out;
}

Result<bool> Spread::over() {
  auto now = std::chrono::steady_clock::now();
  if (now - asked_ < kBetweenQuestions) return false;
  Result<std::vector<Task>> tasks = slurm_.tasks(name_);
  asked_ = std::chrono::steady_clock::now();
  if (!tasks) return tasks.error();
  return tasks->empty();
}

Status Spread::cancel(std::int64_t id) {
  std::vector<std::string> what = {std::to_string(number_) + "_" + std::to_string(id)};
  return number_ == 0 ? Status(Ok{}) : slurm_.cancel(what);
}

Status Spread::cancel_all() {
  std::vector<std::string> what = {std::to_string(number_)};
  return std::exchange(number_, 0) == 0 ? Status(Ok{}) : slurm_.cancel(what);
}

}  // namespace lem::campaign
