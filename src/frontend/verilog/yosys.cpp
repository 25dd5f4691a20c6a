#include "frontend/verilog/yosys.h"

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

/// Scripts have no quoting for options.
static bool fits_script(const std::string& text) {
  return text.find_first_of(" \t\n\r\"';#\\") == text.npos;
}

static Result<std::string> switches_of(const frontend::SourceOptions& source) {
  std::string out;
  for (const std::string& define : source.defines) {
    if (!fits_script(define) || define.empty() || define[0] == '=')
      return usage({}, "-D '" + define + "': expected NAME or NAME=VALUE without blanks or quotes");
    out += " -D" + define;
  }
  for (const std::string& folder : source.include_folders) {
    std::error_code failed;
    if (!fs::is_directory(folder, failed)) return usage({}, "-I '" + folder + "': no such folder");
    if (!fits_script(folder))
      return usage({}, "-I '" + folder + "': folders with blanks or quotes are not supported");
    out += " -I" + ctext::path_for_compiler(folder);
  }
  return out;
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
    if (file.find_first_of("\n\"") != file.npos)
      return usage(file, "yosys takes no file with a quote or a line end in its name");
    out.files_.push_back(ctext::path_for_compiler(file));
    for (std::string& each : readable_beside(out.files_.back()))
      out.readable_.push_back(std::move(each));
  }
  Result<std::string> switches = switches_of(source);
  if (!switches) return switches.error();
  out.switches_ = *std::move(switches);
  for (const std::string& folder : source.include_folders)
    out.readable_.push_back(fs::absolute(ctext::path_for_compiler(folder)).lexically_normal());
  out.folder_ = std::make_shared<TemporaryFolder>();
  if (out.folder_->path().empty())
    return Error{{path}, "no temporary folder: " + out.folder_->error(), ErrorKind::Internal};
  return out;
}

std::string Yosys::read_command(Dialect dialect, View view, std::string_view more) const {
  std::string out;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    bool system = dialect == Dialect::AllSystem || files_[i].ends_with(".sv");
    out += std::string("read_verilog -nodpi") + (system ? " -sv" : "") +
           (view == View::Formal ? " -formal" : " -nosynthesis") + std::string(more);
    out += replaced_ ? " -nopp @file" + std::to_string(i) + "@\n"
                     : switches_ + " \"" + files_[i] + "\"\n";
  }
  return out;
}

Status Yosys::replace_files(const std::vector<std::string>& texts) {
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (Status done = put("file" + std::to_string(i), texts[i]); !done) return done;
  replaced_ = true;
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

Result<Messages> Yosys::run(std::string_view script) {
  std::string text(script);
  for (std::size_t at = 0; (at = text.find('@', at)) != text.npos;) {
    std::size_t end = text.find('@', at + 1);
    std::string path = folder_->path() + "/" + text.substr(at + 1, end - at - 1);
    text.replace(at, end - at + 1, path);
    at += path.size();
  }
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
  if (!ran.works)  // without a sandbox, as compilers run there
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
  return messages;
}

}  // namespace lem::verilog
