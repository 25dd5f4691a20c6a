#include "transform/bits/sweep/classes.h"

#include <algorithm>

namespace lem::transform {

Classes::Classes(std::uint32_t num_vars, std::span<const std::uint32_t> candidates,
                 std::span<const SimWord> first)
    : complemented_(num_vars, false), representative_(num_vars) {
  for (std::uint32_t var = 0; var < num_vars; ++var) {
    complemented_[var] = (first[var] & 1) != 0;
    representative_[var] = AigLit(var, false);
  }
  std::vector<std::uint32_t> all(1, 0);
  all.insert(all.end(), candidates.begin(), candidates.end());
  num_members_ = all.size() - 1;
  elect(all);
  if (all.size() > 1) groups_.push_back(std::move(all));
}

void Classes::elect(const std::vector<std::uint32_t>& group) {
  for (std::uint32_t var : group)
    representative_[var] =
        AigLit(group.front(), complemented_[var] != complemented_[group.front()]);
}

void Classes::refine(std::span<const SimWord> words, SimWord lanes) {
  if (lanes == 0) return;
  for (std::vector<std::uint32_t>& group : groups_) split(group, words, lanes);
  std::erase_if(groups_, [](const auto& group) { return group.size() < 2; });
  for (std::vector<std::uint32_t>& group : fresh_) groups_.push_back(std::move(group));
  fresh_.clear();
}

void Classes::split(std::vector<std::uint32_t>& group, std::span<const SimWord> words,
                    SimWord lanes) {
  auto key = [&](std::uint32_t var) {
    return (words[var] ^ (complemented_[var] ? ~SimWord{0} : SimWord{0})) & lanes;
  };
  SimWord common = key(group.front());
  std::size_t kept = 1;
  while (kept < group.size() && key(group[kept]) == common) ++kept;
  if (kept == group.size()) return;

  keyed_.clear();
  for (std::size_t i = kept; i < group.size(); ++i) {
    SimWord value = key(group[i]);
    if (value == common) {
      group[kept++] = group[i];
    } else {
      keyed_.emplace_back(value, group[i]);
    }
  }
  group.resize(kept);
  ++version_;
  std::sort(keyed_.begin(), keyed_.end());
  for (std::size_t from = 0; from < keyed_.size();) {
    std::vector<std::uint32_t> part;
    std::size_t to = from;
    while (to < keyed_.size() && keyed_[to].first == keyed_[from].first)
      part.push_back(keyed_[to++].second);
    --num_members_;
    elect(part);
    if (part.size() > 1) fresh_.push_back(std::move(part));
    from = to;
  }
}

void Classes::isolate(std::uint32_t var) {
  assert(is_member(var) && "only members are isolated");
  std::uint32_t leader = representative_[var].var();
  for (std::vector<std::uint32_t>& group : groups_)
    if (group.front() == leader) std::erase(group, var);
  std::erase_if(groups_, [](const auto& group) { return group.size() < 2; });
  representative_[var] = AigLit(var, false);
  --num_members_;
  ++version_;
}

}  // namespace lem::transform
