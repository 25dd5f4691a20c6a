#include "base/sandbox.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/assert.h"
#include "base/seccomp.h"

namespace lem {

namespace {

namespace fs = std::filesystem;

/// Bubblewrap's arguments, and the descriptors that they name.
class Arguments {
 public:
  void add(std::initializer_list<std::string> more) { args_.insert(args_.end(), more); }
  /// The descriptor's number; it stays open as long as this lives.
  std::string give(Descriptor file) {
    complete_ = complete_ && file.ok();
    descriptors_.push_back(std::move(file));
    return std::to_string(descriptors_.back().fd());
  }
  bool complete() const { return complete_; }
  std::vector<std::string>& args() { return args_; }
  std::vector<int> numbers() const {
    std::vector<int> out;
    for (const Descriptor& each : descriptors_) out.push_back(each.fd());
    return out;
  }

 private:
  std::vector<std::string> args_;
  std::vector<Descriptor> descriptors_;
  bool complete_ = true;
};

/// /usr, and the traditional links to parts of it.
void add_system(Arguments& out) {
  out.add({"--ro-bind", "/usr", "/usr"});
  for (const char* name : {"/bin", "/lib", "/lib32", "/lib64", "/libx32", "/sbin"}) {
    std::error_code failed;
    if (fs::is_symlink(name, failed))
      out.add({"--symlink", fs::read_symlink(name, failed).string(), name});
    else if (fs::is_directory(name, failed))
      out.add({"--ro-bind", name, name});
  }
}

void add_files(Arguments& out, const Box& box) {
  out.add({"--size", std::to_string(box.scratch_mb << 20), "--tmpfs", "/tmp"});
  out.add({"--dev-bind", "/dev/null", "/dev/null"});
  if (box.processes == Box::Processes::Many) out.add({"--proc", "/proc"});
  out.add({"--dir", box.start_in});
  for (const std::string& path : box.readable) out.add({"--ro-bind-try", path, path});
  if (!box.writable.empty()) out.add({"--bind", box.writable, box.writable});
  for (const BoxFile& file : box.files) {
    const char* mode = file.mode == BoxFile::Mode::Program ? "0500" : "0400";
    out.add({"--perms", mode, "--file", out.give(file_in_memory(file.bytes)), file.path});
  }
  out.add({"--remount-ro", "/", "--chdir", box.start_in});
}

/// The program as a path; a folder of its own if that is not in /usr.
struct Located {
  std::string program;
  std::string folder{};
};

std::optional<Located> locate(const std::string& name) {
  if (name.find('/') != std::string::npos) return Located{name};
  for (const char* folder : {"/usr/bin/", "/usr/local/bin/"})
    if (std::optional<std::string> found = find_program(folder + name)) return Located{*found};
  std::optional<std::string> found = find_program(name);
  if (!found) return {};
  std::error_code failed;
  fs::path program = fs::canonical(*found, failed);
  if (failed) return {};
  return Located{program.string(), program.parent_path().parent_path().string()};
}

/// Bubblewrap writes this line only when the program was started, and has ended.
bool tells_exit(Descriptor& status) {
  std::array<char, 4096> buffer;
  fcntl(status.fd(), F_SETFL, O_NONBLOCK);
  std::string text;
  for (ssize_t got = 0; (got = read(status.fd(), buffer.data(), buffer.size())) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(got));
  return text.find("\"exit-code\"") != std::string::npos;
}

bool contains(const fs::path& folder, const fs::path& inner) {
  auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), inner.begin(), inner.end());
  return end == folder.end();
}

/// The home folders that the system's list of users has: HOME may be unset, and others have homes.
std::vector<fs::path> listed_homes() {
  std::vector<fs::path> out;
  std::ifstream users("/etc/passwd");
  for (std::string line; std::getline(users, line);) {
    std::vector<std::string> fields;
    std::istringstream parts(line);
    for (std::string field; std::getline(parts, field, ':');) fields.push_back(field);
    if (fields.size() >= 6 && fields[5].size() > 1 && fields[5][0] == '/')
      out.push_back(fs::path(fields[5]).lexically_normal());
  }
  return out;
}

/// Folders that contain more than one program.
bool is_shared(const fs::path& folder) {
  if (folder.parent_path() == "/home") return true;  // also of users that are listed elsewhere
  std::vector<fs::path> kept_back = listed_homes();
  kept_back.insert(kept_back.end(), {"/tmp", "/var/tmp", "/root", "/home", "/etc"});
  for (const char* variable : {"HOME", "TMPDIR"})
    if (const char* value = std::getenv(variable); value != nullptr && *value == '/')
      kept_back.push_back(fs::path(value).lexically_normal());
  return std::any_of(kept_back.begin(), kept_back.end(), [&](const fs::path& each) {
    std::error_code failed;
    return contains(folder, each.has_filename() ? each : each.parent_path()) ||
           fs::equivalent(folder, each, failed);
  });
}

fs::path resolved(const fs::path& path) {
  std::error_code failed;
  fs::path real = fs::canonical(path, failed);
  return failed ? path : real;
}

/// C and Verilog files directly in the folder. A link that leads out of it is none: bubblewrap
/// would follow it, and show what it leads to.
std::vector<std::string> sources_in(const fs::path& folder) {
  constexpr std::array<std::string_view, 9> kSources = {".h",  ".c",   ".i",   ".v",  ".sv",
                                                        ".vh", ".svh", ".mem", ".hex"};
  std::vector<std::string> out;
  std::error_code failed;
  fs::path real = resolved(folder);
  for (fs::directory_iterator each(folder, failed), end; !failed && each != end;
       each.increment(failed)) {
    std::string extension = each->path().extension().string();
    bool source = std::find(kSources.begin(), kSources.end(), extension) != kSources.end();
    std::error_code unreadable;
    if (source && fs::is_regular_file(each->path(), unreadable) &&
        resolved(each->path()).parent_path() == real)
      out.push_back(each->path().string());
  }
  return out;
}

}  // namespace

BoxEnd run_in_box(const Box& box, const ProcessLimits& limits, const std::stop_token& stop) {
  assert(!box.args.empty() && "a process has a program");
  std::optional<Located> located = locate(box.args[0]);
  if (!located) return {true, {}};
  bool many = box.processes == Box::Processes::Many;
  Pipe status = make_pipe();
  if (!status.write.ok()) return {false, {}};
  Arguments all;
  all.add({"bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--setenv",
           "PATH", "/usr/bin:/bin", "--setenv", "LLVM_DISABLE_SYMBOLIZATION", "1", "--cap-drop",
           "ALL"});
  all.add({"--json-status-fd", all.give(std::move(status.write))});
  all.add({"--seccomp", all.give(seccomp_filter(many ? Forking::Allowed : Forking::Forbidden))});
  add_system(all);
  if (!located->folder.empty()) all.add({"--ro-bind", located->folder, located->folder});
  add_files(all, box);
  all.add({"--", located->program});
  all.args().insert(all.args().end(), box.args.begin() + 1, box.args.end());
  if (!all.complete()) return {false, {}};
  Invocation bubblewrap{
      .args = all.args(), .keep_output = box.keep_output, .descriptors = all.numbers()};
  ProcessEnd end = run_process(bubblewrap, limits, stop);
  bool ran = end.how != ProcessEnd::How::NotStarted && end.how != ProcessEnd::How::Signalled;
  bool works = end.how == ProcessEnd::How::Exited ? tells_exit(status.read) : ran;
  if (works && end.how == ProcessEnd::How::Exited && end.code > 128) {
    end.how = ProcessEnd::How::Signalled;
    end.code -= 128;
  }
  return {works, std::move(end)};
}

bool has_sandbox(const std::stop_token& stop) {
  Box box{.args = {"/usr/bin/true"}};
  return run_in_box(box, {.time = std::chrono::seconds(30)}, stop).works;
}

std::vector<std::string> readable_in(const std::string& folder) {
  std::error_code failed;
  fs::path whole = fs::absolute(folder, failed).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();  // it ends with a slash
  if (contains("/usr", whole)) return {};
  if (is_shared(whole) || is_shared(resolved(whole))) return sources_in(whole);
  return {whole.string()};
}

std::vector<std::string> readable_beside(const std::string& file) {
  std::error_code failed;
  fs::path whole = fs::absolute(file, failed).lexically_normal();
  fs::path folder = whole.parent_path();
  if (contains("/usr", folder)) return {};
  bool link = fs::is_symlink(whole, failed);
  std::vector<std::string> out = link ? sources_in(folder) : readable_in(folder.string());
  if (out.size() == 1 && out[0] == folder.string()) return out;
  std::erase(out, whole.string());
  out.insert(out.begin(), whole.string());
  return out;
}

}  // namespace lem
