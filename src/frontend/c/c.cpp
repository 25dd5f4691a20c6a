#include "frontend/c/c.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/SourceMgr.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>

#include "base/try.h"
#include "ctext/compiler.h"
#include "frontend/c/assertions.h"
#include "frontend/c/assumptions.h"
#include "frontend/c/checks.h"
#include "frontend/c/choices.h"
#include "frontend/c/clang.h"
#include "frontend/c/compile_commands.h"
#include "frontend/c/entry.h"
#include "frontend/c/environment.h"
#include "frontend/c/lifetimes.h"
#include "frontend/c/odd_types.h"
#include "frontend/c/outside_main.h"
#include "frontend/c/prepare.h"
#include "frontend/c/read_in_child.h"
#include "frontend/c/translate.h"

namespace lem::c {

/// What is said about a program besides its automaton.
struct Words {
  std::vector<Warning> warnings{};
  /// Functions of the program called like those that report failures, where nothing else does.
  std::set<std::string> own_assertions{};
};

static Error nothing_to_check(const std::string& path, const Words& words,
                              const COptions& options) {
  if (!words.own_assertions.empty())
    return Error{{path},
                 "nothing to check: '" + *words.own_assertions.begin() +
                     "' is a function of the program, and its body calls nothing that reports a "
                     "failure (reach_error, __assert_fail)",
                 ErrorKind::Usage};
  const char* hint = options.checks.empty()
                         ? "; --check memory,arithmetic looks for undefined behaviour)"
                         : ", nothing that --check looks for)";
  return Error{{path},
               std::string("nothing to check (no assertion, no reach_error") + hint,
               ErrorKind::Usage};
}

/// LLVM ends the process on a layout that it cannot read, so it is checked first.
static Status readable_layout(const std::string& path) {
  std::ifstream in(path);
  std::uint32_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::size_t at = line.find("datalayout");
    std::size_t from = at == std::string::npos ? at : line.find('"', at);
    std::size_t to = from == std::string::npos ? from : line.find('"', from + 1);
    if (to == std::string::npos) continue;
    llvm::Expected<llvm::DataLayout> layout =
        llvm::DataLayout::parse(line.substr(from + 1, to - from - 1));
    if (!layout) return Error{{path, number, 0}, llvm::toString(layout.takeError())};
  }
  return Ok{};
}

static Result<std::unique_ptr<llvm::Module>> parse(const std::string& bytes,
                                                   const std::string& path,
                                                   llvm::LLVMContext& context) {
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module =
      llvm::parseIR(llvm::MemoryBufferRef(bytes, path), problem, context);
  if (module != nullptr) return module;
  auto number = [](int at) { return at < 0 ? 0U : static_cast<std::uint32_t>(at); };
  return Error{{path, number(problem.getLineNo()), number(problem.getColumnNo() + 1)},
               problem.getMessage().str()};
}

static std::optional<std::string> contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// The flags of a file that the project's build has a command for go before those that are given.
static Result<COptions> with_flags_of(const std::string& path, const COptions& options) {
  LEM_TRY(ctext::check_flags(options.flags));
  COptions out = options;
  if (options.compile_commands.empty()) return out;
  LEM_LET(std::vector<std::string> flags,
          compile_flags(options.compile_commands, path, options.flags));
  out.flags.insert(out.flags.begin(), flags.begin(), flags.end());
  return out;
}

/// The C files of the program behind the preprocessor.
static std::vector<std::string> preprocessed(const std::string& path, const COptions& options,
                                             const std::stop_token& stop) {
  std::vector<std::string> files = {path}, out;
  files.insert(files.end(), options.files.begin(), options.files.end());
  for (const std::string& file : files) {
    std::string extension = std::filesystem::path(file).extension().string();
    if (extension != ".c" && extension != ".i") continue;
    Result<COptions> its = with_flags_of(file, options);
    if (!its) continue;
    Result<std::string> text = preprocess(file, *its, stop);
    if (text) out.push_back(*std::move(text));
  }
  return out;
}

/// What reports failures: functions that clang omits because they are never called are in the text
/// alone, and a function that the program defines is what its body says.
struct Asserting {
  bool any = false;
  std::set<std::string> own{};  // names that would report a failure if they had no body
};

static Asserting asserting(const llvm::Module& module, const std::string& path,
                           const COptions& options, const std::stop_token& stop) {
  Asserting out;
  if (asserts_anything(module)) {
    out.any = true;
    return out;
  }
  std::vector<std::string> texts = preprocessed(path, options, stop);
  for (const std::string& text : texts) out.own.merge(own_assertions(text));
  for (const std::string& text : texts) out.any = out.any || text_asserts(text, out.own);
  return out;
}

namespace {

/// The code of one file.
struct CodeUnit {
  Compiled code;
  std::unique_ptr<llvm::Module> module;
  bool marked = false;  // with lifetimes, which `code` does not have
};

bool defines(const CodeUnit& unit, const std::string& name) {
  const llvm::Function* function = unit.module->getFunction(name);
  return function != nullptr && !function->isDeclaration();
}

/// C with something behind its text.
Result<CodeUnit> compile_unit(const std::string& path, const COptions& options,
                              const std::vector<std::string>& own, llvm::LLVMContext& context,
                              const std::stop_token& stop, const std::string& more) {
  LEM_LET(COptions its, with_flags_of(path, options));
  CodeUnit unit;
  LEM_LET(unit.code, compile(path, its, own, stop, more));
  LEM_LET(unit.module, parse(unit.code.bitcode, path, context));
  unit.marked = mark_lifetimes(*unit.module);
  return unit;
}

/// C in which the entry is known: clang omits a static function that nothing calls, and the
/// conditions of --assume are compiled where the entry is.
Result<CodeUnit> read_c_unit(const std::string& path, const COptions& options,
                             const std::vector<std::string>& own, llvm::LLVMContext& context,
                             const std::stop_token& stop) {
  Result<CodeUnit> unit = compile_unit(path, options, own, context, stop, "");
  if (!unit || options.entry.empty()) return unit;
  std::string keeping = is_identifier(options.entry) ? keeping_text(options.entry) : "";
  if (!defines(*unit, options.entry) && !keeping.empty()) {
    Result<CodeUnit> kept = compile_unit(path, options, own, context, stop, keeping);
    if (!kept || !defines(*kept, options.entry)) return unit;
    unit = std::move(kept);
  }
  if (options.assumptions.empty() || !defines(*unit, options.entry)) return unit;
  LEM_LET(std::string text,
          assumption_text(*unit->module->getFunction(options.entry), path, options));
  return compile_unit(path, options, own, context, stop, keeping + text);
}

Result<CodeUnit> read_unit(const std::string& path, const COptions& options,
                           const std::vector<std::string>& own, llvm::LLVMContext& context,
                           const std::stop_token& stop) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed))
    return Error{{path}, "no such file", ErrorKind::NotFound};
  std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".c" || extension == ".i") return read_c_unit(path, options, own, context, stop);
  if (extension != ".ll" && extension != ".bc")
    return Error{{path}, "not a C program: the name ends in none of .c, .i, .ll, .bc"};
  CodeUnit unit;
  std::optional<std::string> read = contents(path);
  if (!read) return Error{{path}, "cannot read the file", ErrorKind::NotFound};
  if (!sanitizer_flags(options.checks).empty())
    return Error{
        {path}, "--check looks for undefined behaviour in C, not in LLVM code", ErrorKind::Usage};
  unit.code.bitcode = *std::move(read);
  if (extension == ".ll") LEM_TRY(readable_layout(path));
  LEM_TRY(read_in_child(unit.code.bitcode, path, stop));
  LEM_LET(unit.module, parse(unit.code.bitcode, path, context));
  LEM_TRY(
      refuse_odd_types(*unit.module, path, extension == ".ll" ? unit.code.bitcode : std::string()));
  return unit;
}

/// What LLVM's linker says goes here instead of to standard error.
struct LinkerWords : llvm::DiagnosticHandler {
  explicit LinkerWords(std::string& out) : words(out) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    llvm::raw_string_ostream text(words);
    llvm::DiagnosticPrinterRawOStream printer(text);
    info.print(printer);
    return true;
  }
  std::string& words;
};

/// All files of the program in the first one.
Result<CodeUnit> read_units(const std::string& path, const COptions& options,
                            const std::vector<std::string>& own, llvm::LLVMContext& context,
                            const std::stop_token& stop) {
  Result<CodeUnit> first = read_unit(path, options, own, context, stop);
  for (const std::string& file : options.files) {
    if (!first) return first;
    Result<CodeUnit> other = read_unit(file, options, own, context, stop);
    if (!other) return other;
    first->code.boxed = first->code.boxed && other->code.boxed;
    first->code.constant_shifts.insert(first->code.constant_shifts.end(),
                                       other->code.constant_shifts.begin(),
                                       other->code.constant_shifts.end());
    first->code.unsequenced.insert(first->code.unsequenced.end(), other->code.unsequenced.begin(),
                                   other->code.unsequenced.end());
    first->marked = first->marked || other->marked;
    std::string words;
    context.setDiagnosticHandler(std::make_unique<LinkerWords>(words));
    if (llvm::Linker::linkModules(*first->module, std::move(other->module)))
      return Error{{file}, words.empty() ? "does not fit the other files" : words};
  }
  return first;
}

/// Where the program leaves something to the compiler that it may depend on.
std::vector<Warning> choices(const llvm::Module& module, const std::string& path,
                             const COptions& options, const Compiled& code) {
  std::vector<Warning> out = code.unsequenced;
  auto add = [&](std::vector<Warning> more) { out.insert(out.end(), more.begin(), more.end()); };
  add(order_of_evaluation(module, path));
  add(silent_assertions(module, path));
  std::vector<std::string> files = {path};
  files.insert(files.end(), options.files.begin(), options.files.end());
  bool of_c = false;
  for (const std::string& file : files) {
    std::string extension = std::filesystem::path(file).extension().string();
    if (extension != ".c" && extension != ".i") continue;
    of_c = true;
    if (std::optional<std::string> text = contents(file)) add(compiler_macros(*text, file));
  }
  if (of_c) add(excess_precision(module, path));
  return out;
}

std::string bitcode_of(const llvm::Module& module) {
  std::string out;
  llvm::raw_string_ostream stream(out);
  llvm::WriteBitcodeToFile(module, stream);
  return out;
}

}  // namespace

static Result<CProgram> read_program(const std::string& path, const COptions& options,
                                     const std::stop_token& stop, Words& words) {
  if (!options.assumptions.empty() && options.entry.empty())
    return Error{{path},
                 "--assume needs --entry: it is about the state in which a function is called",
                 ErrorKind::Usage};
  llvm::LLVMContext context;
  LEM_LET(CodeUnit unit, read_units(path, options, {}, context, stop));
  if (auto own = own_library_functions(*unit.module); !own.empty()) {
    LEM_LET(unit, read_units(path, options, own, context, stop));  // clang took them for builtins
  }
  if (!unit.code.boxed)
    words.warnings.push_back(
        {{path}, "compiled without a sandbox, with your rights: bubblewrap does not work here"});
  llvm::Module& module = *unit.module;
  // Clang has folded this shift to one of several possible results.
  for (const SourcePos& at : unit.code.constant_shifts)
    if (!options.checks.contains(CRule::Shift) && !has_shift(module, at))
      return Error{at, "unsupported: constant that is shifted by its width or more"};
  Asserting asserts = asserting(module, path, options, stop);
  std::vector<Warning> open = choices(module, path, options, unit.code);
  words.warnings.insert(words.warnings.end(), open.begin(), open.end());
  std::vector<std::string> warnings;
  LEM_LET(bool begun, begin_with(module, path, options, warnings));
  std::vector<std::string> undefined;
  LEM_LET(bool changed, add_environment(module, path, options, undefined, stop));
  if (changed || begun || !options.files.empty()) {
    auto* byte = llvm::Type::getInt8Ty(context);
    new llvm::GlobalVariable(module, byte, true, llvm::GlobalValue::InternalLinkage,
                             llvm::ConstantInt::get(byte, 0), ctext::kCompletedMark);
    unit.code.bitcode = bitcode_of(module);
  } else if (unit.marked) {
    unit.code.bitcode = bitcode_of(module);
  }
  std::uint32_t pointer_bits = module.getDataLayout().getPointerSizeInBits();
  LEM_LET(const llvm::Function* main, prepare(module, path, options));
  LEM_LET(CProgram program, translate(*main, path, options));
  program.module = std::make_shared<const std::string>(std::move(unit.code.bitcode));
  program.pointer_bits = pointer_bits;
  program.asserts = asserts.any || !program.properties.empty();
  words.own_assertions = std::move(asserts.own);
  program.undefined = std::move(undefined);
  program.warnings = std::move(warnings);
  return program;
}

Result<CProgram> read_c(const std::string& path, const COptions& options,
                        const std::stop_token& stop) {
  Words words;
  return read_program(path, options, stop, words);
}

/// Nothing is apart where nothing is reached: the one error location stands for all.
static std::vector<Property> properties_of(const CProgram& program) {
  std::vector<Property> out;
  for (const CProperty& one : program.properties)
    out.push_back({one.name, ErrorLocation{one.error}, {}, Goal::Avoid, one.at});
  if (out.empty()) out.push_back({std::string(name(CRule::ErrorCall)), ErrorLocation{}});
  return out;
}

Result<Problem> read_c_problem(const std::string& path, const COptions& options,
                               const std::stop_token& stop, Remarks* remarks) {
  Words words;
  LEM_LET(CProgram program, read_program(path, options, stop, words));
  if (!program.asserts) return nothing_to_check(path, words, options);
  if (remarks != nullptr)
    remarks->warnings.insert(remarks->warnings.end(), words.warnings.begin(), words.warnings.end());
  for (const std::string& undefined : program.undefined)
    if (remarks != nullptr)
      remarks->warnings.push_back(
          {{path},
           "'" + undefined + "' is not defined: it returns any value and changes no memory"});
  if (remarks != nullptr)
    for (const std::string& warning : program.warnings)
      remarks->warnings.push_back({{path}, warning});
  SourceMap source;
  source.file = path;
  source.format = std::string("c");
  std::vector<Property> properties = properties_of(program);
  source.c = std::make_shared<const CSource>(CSource{
      std::move(program.variables), std::move(program.inputs), program.pointer_bits,
      std::move(program.module), std::move(program.properties),
      std::make_shared<const CMarks>(std::move(program.marks)), sanitizer_flags(options.checks)});
  return Problem{std::move(program.cfa), std::move(properties), std::move(source)};
}

}  // namespace lem::c
