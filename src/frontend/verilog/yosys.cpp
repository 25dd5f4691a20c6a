#include "frontend/verilog/yosys.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/sandbox.h"
#include "ctext/compiler.h"

namespace lem::verilog {

namespace fs = std::filesystem;

static constexpr ProcessLimits kLimits{.time = std::chrono::minutes(30),
                                       .memory_mb = 8192,
                                       .file_mb = 2048,
                                       .output_mb = 64,
                                       .errors_kb = 8192};

static Error usage(const std::string& file, std::string message) {
  return {{file}, std::move(message), ErrorKind::Usage};
}

/// Scripts have no quoting for options, and @ is for our own files.
static bool fits_script(const std::string& text) {
  return text.find_first_of(" \t\n\r\"';#\\@") == text.npos;
}

static Status check_options(const frontend::SourceOptions& source) {
  for (const std::string& define : source.defines)
    if (!fits_script(define) || define.empty() || define[0] == '=')
      return usage({}, "-D '" + define + "': expected NAME or NAME=VALUE without blanks or quotes");
  for (const std::string& folder : source.include_folders) {
    std::error_code failed;
    if (!fs::is_directory(folder, failed)) return usage({}, "-I '" + folder + "': no such folder");
  }
  return Ok{};
}

bool is_system(const std::string& file, Dialect dialect) {
  return dialect == Dialect::AllSystem || file.ends_with(".sv");
}

Result<Yosys> Yosys::start(const std::string& path, const frontend::SourceOptions& source,
                           const std::stop_token& stop) {
  if (!find_program("yosys"))
    return usage(path,
                 "Verilog is read through yosys, which is not installed: apt-get install "
                 "yosys");
  Yosys out;
  out.stop_ = stop;
  std::vector<std::string> files = {path};
  files.insert(files.end(), source.more_files.begin(), source.more_files.end());
  for (const std::string& file : files) {
    std::error_code failed;
    if (!fs::is_regular_file(file, failed))
      return Error{{file}, "cannot read the file: no such file", ErrorKind::NotFound};
    auto unfit = [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; };
    if (file.find_first_of("\"\\") != file.npos || std::any_of(file.begin(), file.end(), unfit))
      return usage(file, "yosys takes no file with a quote, a backslash or a line end in its name");
    out.files_.push_back(ctext::path_for_compiler(file));
    for (std::string& each : readable_beside(out.files_.back()))
      out.readable_.push_back(std::move(each));
  }
  if (Status fine = check_options(source); !fine) return fine.error();
  out.defines_ = source.defines;
  for (const std::string& folder : source.include_folders) {
    out.include_folders_.push_back(ctext::path_for_compiler(folder));
    for (std::string& each : readable_in(out.include_folders_.back()))
      out.readable_.push_back(std::move(each));
  }
  out.folder_ = std::make_shared<TemporaryFolder>();
  if (out.folder_->path().empty())
    return Error{{path}, "no temporary folder: " + out.folder_->error(), ErrorKind::Internal};
  return out;
}

std::string Yosys::read_command(Dialect dialect) const {
  std::string out;
  for (std::size_t i = 0; i < files_.size(); ++i)
    out += std::string("read_verilog -nodpi -formal -nopp") +
           (is_system(files_[i], dialect) ? " -sv" : "") + " @file" + std::to_string(i) + "@\n";
  return out;
}

Status Yosys::put_files(const std::vector<std::string>& texts) const {
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (Status done = put("file" + std::to_string(i), texts[i]); !done) return done;
  return Ok{};
}

Status Yosys::put(const std::string& name, std::string_view bytes) const {
  std::ofstream out(folder_->path() + "/" + name, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (out.flush()) return Ok{};
  return Error{{folder_->path()}, "cannot write a temporary file", ErrorKind::Internal};
}

Result<std::string> Yosys::get(const std::string& name) const {
  std::ifstream in(folder_->path() + "/" + name, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (in) return text.str();
  return Error{{files_[0]}, "yosys wrote no file " + name, ErrorKind::Internal};
}

std::string Yosys::filled(std::string_view script) const {
  std::string out;
  while (!script.empty()) {
    std::size_t at = script.find('@');
    std::size_t end = at == script.npos ? at : script.find('@', at + 1);
    if (end == script.npos) return out + std::string(script);
    std::string name(script.substr(at + 1, end - at - 1));
    out += script.substr(0, at);
    out += folder_->path() + "/" + name;
    script.remove_prefix(end + 1);
  }
  return out;
}

Result<Messages> Yosys::run(std::string_view script) {
  std::string text = filled(script);
  if (Status done = put("script.ys", text); !done) return done.error();
  std::error_code failed;
  std::string here = fs::current_path(failed).string();
  Box box{
      .args = {"yosys", "-q", "-l", folder_->path() + "/log", "-s", folder_->path() + "/script.ys"},
      .readable = readable_,
      .writable = folder_->path(),
      .start_in = failed ? "/tmp" : here,
      .processes = Box::Processes::Many};
  BoxEnd ran = run_in_box(box, kLimits, stop_);
  bool bare = !ran.works && !has_sandbox(stop_);
  if (bare)  // without a sandbox, as compilers run there
    ran.end = run_process({.args = box.args}, kLimits, stop_);
  using How = ProcessEnd::How;
  if (ran.end.how == How::Stopped)
    return Error{{files_[0]}, "stopped while yosys read the design", ErrorKind::Internal};
  if (ran.end.how == How::TimedOut)
    return Error{{files_[0]}, "yosys took more than 30 minutes", ErrorKind::BadInput};
  Messages messages = parse_messages(files_[0], ran.end.errors);
  if (!ran.end.fine() && !messages.error)
    messages.error = Error{
        {files_[0]},
        "yosys ended without a result: " + ran.end.errors.substr(0, ran.end.errors.find('\n')),
        ErrorKind::BadInput};
  if (bare)
    messages.warnings.push_back(
        {{files_[0]},
         "read by yosys without a sandbox, with your rights: bubblewrap does not work here"});
  return messages;
}

}  // namespace lem::verilog
