#include "frontend/c/c.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "frontend/c/assertions.h"
#include "frontend/c/clang.h"
#include "frontend/c/prepare.h"
#include "frontend/c/surroundings.h"
#include "frontend/c/translate.h"
#include "frontend/c/trial.h"

namespace lem::c {

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

/// Functions that clang omits because they are never called are in the text alone.
static bool asserts(const llvm::Module& module, const std::string& path, const COptions& options,
                    const std::stop_token& stop) {
  if (asserts_anything(module)) return true;
  std::string extension = std::filesystem::path(path).extension().string();
  if (extension != ".c" && extension != ".i") return false;
  Result<std::string> text = preprocess(path, options, stop);
  return text && text_asserts(*text);
}

Result<CProgram> read_c(const std::string& path, const COptions& options,
                        const std::stop_token& stop) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed))
    return Error{{path}, "no such file", ErrorKind::NotFound};
  std::string extension = std::filesystem::path(path).extension().string();
  bool is_text = extension == ".c" || extension == ".i";
  Compiled code;
  if (is_text) {
    Result<Compiled> compiled = compile(path, options, {}, stop);
    if (!compiled) return compiled.error();
    code = *std::move(compiled);
  } else if (extension != ".ll" && extension != ".bc") {
    return Error{{path}, "not a C program: the name ends in none of .c, .i, .ll, .bc"};
  } else {
    std::optional<std::string> read = contents(path);
    if (!read) return Error{{path}, "cannot read the file", ErrorKind::NotFound};
    code.bitcode = *std::move(read);
    if (extension == ".ll")
      if (Status readable = readable_layout(path); !readable) return readable.error();
    if (Status fine = try_reading(code.bitcode, path, stop); !fine) return fine.error();
  }
  llvm::LLVMContext context;
  Result<std::unique_ptr<llvm::Module>> module = parse(code.bitcode, path, context);
  if (!module) return module.error();
  std::vector<std::string> own = own_library_functions(**module);
  if (is_text && !own.empty()) {  // clang took calls of them for those of the library
    Result<Compiled> again = compile(path, options, own, stop);
    if (!again) return again.error();
    code = *std::move(again);
    module = parse(code.bitcode, path, context);
    if (!module) return module.error();
  }
  // Clang has folded this shift to one of several possible results.
  for (const SourcePos& at : code.constant_shifts)
    if (!has_shift(**module, at))
      return Error{at, "unsupported: constant that is shifted by its width or more"};
  bool asserting = asserts(**module, path, options, stop);
  std::uint32_t pointer_bits = (*module)->getDataLayout().getPointerSizeInBits();
  Result<llvm::Function*> main = prepare(**module, path);
  if (!main) return main.error();
  Result<CProgram> program = Translator(**main, path, options).run();
  if (!program) return program;
  program->module = std::make_shared<const std::string>(std::move(code.bitcode));
  program->pointer_bits = pointer_bits;
  program->asserts = asserting;
  return program;
}

Result<Problem> read_c_problem(const std::string& path, const COptions& options,
                               const std::stop_token& stop) {
  Result<CProgram> program = read_c(path, options, stop);
  if (!program) return program.error();
  if (!program->asserts)
    return Error{
        {path}, "nothing to check (no assertion, no call of reach_error)", ErrorKind::Usage};
  SourceMap source;
  source.file = path;
  source.format = std::string("c");
  source.c = std::make_shared<const CSource>(
      CSource{std::move(program->variables), std::move(program->inputs), program->pointer_bits,
              std::move(program->module)});
  return Problem{std::move(program->cfa), {{"unreach-call", ErrorLocation{}}}, std::move(source)};
}

}  // namespace lem::c
