#include "campaign/place.h"

#include <charconv>

namespace lem::campaign {

static constexpr int kMost = 100'000;

/// 0 if it is not a number from 1 to kMost.
static int positive(const std::string& text) {
  int value = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool whole = failed == std::errc{} && end == text.data() + text.size();
  return whole && value >= 1 && value <= kMost ? value : 0;
}

Result<Place> parse_place(const std::string& text) {
  std::size_t colon = text.find(':');
  std::string kind = text.substr(0, colon);
  std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  bool given = colon != std::string::npos;
  if (kind == "local") {
    int jobs = given ? positive(rest) : 0;
    if (given && jobs == 0)
      return Error{
          {}, "expected a number of jobs after 'local:', found '" + rest + "'", ErrorKind::Usage};
    return Place{Place::Kind::Local, jobs, {}};
  }
  if (kind == "slurm") {
    if (given && rest.empty())
      return Error{{}, "expected a partition after 'slurm:'", ErrorKind::Usage};
    return Place{Place::Kind::Slurm, 0, rest};
  }
  return Error{{},
               "expected --on local, local:JOBS, slurm or slurm:PARTITION, found '" + text + "'",
               ErrorKind::Usage};
}

Result<int> parse_tasks(const std::string& text) {
  int tasks = text.starts_with("slurm:") ? positive(text.substr(6)) : 0;
  if (tasks == 0)
    return Error{
        {}, "expected --on slurm:N with a number of tasks, found '" + text + "'", ErrorKind::Usage};
  return tasks;
}

}  // namespace lem::campaign
