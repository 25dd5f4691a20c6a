#include "frontend/c/c.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "frontend/c/clang.h"
#include "frontend/c/prepare.h"
#include "frontend/c/translate.h"

namespace lem {

/// LLVM ends the process on a layout that it cannot read, so we look before.
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

Result<CProgram> read_c(const std::string& path, const COptions& options) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed))
    return Error{{path}, "no such file", ErrorKind::NotFound};
  std::string extension = std::filesystem::path(path).extension().string();
  TemporaryFolder folder;
  std::string code = path;
  if (extension == ".c" || extension == ".i") {
    Result<std::string> compiled = c::compile(path, options, folder);
    if (!compiled) return compiled.error();
    code = *compiled;
  } else if (extension != ".ll" && extension != ".bc") {
    return Error{{path}, "not a C program: the name ends in none of .c, .i, .ll, .bc"};
  }
  if (extension == ".ll")
    if (Status readable = readable_layout(path); !readable) return readable.error();
  auto bytes = std::make_shared<std::string>();
  if (std::ifstream in(code, std::ios::binary); in)
    bytes->assign(std::istreambuf_iterator<char>(in), {});
  else
    return Error{{path}, "cannot read the file", ErrorKind::NotFound};
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module =
      llvm::parseIR(llvm::MemoryBufferRef(*bytes, path), problem, context);
  if (module == nullptr) {
    auto number = [](int at) { return at < 0 ? 0U : static_cast<std::uint32_t>(at); };
    return Error{{path, number(problem.getLineNo()), number(problem.getColumnNo() + 1)},
                 problem.getMessage().str()};
  }
  Result<llvm::Function*> main = c::prepare(*module, path);
  if (!main) return main.error();
  Result<CProgram> program = c::Translator(**main, path, options).run();
  if (program) program->module = std::move(bytes);
  return program;
}

Result<Problem> read_c_problem(const std::string& path, const COptions& options) {
  Result<CProgram> program = read_c(path, options);
  if (!program) return program.error();
  SourceMap source;
  source.file = path;
  source.format = std::string("c");
  source.c = std::make_shared<const CSource>(
      CSource{std::move(program->variables), std::move(program->inputs), options.pointer_bits,
              std::move(program->module)});
  return Problem{std::move(program->cfa), {{"unreach-call", ErrorLocation{}}}, std::move(source)};
}

}  // namespace lem
