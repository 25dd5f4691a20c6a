#include "base/try.h"
#include "frontend/st/lexer.h"
#include "frontend/st/parser.h"

namespace lem::st {

static ExprPtr compound(BinaryOp op, const ExprPtr& target, ExprPtr value, const SourcePos& at) {
  Expr expr{Expr::Kind::Binary, at};
  expr.binary = op;
  expr.operand = target;
  expr.right = std::move(value);
  return std::make_shared<const Expr>(std::move(expr));
}

bool Parser::at_end_of_statements() const {
  if (peek().is(Token::Kind::End)) return true;
  if (!peek().is(Token::Kind::Word)) return in_case_ && at_case_label();
  const std::string& key = peek().key;
  bool action = (key == "action" || key == "method") && !peek(1).is(Token::Kind::Symbol);
  bool closes =
      is_end(key) || key == "else" || key == "elsif" || key == "elseif" || key == "until" || action;
  return closes || (in_case_ && at_case_label());
}

/// A number, or a name that `:`, `,` or `..` follows: no statement starts like that.
bool Parser::at_case_label() const {
  const Token& token = peek();
  if (token.is(Token::Kind::Integer) || token.is(Token::Kind::Prefix) ||
      token.is(Token::Kind::Time) || token.is(Token::Kind::String))
    return true;
  if (token.is_symbol("-")) return true;
  if (token.is_word("true") || token.is_word("false")) return true;
  if (!token.is(Token::Kind::Word) && !token.is(Token::Kind::Quoted)) return false;
  std::size_t ahead = 1;
  while (peek(ahead).is_symbol(".") && !peek(ahead + 1).is(Token::Kind::Symbol)) ahead += 2;
  const Token& behind = peek(ahead);
  return behind.is_symbol(":") || behind.is_symbol(",") || behind.is_symbol("..");
}

Result<Body> Parser::statements() {
  Depth depth(*this);
  if (depth.too_deep()) return refuse("statements nested this deeply");
  Body out;
  while (!at_end_of_statements()) LEM_TRY(statement(out));
  return out;
}

/// Vendors differ on whether the semicolon behind END_IF may be left out.
void Parser::end_of_statement(const char* keyword) {
  if (!take_symbol(";")) warn(peek().at, std::string("missing ';' after ") + keyword);
}

Status Parser::statement(Body& out) {
  const Token& token = peek();
  if (token.is(Token::Kind::Annotation)) return annotation(out);
  if (take_symbol(";")) return Ok{};
  SourcePos at = token.at;
  if (take_word("if")) return if_statement(out);
  if (take_word("case")) return case_statement(out);
  if (take_word("for")) return for_statement(out);
  if (take_word("while")) return while_statement(out);
  if (take_word("repeat")) return repeat_statement(out);
  if (at_word("goto") && !is_used_as_name()) return refuse("GOTO");
  if (at_word("__try")) return refuse("__TRY");
  for (auto [word, kind] :
       {std::pair{"exit", Statement::Kind::Exit}, std::pair{"continue", Statement::Kind::Continue},
        std::pair{"return", Statement::Kind::Return}})
    if (at_word(word) && (peek(1).is_symbol(";") || !peek(1).is(Token::Kind::Symbol))) {
      next();
      out.push_back({kind, at});
      end_of_statement(word);
      return Ok{};
    }
  return simple_statement(out);
}

/// An assignment or a call.
Status Parser::simple_statement(Body& out) {
  SourcePos at = peek().at;
  if (take_word("__assume")) {
    Statement assume{Statement::Kind::Assume, at};
    LEM_LET(assume.value, expression());
    out.push_back(std::move(assume));
    return expect_symbol(";");
  }
  if (!at_name() && !peek().is(Token::Kind::Address)) return expected("a statement");
  LEM_LET(ExprPtr target, postfix());
  Statement made{Statement::Kind::Assign, at};
  made.target = target;
  SourcePos op = peek().at;
  if (take_symbol(":=")) {
    LEM_LET(made.value, expression());
    if (at_symbol(":=")) return refuse("several assignments in one");
  } else if (at_symbol("+=") || at_symbol("-=") || at_symbol("*=") || at_symbol("/=")) {
    std::string symbol = next().key;
    LEM_LET(ExprPtr value, expression());
    BinaryOp with = symbol == "+="   ? BinaryOp::Add
                    : symbol == "-=" ? BinaryOp::Subtract
                    : symbol == "*=" ? BinaryOp::Times
                                     : BinaryOp::Divide;
    made.value = compound(with, target, std::move(value), op);
  } else if ((at_word("s") || at_word("r")) && peek(1).is_symbol("=")) {
    return latched(made, out);
  } else if (target->kind == Expr::Kind::Call) {
    made.kind = Statement::Kind::Call;
    made.value = std::move(made.target);
  } else if (target->kind == Expr::Kind::Name && target->name->key == "__unreachable") {
    made.kind = Statement::Kind::Assert;
    Expr never{Expr::Kind::Boolean, at};
    made.value = std::make_shared<const Expr>(std::move(never));
    made.text = "__UNREACHABLE";
  } else if (at_symbol("=")) {
    return Error{op, "'=' compares; an assignment is written ':='"};
  } else {
    return expected("':='");
  }
  out.push_back(std::move(made));
  if (!take_symbol(";")) {
    if (at_end_of_statements())
      warn(peek().at, "missing ';'");
    else
      return expected("';'");
  }
  return Ok{};
}

/// `x S= condition;` sets x where the condition holds, `x R= condition;` resets it.
Status Parser::latched(Statement assigned, Body& out) {
  Statement made{Statement::Kind::If, assigned.at};
  Expr value{Expr::Kind::Boolean, assigned.at};
  value.number = at_word("s") ? 1 : 0;
  value.text = at_word("s") ? "TRUE" : "FALSE";
  assigned.value = std::make_shared<const Expr>(std::move(value));
  next();
  next();
  LEM_LET(ExprPtr condition, expression());
  made.branches.push_back({std::move(condition), {std::move(assigned)}});
  out.push_back(std::move(made));
  return expect_symbol(";");
}

/// `//#ASSERT condition : name`, `//# assume condition`, `//# havoc variable`.
Status Parser::annotation(Body& out) {
  const Token& token = next();
  std::string kind = token.key;
  Statement made{Statement::Kind::Assert, token.at};
  made.text = token.text.substr(std::min(token.text.find_first_not_of(" \t"), token.text.size()));
  if (kind == "havoc") {
    made.kind = Statement::Kind::Havoc;
    LEM_LET(made.target, postfix());
  } else {
    if (kind == "assume") made.kind = Statement::Kind::Assume;
    LEM_LET(made.value, expression());
  }
  take_symbol(";");
  if (take_symbol(":")) {
    while (!peek().is(Token::Kind::EndAnnotation) && !peek().is(Token::Kind::End))
      made.name += (made.name.empty() ? "" : " ") + next().text;
    made.text.resize(std::min(made.text.size(), made.text.rfind(':')));
    while (!made.text.empty() && made.text.back() == ' ') made.text.pop_back();
  }
  if (!peek().is(Token::Kind::EndAnnotation)) return expected("the end of the annotation");
  next();
  out.push_back(std::move(made));
  return Ok{};
}

Status Parser::if_statement(Body& out) {
  Statement made{Statement::Kind::If, peek().at};
  bool in_case = std::exchange(in_case_, false);
  for (;;) {
    Branch branch;
    LEM_LET(branch.condition, expression());
    LEM_TRY(expect_word("then"));
    LEM_LET(branch.body, statements());
    made.branches.push_back(std::move(branch));
    if (at_word("elseif")) warn(peek().at, "'ELSEIF' is read as 'ELSIF'");
    if (!take_word("elsif") && !take_word("elseif")) break;
  }
  if (take_word("else")) {
    LEM_LET(made.body, statements());
    made.has_else = true;
  }
  LEM_TRY(expect_word("end_if"));
  in_case_ = in_case;
  end_of_statement("END_IF");
  out.push_back(std::move(made));
  return Ok{};
}

Status Parser::case_statement(Body& out) {
  Statement made{Statement::Kind::Case, peek().at};
  LEM_LET(made.value, expression());
  LEM_TRY(expect_word("of"));
  bool outer = std::exchange(in_case_, true);
  while (!at_word("else") && !at_word("end_case")) {
    CaseBranch branch;
    do {
      CaseLabel label;
      LEM_LET(label.low, expression());
      if (take_symbol("..")) {
        LEM_LET(label.high, expression());
      }
      branch.labels.push_back(std::move(label));
    } while (take_symbol(","));
    LEM_TRY(expect_symbol(":"));
    LEM_LET(branch.body, statements());
    made.cases.push_back(std::move(branch));
  }
  if (take_word("else")) {
    take_symbol(":");
    in_case_ = false;
    LEM_LET(made.body, statements());
    made.has_else = true;
  }
  LEM_TRY(expect_word("end_case"));
  in_case_ = outer;
  end_of_statement("END_CASE");
  out.push_back(std::move(made));
  return Ok{};
}

Status Parser::for_statement(Body& out) {
  Statement made{Statement::Kind::For, peek().at};
  LEM_LET(made.target, postfix());
  LEM_TRY(expect_symbol(":="));
  LEM_LET(made.value, expression());
  LEM_TRY(expect_word("to"));
  LEM_LET(made.to, expression());
  if (take_word("by")) {
    LEM_LET(made.by, expression());
  }
  LEM_TRY(expect_word("do"));
  bool in_case = std::exchange(in_case_, false);
  LEM_LET(made.body, statements());
  LEM_TRY(expect_word("end_for"));
  in_case_ = in_case;
  end_of_statement("END_FOR");
  out.push_back(std::move(made));
  return Ok{};
}

Status Parser::while_statement(Body& out) {
  Statement made{Statement::Kind::While, peek().at};
  LEM_LET(made.value, expression());
  LEM_TRY(expect_word("do"));
  bool in_case = std::exchange(in_case_, false);
  LEM_LET(made.body, statements());
  LEM_TRY(expect_word("end_while"));
  in_case_ = in_case;
  end_of_statement("END_WHILE");
  out.push_back(std::move(made));
  return Ok{};
}

Status Parser::repeat_statement(Body& out) {
  Statement made{Statement::Kind::Repeat, peek().at};
  bool in_case = std::exchange(in_case_, false);
  LEM_LET(made.body, statements());
  LEM_TRY(expect_word("until"));
  LEM_LET(made.value, expression());
  take_symbol(";");
  LEM_TRY(expect_word("end_repeat"));
  in_case_ = in_case;
  end_of_statement("END_REPEAT");
  out.push_back(std::move(made));
  return Ok{};
}

Result<Body> Parser::whole_body() {
  Result<Body> out = statements();
  if (out && !peek().is(Token::Kind::End)) return expected("a statement");
  return out;
}

}  // namespace lem::st
