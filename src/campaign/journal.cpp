#include "campaign/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "base/process.h"

namespace lem::campaign {

Status Journal::append(const JournalLine& line) const {
  auto failed = [&] {
    return Error{
        {path_}, std::string("cannot write: ") + std::strerror(errno), ErrorKind::Internal};
  };
  Descriptor file(open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666));
  if (!file.ok()) return failed();
  std::string text = to_json(line) + "\n";
  ssize_t wrote = write(file.fd(), text.data(), text.size());
  if (wrote == static_cast<ssize_t>(text.size())) return Ok{};
  Error error = failed();
  if (wrote > 0) static_cast<void>(!write(file.fd(), "\n", 1));  // ends the torn line
  return error;
}

std::vector<JournalLine> read_on(const std::string& path, JournalTail& tail) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(tail.offset));
  std::string text(std::istreambuf_iterator<char>(file), {});
  std::vector<JournalLine> out;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    std::optional<JournalLine> line =
        journal_line(std::string_view(text).substr(begin, end - begin));
    if (!line) continue;
    if (line->kind == JournalLine::Kind::Start)
      tail.open.insert_or_assign(line->id, *line);
    else
      tail.open.erase(line->id);
    out.push_back(std::move(*line));
  }
  tail.offset += begin;
  return out;
}

std::string host_name() {
  // Slurm may have several nodes on one host, and says which one this is.
  if (const char* node = std::getenv("SLURMD_NODENAME"); node != nullptr) return node;
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::string boot_id() {
  std::string id;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
  return id;
}

}  // namespace lem::campaign
