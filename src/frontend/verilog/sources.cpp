#include "frontend/verilog/sources.h"

#include "frontend/verilog/names.h"
#include "frontend/verilog/parser.h"
#include "frontend/verilog/preprocessor.h"

namespace lem::verilog {

SourcePos Sources::place(const SourcePos& at) const {
  std::optional<std::size_t> number = statement_of(at.file);
  return number && *number < statements.size() ? statements[*number].at : at;
}

SourcePos Sources::place_of_words(const SourcePos& otherwise, const std::string& message) const {
  for (std::size_t end = message.rfind('\''); end != message.npos && end > 0;) {
    std::size_t start = message.rfind('\'', end - 1);
    if (start == message.npos) break;
    std::string word = message.substr(start + 1, end - start - 1);
    for (std::size_t i = 0; i < design.text.tokens.size(); ++i)
      if (design.text.tokens[i].names() && design.text.tokens[i].name() == word)
        return design.place(i);
    end = start == 0 ? message.npos : message.rfind('\'', start - 1);
  }
  return otherwise;
}

Status Sources::check_implicit(const std::string& name, const SourcePos& at) const {
  const std::vector<Token>& all = design.text.tokens;
  bool found = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    bool here = all[i].line == at.line && design.text.files[all[i].file].name == at.file;
    if (!(here || at.line == 0) || !all[i].names() || all[i].name() != name) continue;
    ScopeId scope = scope_of(design, i);
    bool port = i > 0 && all[i - 1].is(".") && i + 1 < all.size() && all[i + 1].is("(");
    if (port || design.find(scope, name) != nullptr) continue;
    if (!is_implicit_net(design, scope, all[i]))
      return Error{design.place(i), "'" + name + "' is not declared", ErrorKind::BadInput};
    found = true;
  }
  if (found) return Ok{};
  return Error{{at.file, at.line, 1}, "'" + name + "' is not declared", ErrorKind::BadInput};
}

Result<Sources> read_sources(Yosys& yosys, Dialect dialect, View view) {
  TokenList text;
  for (const std::string& file : yosys.files()) {
    PreprocessorInput input{.file = file,
                            .system = is_system(file, dialect),
                            .include_folders = yosys.include_folders(),
                            .defines = yosys.defines(),
                            .readable = yosys.readable()};
    if (view == View::Formal) input.defines.insert(input.defines.begin(), "FORMAL");
    if (Status done = preprocess(input, text); !done) return done.error();
  }
  Result<Syntax> design = parse(std::move(text));
  if (!design) return design.error();
  Result<Rewritten> rewritten = rewrite(*design);
  if (!rewritten) return rewritten.error();
  if (Status done = yosys.put_files(rewritten->texts); !done) return done.error();
  return Sources{*std::move(design), std::move(rewritten->statements),
                 std::move(rewritten->initial_values)};
}

}  // namespace lem::verilog
