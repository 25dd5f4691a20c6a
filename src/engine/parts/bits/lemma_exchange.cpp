#include "engine/parts/bits/lemma_exchange.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "base/process.h"
#include "model/latch_name.h"

namespace lem::engine {

namespace fs = std::filesystem;

namespace {

// A network's file system takes milliseconds for each look, frames are often shorter.
constexpr std::chrono::milliseconds kBetween{200};
// Of a file at once: what a flood of lemmas leaves is read the next time.
constexpr std::size_t kMostBytes = 1 << 20;
constexpr std::string_view kExtension = ".lemmas";

/// FNV-1a: the same in every process, unlike std::hash.
std::uint64_t hash(std::string_view text, std::uint64_t value = 0xcbf29ce484222325U) {
  for (char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return value;
}

std::optional<std::uint64_t> parse(std::string_view word, int base) {
  std::uint64_t value = 0;
  auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), value, base);
  if (failed != std::errc{} || end != word.data() + word.size()) return {};
  return value;
}

std::string_view next_word(std::string_view& line) {
  std::size_t space = line.find(' ');
  std::string_view word = line.substr(0, space);
  line.remove_prefix(space == std::string_view::npos ? line.size() : space + 1);
  return word;
}

/// The whole lines after the first `from` bytes.
std::string read_lines(const std::string& path, std::uintmax_t from) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(from));
  std::string text(kMostBytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  std::size_t end = text.rfind('\n');
  // A line as long as the limit is no lemma; it is passed over.
  if (end != std::string::npos || text.size() < kMostBytes) text.resize(end + 1);
  return text;
}

}  // namespace

LemmaExchange::LemmaExchange(std::string folder, const Problem& problem)
    : folder_(std::move(folder)), first_latch_(problem.aig().first_latch()) {
  if (folder_.empty()) return;
  for (std::uint32_t i = 0; i < problem.aig().num_latches(); ++i) {
    hashes_.push_back(hash(latch_name(problem, i)));
    latch_of_[hashes_.back()] = Lit(first_latch_ + i, false);
  }
}

bool LemmaExchange::due() {
  if (!on()) return false;
  auto now = std::chrono::steady_clock::now();
  if (now < next_) return false;
  next_ = now + kBetween;
  return true;
}

std::string LemmaExchange::line_of(const LemmaClaim& claim) const {
  std::string line = claim.level == LemmaClaim::kForGood ? "inf" : std::to_string(claim.level);
  for (Lit lit : claim.cube.lits())
    line += fmt::format(" {}{:016x}", lit.negative() ? "!" : "", hashes_[lit.var() - first_latch_]);
  return line + '\n';
}

/// Nothing if the line is none of ours, or about latches of others.
std::optional<LemmaClaim> LemmaExchange::claim_of(std::string_view line) const {
  LemmaClaim claim;
  if (std::string_view level = next_word(line); level != "inf") {
    std::optional<std::uint64_t> value = parse(level, 10);
    if (!value || *value == 0 || *value >= LemmaClaim::kForGood) return {};
    claim.level = static_cast<std::uint32_t>(*value);
  }
  std::vector<Lit> lits;
  while (!line.empty()) {
    std::string_view word = next_word(line);
    bool negative = word.starts_with('!');
    std::optional<std::uint64_t> key = parse(word.substr(negative ? 1 : 0), 16);
    auto latch = key ? latch_of_.find(*key) : latch_of_.end();
    if (latch == latch_of_.end()) return {};
    lits.push_back(latch->second ^ negative);
  }
  claim.cube = Cube(std::move(lits));
  for (Lit lit : claim.cube.lits())
    if (claim.cube.contains(!lit)) return {};
  if (claim.cube.empty()) return {};
  return claim;
}

/// The name is not in use: not even by a run of another host with the same name, or before this
/// one.
bool LemmaExchange::make_file() {
  if (!own_.empty()) return true;
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  for (int i = 0; i < 1000; ++i) {
    std::string name = fmt::format("{}/{}-{}-{}{}", folder_, host.data(), getpid(), i, kExtension);
    Descriptor file(open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.ok()) own_ = name;
    if (file.ok() || errno != EEXIST) break;
  }
  return !own_.empty();
}

/// Without a file (a full disk, a folder that is gone) the run goes on for itself.
std::size_t LemmaExchange::publish(const std::vector<LemmaClaim>& claims) {
  std::string text;
  std::size_t count = 0;
  for (const LemmaClaim& claim : claims) {
    std::string line = line_of(claim);
    std::uint64_t cube = hash(std::string_view(line).substr(line.find(' ')));
    bool fresh = written_.emplace(cube, claim.level).second;
    // A lemma that moved to a higher frame is old news; one that holds for good is not.
    if (!fresh && (claim.level != LemmaClaim::kForGood || written_[cube] == claim.level)) continue;
    written_[cube] = claim.level;
    text += line;
    ++count;
  }
  if (text.empty() || !make_file()) return 0;
  // Opened for each write: over a network others see what a file got when it is closed.
  Descriptor file(open(own_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  bool whole =
      file.ok() && write(file.fd(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
  return whole ? count : 0;
}

std::vector<LemmaClaim> LemmaExchange::receive() {
  std::vector<std::string> files;
  std::error_code failed, unreadable;
  for (fs::directory_iterator at(folder_, failed), end; !failed && at != end; at.increment(failed))
    if (at->path().extension() == kExtension && at->path() != own_ &&
        at->is_regular_file(unreadable))  // to open a pipe may take for ever
      files.push_back(at->path());
  std::sort(files.begin(), files.end());
  std::vector<LemmaClaim> claims;
  for (const std::string& path : files) {
    std::uintmax_t& from = read_[path];
    std::string text = read_lines(path, from);
    from += text.size();
    for (std::string_view rest = text; !rest.empty();) {
      std::size_t end = std::min(rest.find('\n'), rest.size());
      if (auto claim = claim_of(rest.substr(0, end))) claims.push_back(*std::move(claim));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return claims;
}

}  // namespace lem::engine
