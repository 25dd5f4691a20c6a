#include "frontend/frontend.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/word_list.h"
#include "frontend/aiger/aiger.h"
#include "frontend/btor2/btor2.h"
#include "frontend/chc/chc.h"
#include "frontend/lustre/lustre.h"
#include "frontend/st/st.h"
#include "frontend/verilog/verilog.h"
#include "frontend/vmt/vmt.h"

namespace lem::frontend {

namespace {

/// A front end without choices.
template <Result<Problem> (*Read)(const std::string&, std::string_view)>
Result<Problem> plain(const std::string& path, std::string_view bytes,
                      const ReadOptions& /*options*/, Remarks* /*remarks*/,
                      const std::stop_token& /*stop*/) {
  return Read(path, bytes);
}

/// The same, with remarks.
template <Result<Problem> (*Read)(const std::string&, std::string_view, Remarks*)>
Result<Problem> remarking(const std::string& path, std::string_view bytes,
                          const ReadOptions& /*options*/, Remarks* remarks,
                          const std::stop_token& /*stop*/) {
  return Read(path, bytes, remarks);
}

#ifdef LEM_WITH_C
/// The compiler reads the file itself.
Result<Problem> read_program(const std::string& path, std::string_view /*bytes*/,
                             const ReadOptions& options, Remarks* remarks,
                             const std::stop_token& stop) {
  c::COptions c = options.c;
  for (const std::string& text : options.checks)
    if (Status known = c::parse_checks(text, c.checks); !known) return known.error();
  if (!c.checks.empty() && c.errors == c::COptions::Errors::Together)
    return Error{{path}, "--svcomp has one property, and --check has others", ErrorKind::Usage};
  c.entry = options.st.entry;
  c.assumptions = options.st.assumptions;
  c.files = options.source.more_files;
  for (const std::string& folder : options.source.include_folders)
    c.flags.insert(c.flags.end(), {"-I", folder});
  for (const std::string& macro : options.source.defines)
    c.flags.insert(c.flags.end(), {"-D", macro});
  return c::read_c_problem(path, c, stop, remarks);
}
#endif

Result<Problem> read_plc(const std::string& path, std::string_view bytes,
                         const ReadOptions& options, Remarks* remarks,
                         const std::stop_token& /*stop*/) {
  StOptions st = options.st;
  for (const std::string& text : options.checks)
    if (Status known = parse_checks(text, st); !known) return known.error();
  for (const std::string& file : st.requirement_files) {
    Result<std::string> text = read_bytes(file);
    if (!text) return text.error();
    if (Status done = read_requirements(file, *text, st); !done) return done.error();
  }
  Result<StProgram> program = read_st(path, bytes, st, remarks);
  if (!program) return program.error();
  return st_problem(path, *std::move(program));
}

/// --entry and --top name the main node.
Result<Problem> read_nodes(const std::string& path, std::string_view bytes,
                           const ReadOptions& options, Remarks* remarks,
                           const std::stop_token& /*stop*/) {
  const std::string& entry = options.st.entry;
  const std::string& top = options.verilog.top;
  if (!entry.empty() && !top.empty() && entry != top)
    return Error{{path}, "--entry and --top name two main nodes", ErrorKind::Usage};
  return lustre::read_lustre(path, bytes, remarks, entry.empty() ? top : entry);
}

/// Yosys reads the files itself.
Result<Problem> read_design(const std::string& path, std::string_view /*bytes*/,
                            const ReadOptions& options, Remarks* remarks,
                            const std::stop_token& stop) {
  return verilog::read_verilog(path, options.source, options.verilog, remarks, stop);
}

constexpr std::array kFormats = {
    FormatInfo{
        "aiger", ".aag .aig",
        "AIGER 1.9, ascii and binary: bad states, justice, constraints, resets 0, 1 and free",
        "a bad state, a justice property or an output", &plain<aiger::read_aiger>},
    FormatInfo{"btor2", ".btor .btor2",
               "BTOR2: bit-vectors and arrays, all operators; init, next, bad, justice, constraint",
               "a line 'bad' or 'justice'", &remarking<btor2::read_btor2>},
    FormatInfo{"vmt", ".vmt",
               "VMT-LIB: annotated SMT-LIB terms; :next, :init, :trans, :invar-property",
               "a term with :invar-property", &remarking<vmt::read_vmt>},
    FormatInfo{"chc", ".smt2", "constrained Horn clauses: linear, or linear after inlining",
               "a clause", &plain<chc::read_chc>},
    FormatInfo{"lustre", ".lus",
               "Lustre as Kind 2 reads it: nodes, records, enumerations, contracts, condact, merge",
               "a property, a check, a guarantee or a mode in the main node or one that it calls",
               &read_nodes},
    FormatInfo{"st", ".st .scl .xml .TcPOU",
               "PLC programs in Structured Text or SCL, over all scan cycles (docs/plc.md)",
               "an //#ASSERT, a --require or a --check", &read_plc},
    FormatInfo{"verilog", ".v .sv",
               "Verilog and SystemVerilog through yosys: assertions, covers (docs/verilog.md)",
               "an assertion or a cover in the top module or an instance of it", &read_design,
               Files::Several},
#ifdef LEM_WITH_C
    FormatInfo{
        "c", ".c .i .ll .bc",
        "C programs and LLVM 14 code: no run of main reaches an error (docs/c.md)",
        "a call of reach_error, __VERIFIER_error, __VERIFIER_assert, assert or __CPROVER_assert",
        &read_program, Files::Several},
#endif
};

/// A file descriptor that closes itself.
class [[nodiscard]] OpenFile {
 public:
  explicit OpenFile(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

Error not_found(const std::string& path, const std::string& why) {
  return {{path, 0, 0}, "cannot read the file: " + why, ErrorKind::NotFound};
}

/// How many bytes to expect, if the file can be read at all.
Result<std::size_t> size_of(const OpenFile& file, const std::string& path) {
  struct stat info {};
  if (file.fd() < 0 || ::fstat(file.fd(), &info) != 0) return not_found(path, std::strerror(errno));
  if (S_ISDIR(info.st_mode)) return not_found(path, "it is a directory");
  return S_ISREG(info.st_mode) ? static_cast<std::size_t>(info.st_size) : 1 << 16;
}

Result<std::string> read_all(const OpenFile& file, const std::string& path, std::size_t size) {
  std::string bytes(size + 1, '\0');  // one more, so that the end of the file shows at once
  std::size_t used = 0;
  while (true) {
    if (used == bytes.size()) bytes.resize(2 * bytes.size());
    ssize_t got = ::read(file.fd(), bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return not_found(path, std::strerror(errno));
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  bytes.resize(used);
  return bytes;
}

std::string_view extension_of(std::string_view path) {
  std::size_t slash = path.rfind('/');
  std::string_view name = slash == path.npos ? path : path.substr(slash + 1);
  std::size_t dot = name.rfind('.');
  return dot == name.npos ? std::string_view() : name.substr(dot);
}

Error unknown_extension(const std::string& path, std::string_view extension) {
  std::string message = extension.empty()
                            ? std::string("the file name has no extension to tell its format")
                            : "unknown file extension '" + std::string(extension) + "'";
  message += "; known formats:";
  for (const FormatInfo& format : kFormats)
    message += " " + std::string(format.id) + " (" + std::string(format.extensions) + ")";
  return {{path, 0, 0}, message, ErrorKind::Usage};
}

}  // namespace

std::span<const FormatInfo> all_formats() {
  return kFormats;
}

const FormatInfo* format_of(std::string_view path) {
  std::string_view extension = extension_of(path);
  for (const FormatInfo& format : kFormats)
    if (has_word(format.extensions, extension)) return &format;
  return nullptr;
}

Error nothing_to_check(const std::string& path, std::string_view format) {
  std::string needs;
  for (const FormatInfo& info : kFormats)
    if (info.id == format) needs = " (it would need " + std::string(info.needs) + ")";
  return {{path, 0, 0}, "nothing to check" + needs, ErrorKind::Usage};
}

Result<std::string> read_bytes(const std::string& path) {
  OpenFile file(path);
  Result<std::size_t> size = size_of(file, path);
  if (!size) return size.error();
  return read_all(file, path, *size);
}

Result<Problem> read_problem(const std::string& path, const ReadOptions& options, Remarks* remarks,
                             const std::stop_token& stop) {
  OpenFile file(path);
  Result<std::size_t> size = size_of(file, path);
  if (!size) return size.error();
  const FormatInfo* format = format_of(path);
  if (format == nullptr) return unknown_extension(path, extension_of(path));
  if (format->files == Files::One && !options.source.more_files.empty())
    return Error{{options.source.more_files[0]},
                 "a model of the format " + std::string(format->id) + " is one file",
                 ErrorKind::Usage};
  auto bytes = read_all(file, path, *size);
  if (!bytes) return bytes.error();
  return format->read(path, *bytes, options, remarks, stop);
}

}  // namespace lem::frontend
