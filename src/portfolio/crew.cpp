#include "portfolio/crew.h"

#include <poll.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace lem::portfolio {

// On a single core nobody keeps it: this long, then the others get theirs.
static constexpr std::uint32_t kSharedTurnMs = 2000;
static constexpr std::uint32_t kMostDoublings = 8;
static constexpr std::chrono::milliseconds kWeighing{100};

Crew::Crew(std::vector<Member> members, const Problem& problem, const Options& options,
           std::uint32_t cores, std::uint64_t memory_bytes, Sampling sampling)
    : members_(std::move(members)),
      problem_(problem),
      options_(options),
      cores_(cores),
      memory_bytes_(memory_bytes),
      sampling_(sampling),
      workers_(members_.size()),
      turns_(members_.size()) {
  assert(cores_ > 0 && "a portfolio needs a core");
  for (std::uint32_t i = 0; i < members_.size(); ++i) waiting_.push_back(MemberId{i});
}

bool Crew::turn_over(const Turn& turn, Clock::time_point now) const {
  bool keeps_core = member(turn.id).turn_ms == 0 && cores_ > 1;
  return !keeps_core && now >= turn.ends;
}

void Crew::take_turns() {
  Clock::time_point now = Clock::now();
  std::size_t wanted = waiting_.size();  // those who just ended their turn do not replace others
  for (auto turn = running_.begin(); turn != running_.end() && wanted > 0;) {
    if (!turn_over(*turn, now)) {
      ++turn;
      continue;
    }
    workers_[index(turn->id)]->pause();
    waiting_.push_back(turn->id);
    turn = running_.erase(turn);
    --wanted;
  }
  while (running_.size() < cores_ && !waiting_.empty()) start_next(now);
}

/// Too many processes or descriptors: those who run go on, and the others wait until one of them is
/// out. If nobody is there to wait for, nobody waits.
void Crew::do_without(MemberId id) {
  waiting_.push_front(id);
  auto started = std::find_if(waiting_.begin(), waiting_.end(),
                              [&](MemberId other) { return workers_[index(other)] != nullptr; });
  cores_ = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(running_.size()));
  if (!running_.empty()) return;
  if (started == waiting_.end())
    waiting_.clear();
  else
    std::iter_swap(waiting_.begin(), started);
}

void Crew::start_next(Clock::time_point now) {
  MemberId id = waiting_.front();
  waiting_.pop_front();
  std::unique_ptr<Worker>& worker = workers_[index(id)];
  if (worker) {
    worker->resume();
  } else {
    worker = std::make_unique<Worker>(member(id), problem_, options_, sampling_);
    if (!worker->alive()) {
      worker.reset();
      return do_without(id);
    }
    ++started_;
  }
  std::uint32_t first_ms = member(id).turn_ms == 0 ? kSharedTurnMs : member(id).turn_ms;
  std::uint64_t turn_ms = std::uint64_t{first_ms} << std::min(turns_[index(id)]++, kMostDoublings);
  running_.push_back({id, now + std::chrono::milliseconds(turn_ms)});
}

std::vector<News> Crew::listen(std::chrono::milliseconds patience) {
  std::vector<pollfd> pipes;
  std::vector<MemberId> from;
  for (std::uint32_t i = 0; i < workers_.size(); ++i) {
    if (!workers_[i]) continue;
    pipes.push_back({workers_[i]->pipe(), POLLIN, 0});  // a negative descriptor is passed over
    from.push_back(MemberId{i});
  }
  poll(pipes.data(), pipes.size(), static_cast<int>(patience.count()));
  std::vector<News> news;
  for (MemberId id : from) {
    Worker& worker = *workers_[index(id)];
    bool answered = false;
    for (Message& message : worker.collect()) {
      if (std::holds_alternative<Found>(message)) continue;  // members have one property
      bool final = std::holds_alternative<FinalWord>(message);
      answered = answered || final;
      news.push_back({id, final ? News::Kind::Answer : News::Kind::Progress, std::move(message)});
    }
    if (worker.at_end() && !answered) news.push_back({id, News::Kind::Crash, StatusLine{}});
  }
  return news;
}

std::uint64_t Crew::total(std::uint64_t (Worker::*size)() const) const {
  std::uint64_t sum = 0;
  for (const std::unique_ptr<Worker>& worker : workers_)
    if (worker) sum += (*worker.*size)();
  return sum;
}

/// The exact sizes are costly to read, so they are looked at only when the rough ones exceed the
/// limit, and not all the time.
std::vector<MemberId> Crew::shed_memory() {
  Clock::time_point now = Clock::now();
  if (now < next_weighing_) return {};
  next_weighing_ = now + kWeighing;
  if (total(&Worker::resident_bytes) <= memory_bytes_) return {};
  std::vector<MemberId> shed;
  while (total(&Worker::proportional_bytes) > memory_bytes_) {
    auto largest =
        std::max_element(workers_.begin(), workers_.end(), [](const auto& left, const auto& right) {
          auto size = [](const auto& worker) { return worker ? worker->proportional_bytes() : 0; };
          return size(left) < size(right);
        });
    shed.push_back(MemberId{static_cast<std::uint32_t>(largest - workers_.begin())});
    dismiss(shed.back());
  }
  return shed;
}

void Crew::pause_all() {
  for (const Turn& turn : running_) workers_[index(turn.id)]->pause();
}

void Crew::resume_all() {
  for (const Turn& turn : running_) workers_[index(turn.id)]->resume();
}

void Crew::dismiss(MemberId id) {
  workers_[index(id)].reset();
  std::erase(waiting_, id);
  std::erase_if(running_, [&](const Turn& turn) { return turn.id == id; });
}

void Crew::dismiss_all() {
  // All are told before the first is waited for: tearing down large processes takes time.
  for (const std::unique_ptr<Worker>& worker : workers_)
    if (worker) worker->terminate();
  for (std::unique_ptr<Worker>& worker : workers_) worker.reset();
  waiting_.clear();
  running_.clear();
}

}  // namespace lem::portfolio
