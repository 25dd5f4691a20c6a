#include "writer/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

namespace lem::writer {

namespace {

class [[nodiscard]] OutputFile {
 public:
  OutputFile(const std::string& path, int flags)
      : fd_(::open(path.c_str(), flags | O_WRONLY | O_CLOEXEC, 0666)) {}
  ~OutputFile() { static_cast<void>(close()); }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  bool is_open() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  bool write(std::string_view bytes) {
    while (!bytes.empty()) {
      ssize_t done = ::write(fd_, bytes.data(), bytes.size());
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(done));
    }
    return true;
  }
  bool sync() { return ::fsync(fd_) == 0; }
  bool close() { return fd_ < 0 || ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

/// A file that is removed again unless it was renamed to its final name.
class [[nodiscard]] Temporary {
 public:
  explicit Temporary(std::string path) : path_(std::move(path)) {}
  ~Temporary() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  bool rename_to(const std::string& final_path) {
    if (::rename(path_.c_str(), final_path.c_str()) != 0) return false;
    path_.clear();
    return true;
  }

 private:
  std::string path_;
};

Error cannot(const std::string& path, const char* what, ErrorKind kind) {
  return {{path, 0, 0}, std::string(what) + ": " + std::strerror(errno), kind};
}

Error cannot_create(const std::string& path) {
  bool wrong_place = errno == ENOENT || errno == ENOTDIR || errno == EISDIR || errno == EACCES ||
                     errno == EPERM || errno == EROFS || errno == ELOOP || errno == ENAMETOOLONG;
  return cannot(path, "cannot write the file",
                wrong_place ? ErrorKind::NotFound : ErrorKind::Internal);
}

Status write_in_place(const std::string& path, std::string_view bytes) {
  OutputFile out(path, 0);
  if (!out.is_open()) return cannot_create(path);
  if (!out.write(bytes) || !out.close()) return cannot(path, "writing failed", ErrorKind::Internal);
  return Ok{};
}

/// A link is followed, so that the rename replaces what it points to and not the link.
std::string behind_links(const std::string& path) {
  std::error_code failed;
  auto target = std::filesystem::canonical(path, failed);
  return failed ? path : target.string();
}

std::string beside(const std::string& target) {
  return target + ".tmp-" + std::to_string(::getpid());
}

/// A file without a name that gets one when it is complete: of a process that is killed nothing is
/// left. None if the file system has no such files.
std::optional<Status> write_unnamed(const std::string& path, const std::string& target,
                                    std::string_view bytes) {
  std::string folder = std::filesystem::path(target).parent_path().string();
  OutputFile out(folder.empty() ? "." : folder, O_TMPFILE);
  if (!out.is_open()) return {};
  if (!out.write(bytes) || !out.sync()) return cannot(path, "writing failed", ErrorKind::Internal);
  const std::string unnamed = "/proc/self/fd/" + std::to_string(out.fd());
  auto name_it = [&](const std::string& name) {
    return ::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  };
  if (name_it(target)) return Ok{};
  if (errno != EEXIST) return {};
  Temporary temporary(beside(target));  // the one way to replace a file is by another's name
  if (!name_it(beside(target))) return {};
  if (!temporary.rename_to(target)) return cannot(path, "writing failed", ErrorKind::Internal);
  return Ok{};
}

Status write_beside(const std::string& path, const std::string& target, std::string_view bytes) {
  OutputFile out(beside(target), O_CREAT | O_TRUNC);
  if (!out.is_open()) return cannot_create(path);
  Temporary temporary(beside(target));
  if (!out.write(bytes) || !out.sync() || !out.close() || !temporary.rename_to(target))
    return cannot(path, "writing failed", ErrorKind::Internal);
  return Ok{};
}

}  // namespace

Status write_file_atomically(const std::string& path, std::string_view bytes) {
  struct stat info {};
  bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    return cannot_create(path);
  }
  if (exists && !S_ISREG(info.st_mode)) return write_in_place(path, bytes);

  const std::string target = behind_links(path);
  if (std::optional<Status> done = write_unnamed(path, target, bytes)) return *std::move(done);
  return write_beside(path, target, bytes);
}

}  // namespace lem::writer
