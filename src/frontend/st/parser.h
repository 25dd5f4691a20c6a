// Structured Text, in the flavours of IEC 61131-3 and SCL, to syntax trees: recursive descent. What
// is outside of the supported language is refused by name; slips that are common in real code
// (ELSEIF, a missing semicolon behind END_IF, == for =) are accepted with a warning.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontend/st/configuration.h"
#include "frontend/st/token.h"
#include "model/remarks.h"
#include "model/st/syntax.h"

namespace lem::st {

class Parser {
 public:
  Parser(std::vector<Token> tokens, std::vector<Warning>& warnings)
      : tokens_(std::move(tokens)), warnings_(warnings) {}

  /// All declarations of a file are added to `unit`.
  Status unit(Unit& unit);
  /// One expression and nothing else.
  Result<ExprPtr> whole_expression();
  /// Statements and nothing else: a body in a container.
  Result<Body> whole_body();
  /// VAR sections and nothing else: an interface in a container.
  Result<std::vector<VarDecl>> whole_interface();
  /// A header and VAR sections, as TwinCAT keeps them apart from the body.
  Result<Pou> header();
  Result<TypePtr> whole_type();
  Status type_declarations(Unit& unit);  // TYPE ... END_TYPE

  /// Names of a POU that bodies are read with. VAR_STAT is one variable for all calls and
  /// instances: a global one, `F.n` or `Block.Method.n`, which `n` means in the body.
  struct Scope {
    std::string pou;  // its name, with that of its block
    std::set<std::string> own{};
    std::map<std::string, Name> statics{};  // by key
  };
  /// Open scopes, the innermost last: of a header that was read, for the body that stands apart.
  const std::vector<Scope>& scopes() const { return scopes_; }
  void enter(std::vector<Scope> scopes) { scopes_ = std::move(scopes); }
  /// Global variables that VAR_STAT declares.
  const std::vector<VarDecl>& statics() const { return statics_; }
  /// Programs that a CONFIGURATION runs.
  const std::vector<ConfiguredProgram>& configured() const { return configured_; }

 private:
  // Tokens
  const Token& peek(std::size_t ahead = 0) const;
  const Token& next() { return tokens_[at_ < tokens_.size() - 1 ? at_++ : at_]; }
  bool at_symbol(const char* symbol) const { return peek().is_symbol(symbol); }
  bool at_word(const char* word) const { return peek().is_word(word); }
  bool take_symbol(const char* symbol);
  bool take_word(const char* word);
  Status expect_symbol(const char* symbol);
  Status expect_word(const char* word);
  Error expected(const std::string& what) const;
  Error refuse(const std::string& what) const;
  void warn(const SourcePos& at, const std::string& message) { warnings_.push_back({at, message}); }
  bool at_name() const;
  bool is_used_as_name() const;
  Result<Name> name();
  void skip_header_lines();

  // Declarations
  Status pou(Unit& unit, Pou::Kind kind, const char* end);
  Status pou_interface(Pou& pou);
  Status add_statics(Pou& pou, std::vector<VarDecl> variables);
  Name meant(Name name) const;
  Status end_of(const char* end);
  Status action(Pou& of);
  Result<Pou> method_header();
  Status method(Pou& of);
  Status actions(Unit& unit);
  Status data_block(Unit& unit);
  bool at_section() const;
  Status section(std::vector<VarDecl>& out);
  Status constants(std::vector<VarDecl>& out);
  Status declaration(const VarDecl& pattern, std::vector<VarDecl>& out);
  Status configuration(Unit& unit);
  Status resource_item(Unit& unit, std::vector<Task>& tasks, const std::string& resource);
  Result<Task> task(const std::string& resource);
  Result<ConfiguredProgram> program_instance(const std::vector<Task>& tasks,
                                             const std::string& resource);
  Result<TypePtr> type();
  Result<TypePtr> array_type();
  Result<TypePtr> structure_type();
  Result<TypePtr> enumeration_type();
  Result<Bounds> bounds();
  Result<ExprPtr> initial_value();
  Result<ExprPtr> aggregate(const char* close);

  // Statements
  Result<Body> statements();
  bool at_end_of_statements() const;
  bool at_case_label() const;
  Status statement(Body& out);
  Status simple_statement(Body& out);
  Status latched(Statement assigned, Body& out);
  Status annotation(Body& out);
  Status if_statement(Body& out);
  Status case_statement(Body& out);
  Status for_statement(Body& out);
  Status while_statement(Body& out);
  Status repeat_statement(Body& out);
  void end_of_statement(const char* keyword);

  // Expressions
  Result<ExprPtr> expression();
  Result<ExprPtr> binary(int level);
  Result<ExprPtr> unary();
  Result<ExprPtr> power();
  Result<ExprPtr> postfix();
  Result<ExprPtr> primary();
  Result<ExprPtr> prefixed();
  Result<ExprPtr> operator_call(BinaryOp op);
  Result<ExprPtr> address();
  Result<ExprPtr> member(ExprPtr operand);
  Result<std::vector<Argument>> arguments(const char* close);
  Result<Argument> argument();

  /// Deep nesting must not end the process.
  class Depth {
   public:
    explicit Depth(Parser& parser) : parser_(parser) { ++parser_.depth_; }
    ~Depth() { --parser_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    bool too_deep() const { return parser_.depth_ > 400; }

   private:
    Parser& parser_;
  };

  std::vector<Token> tokens_;
  std::vector<Warning>& warnings_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  bool in_case_ = false;
  std::vector<Scope> scopes_;
  std::map<std::string, Scope> read_;  // by key of the POU: for actions behind it
  std::vector<VarDecl> statics_;
  std::vector<ConfiguredProgram> configured_;
};

/// A condition that the user gives apart from the program; `at` is where it stands.
Result<ExprPtr> parse_expression(const std::string& text, const SourcePos& at,
                                 std::vector<Warning>& warnings);

}  // namespace lem::st
