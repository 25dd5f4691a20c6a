#include "ctext/compiler.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/printable.h"
#include "base/temporary_folder.h"

namespace lem::ctext {

static constexpr ProcessLimits kLimits{.time = std::chrono::seconds(60),
                                       .memory_mb = 4096,
                                       .file_mb = 512,
                                       .output_mb = 512,
                                       .errors_kb = 8192};
static constexpr const char* kCopy = "/lemmata/copy.c";
static constexpr std::array<std::string_view, 4> kFolders = {"-I", "-isystem", "-iquote",
                                                             "-idirafter"};

namespace {

namespace fs = std::filesystem;

/// The program as clang gets it.
struct Given {
  std::string path;                 // of what is compiled
  std::optional<BoxFile> file{};    // that is there besides
  std::vector<std::string> args{};  // that go with it
};

/// Clang's driver hands the last part of the path to the compiler as a word of its own, and there
/// @x.c is a list of arguments. Files that are replaced are named in a list without quoting.
bool is_plain(const std::string& path) {
  std::string name = fs::path(path).filename().string();
  return !name.starts_with('@') && !name.starts_with('-') && path.find(';') == path.npos &&
         std::none_of(path.begin(), path.end(), is_control);
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// Has the compiler call what follows by this name.
std::string line_marker(const std::string& name) {
  std::string out = "#line 1 \"";
  for (char c : name) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"\n";
}

/// `copy`: where a file of ours can be, without its extension.
Given given_for(const ClangJob& job, const std::string& copy) {
  std::string path = path_for_compiler(job.path);
  if (is_plain(job.path)) {
    if (!job.text) return {path};
    return {
        path, BoxFile{kCopy, *job.text}, {"-Xclang", "-remap-file", "-Xclang", path + ";" + kCopy}};
  }
  std::string text = job.text ? *job.text : bytes_of(job.path);
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);  // a mark that only comes first
  std::string extension = fs::path(job.path).extension().string();
  std::error_code failed;
  std::string folder = fs::absolute(job.path, failed).parent_path().string();
  std::string name = copy + (extension == ".i" ? ".i" : ".c");
  return {name, BoxFile{name, line_marker(path) + text}, {"-iquote", folder}};
}

/// Why each: -O1 has clang mark where lifetimes start, and -disable-llvm-passes keeps it from
/// optimising; -fwrapv and -fno-finite-loops define otherwise undefined behaviour,
/// -ffp-contract=off fixes how often results are rounded.
std::vector<std::string> arguments(const ClangJob& job, const Given& given) {
  std::vector<std::string> args = {job.clang,
                                   "-O1",
                                   "-Xclang",
                                   "-disable-llvm-passes",
                                   "-g",
                                   "-fwrapv",
                                   "-fno-finite-loops",
                                   "-fno-strict-aliasing",
                                   "-ffp-contract=off",
                                   "-Wno-return-type",  // is an error otherwise
                                   "-U__OPTIMIZE__",    // nothing is optimised
                                   "-D__NO_INLINE__",   // glibc: putchar is putchar
                                   "-D__NO_CTYPE",
                                   "-fno-color-diagnostics",
                                   "-fno-caret-diagnostics",
                                   "-fno-crash-diagnostics",
                                   job.pointer_bits == 64 ? "-m64" : "-m32"};
  // The headers of the 64 bit system do for 32 bit, with one more: glibc's include
  // <gnu/stubs-32.h>, a list of functions that always fail, and Debian has it in the 32-bit
  // development package alone. An empty list is right: we link nothing.
  if (job.pointer_bits != 64)
    args.insert(args.end(),
                {"-isystem", "/lemmata", "-isystem", "/usr/include/x86_64-linux-gnu", "-Xclang",
                 "-remap-file", "-Xclang", "/lemmata/gnu/stubs-32.h;/dev/null"});
  args.insert(args.end(), given.args.begin(), given.args.end());
  for (std::size_t i = 0; i < job.more.size(); ++i) {
    args.push_back(job.more[i]);
    if (takes_path(job.more[i]) && i + 1 < job.more.size())
      args.push_back(path_for_compiler(job.more[++i]));
  }
  if (job.makes == ClangJob::Makes::Bitcode)
    args.insert(args.end(), {"-emit-llvm", "-c"});
  else
    args.push_back("-E");
  args.insert(args.end(), {"-o", "-", "--", given.path});
  return args;
}

/// Where the path goes back up, what it is without that: inside the sandbox a/../b is another file
/// if a is a link.
std::string without_dots(const std::string& path) {
  bool inside = false;
  for (const fs::path& part : fs::path(path)) {
    if (part == ".." && inside) {
      std::error_code failed;
      fs::path real = fs::canonical(path, failed);
      return failed ? path : real.string();
    }
    inside = inside || (part != ".." && part != ".");
  }
  return path;
}

/// What the user names may be read.
std::vector<std::string> readable_for(const ClangJob& job) {
  std::vector<std::string> out = readable_beside(without_dots(job.path));
  auto add = [&](std::vector<std::string> more) {
    out.insert(out.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
  };
  for (std::size_t i = 0; i + 1 < job.more.size(); ++i) {
    if (!takes_path(job.more[i])) continue;
    bool file = job.more[i] == "-include";
    ++i;
    std::string path = without_dots(job.more[i]);
    add(file ? readable_beside(path) : readable_in(path));
  }
  return out;
}

/// NAME, NAME=VALUE or NAME(PARAMETERS)=VALUE.
bool is_macro(const std::string& text) {
  auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  auto end = std::find_if_not(text.begin(), text.end(),
                              [&](char c) { return letter(c) || digit(c) || c == '$'; });
  return !text.empty() && letter(text[0]) && (end == text.end() || *end == '=' || *end == '(') &&
         std::none_of(text.begin(), text.end(), is_control);
}

/// The standard of the language.
bool is_standard(const std::string& flag) {
  return flag.starts_with("-std=") && std::all_of(flag.begin() + 5, flag.end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == ':';
         });
}

}  // namespace

bool takes_path(std::string_view flag) {
  return flag == "-include" || std::find(kFolders.begin(), kFolders.end(), flag) != kFolders.end();
}

Status check_flags(const std::vector<std::string>& flags) {
  auto usage = [](const std::string& message) { return Error{{}, message, ErrorKind::Usage}; };
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string& flag = flags[i];
    bool macro = flag == "-D" || flag == "-U";
    if (!macro && !takes_path(flag)) {
      if (is_standard(flag)) continue;
      return usage("'" + flag + "': not an option that the compiler is given");
    }
    if (++i == flags.size() || flags[i].empty()) return usage(flag + " needs a value");
    if (macro && !is_macro(flags[i]))
      return usage(flag + " '" + flags[i] + "': expected the name of a macro, NAME or NAME=VALUE");
  }
  return Ok{};
}

std::string path_for_compiler(const std::string& path) {
  std::string out = printable(without_dots(path));
  // A list of arguments, or an option, otherwise; + and ~ have a meaning for Yosys.
  return out.find_first_of("@-+~<") == 0 ? "./" + out : out;
}

BoxEnd run_clang(const ClangJob& job, Unboxed unboxed, const std::stop_token& stop) {
  Given given = given_for(job, "/lemmata/program");
  std::error_code failed;
  Box box{.args = arguments(job, given),
          .readable = readable_for(job),
          .start_in = fs::current_path(failed).string(),
          .keep_output = true,
          .processes = Box::Processes::Many};
  if (failed) box.start_in = "/tmp";
  if (given.file) box.files.push_back(*given.file);
  BoxEnd ran = run_in_box(box, kLimits, stop);
  if (ran.works || unboxed == Unboxed::Refuse || !find_program(job.clang)) return ran;
  if (has_sandbox(stop)) return {true, {}};  // this program shall not choose to run without it
  TemporaryFolder folder;                    // for a copy of ours
  if (given.file) {
    given = given_for(job, folder.path() + "/program");
    std::ofstream(given.file->path, std::ios::binary) << given.file->bytes;
  }
  // Clang's own crash handler would leave files behind.
  Invocation bare{.args = {"env", "LLVM_DISABLE_SYMBOLIZATION=1"}, .keep_output = true};
  std::vector<std::string> args = arguments(job, given);
  bare.args.insert(bare.args.end(), args.begin(), args.end());
  return {false, run_process(bare, kLimits, stop)};
}

}  // namespace lem::ctext
