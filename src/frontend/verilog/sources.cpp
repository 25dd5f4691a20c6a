#include "frontend/verilog/sources.h"

#include <algorithm>

#include "frontend/verilog/parser.h"
#include "frontend/verilog/preprocessor.h"

namespace lem::verilog {

SourcePos Sources::place(const SourcePos& at) const {
  std::optional<std::size_t> number = statement_of(at.file);
  return number && *number < statements.size() ? statements[*number].at : at;
}

Status Sources::check_implicit(const std::string& name, const SourcePos& at) const {
  const std::vector<Token>& all = design.text.tokens;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].line != at.line || !all[i].names() || all[i].name() != name) continue;
    if (design.text.files[all[i].file].name != at.file) continue;
    for (ScopeId id = 0; id < design.scopes.size(); ++id) {
      const Scope& scope = design.scopes[id];
      if (scope.kind == ScopeKind::Generate && !all[i].implicit_nets) continue;
      auto found = std::find(scope.implicit_nets.begin(), scope.implicit_nets.end(), name);
      if (found != scope.implicit_nets.end() && all[i].implicit_nets) return Ok{};
    }
    return Error{design.place(i), "'" + name + "' is not declared", ErrorKind::BadInput};
  }
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
