#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "term/smtlib/printer.h"
#include "term/smtlib/sexpr.h"
#include "term/smtlib/term_parser.h"
#include "term/traverse.h"

namespace lem::smtlib {
namespace {

/// A store with a few declared constants, and text in and out.
class SmtLib : public ::testing::Test {
 protected:
  SmtLib() {
    for (const char* name : {"x", "y", "z", "|a b|"}) declare(name, t.int_sort());
    for (const char* name : {"r", "s"}) declare(name, t.real_sort());
    for (const char* name : {"p", "q", "let"}) declare(name, t.bool_sort());
    for (const char* name : {"u", "v"}) declare(name, t.bv_sort(8));
    declare("m", t.array_sort(t.int_sort(), t.int_sort()));
    declare("n", t.array_sort(t.bv_sort(8), t.real_sort()));
  }
  void declare(std::string name, Sort sort) {
    if (name.starts_with('|')) name = name.substr(1, name.size() - 2);
    vars.push_back(t.variable(name, sort));
  }
  Result<Term> read(const std::string& text) {
    auto document = read_document("f", text);
    if (!document) return document.error();
    TermParser parser(t, *document);
    for (Term var : vars) parser.bind(t.name(var), var);
    for (std::size_t i = 0; i + 1 < document->top().size(); ++i)
      if (Status ok = parser.define(document->top()[i]); !ok) return ok.error();
    return parser.term(document->top().back());
  }
  Term term(const std::string& text) {
    auto result = read(text);
    EXPECT_TRUE(result.ok()) << text << ": " << (result ? "" : result.error().text());
    return result ? *result : Term();
  }
  std::string error(const std::string& text) {
    auto result = read(text);
    return result ? "accepted" : result.error().text();
  }
  std::string print(const std::string& text) { return term_text(t, term(text)); }

  TermStore t;
  std::vector<Term> vars;
};

TEST_F(SmtLib, EquivalentSpellingsAreOneTerm) {
  const char* const pairs[][2] = {
      {"(=> p q)", "(or (not p) q)"},
      {"(=> p q (= p q))", "(=> p (=> q (= p q)))"},
      {"(xor p q true)", "(= p q)"},
      {"(= x y z)", "(and (= x y) (= y z))"},
      {"(distinct x y z)", "(and (not (= x y)) (not (= y z)) (not (= z x)))"},
      {"(< x y z)", "(and (< x y) (< y z))"},
      {"(> x 5)", "(>= x 6)"},
      {"(- x)", "(* (- 1) x)"},
      {"(- x y z)", "(+ x (* (- 1) y) (- z))"},
      {"(/ 1 2)", "0.5"},
      {"(/ r 4 2.0)", "(* 0.125 r)"},
      {"(+ r 1)", "(+ r 1.0)"},
      {"(<= x r)", "(<= (to_real x) r)"},
      {"(= r (to_real 1))", "(= r 1)"},
      {"(ite p 1 r)", "(ite p 1.0 r)"},
      {"(abs x)", "(ite (>= x 0) x (- x))"},
      {"(is_int r)", "(= r (to_real (to_int r)))"},
      {"(bvnand u v)", "(bvnot (bvand u v))"},
      {"(bvxnor u v)", "(bvnot (bvxor u v))"},
      {"(bvsub u v)", "(bvadd u (bvneg v))"},
      {"(bvuge u v)", "(bvule v u)"},
      {"(bvsgt u v)", "(bvslt v u)"},
      {"(bvsge u v)", "(not (bvslt u v))"},
      {"(bvcomp u v)", "(ite (= u v) #b1 #b0)"},
      {"((_ rotate_left 3) u)", "(concat ((_ extract 4 0) u) ((_ extract 7 5) u))"},
      {"((_ rotate_right 8) u)", "u"},
      {"((_ repeat 2) u)", "(concat u u)"},
      {"((_ repeat 5) #b01)", "#b0101010101"},
      {"((_ zero_extend 0) u)", "u"},
      {"(_ bv10 8)", "#x0a"},
      {"#b00001010", "#x0A"},
      {"(select (store m 1 2) 1)", "2"},
      {"(select ((as const (Array Int Int)) 7) x)", "7"},
      {"(let ((x y) (y x)) (- x y))", "(- y x)"},  // parallel
      {"(let ((x 1)) (let ((x (+ x 1))) (+ x y)))", "(+ 2 y)"},
      {"(+ (let ((x 1)) x) x)", "(+ 1 x)"},
      {"(! (+ x 1) :named foo)", "(+ 1 x)"},
      {"(and p |q|)", "(and q p)"},
  };
  for (const auto& [left, right] : pairs) EXPECT_EQ(term(left), term(right)) << left;
}

TEST_F(SmtLib, DefinitionsExpandWithoutCapture) {
  EXPECT_EQ(term("(define-fun two () Int 2) (define-fun d ((x Int)) Int (* two x)) (d (d y))"),
            term("(* 4 y)"));
  // g denotes the outer x, also inside a function with a parameter x.
  EXPECT_EQ(term("(define-fun g () Int x) (define-fun f ((x Int)) Int (+ x g)) (f y)"),
            term("(+ x y)"));
  EXPECT_EQ(term("(define-sort Byte () (_ BitVec 8)) (define-fun i ((a Byte)) Byte (bvadd a #x01))"
                 "(i u)"),
            term("(bvadd u #x01)"));
  EXPECT_EQ(term("(define-fun half () Real (/ 1 2)) (define-fun one () Real 1) (+ half one)"),
            term("1.5"));
}

TEST_F(SmtLib, ErrorsNameThePlace) {
  const char* const rows[][2] = {
      {"(and p\n  (+ x q))", "f:2:3: error: '+' expects numbers, found Bool"},
      {"(and p", "f:1:1: error: '(' is never closed"},
      {"(and p))", "f:1:8: error: ')' without '('"},
      {"|ab", "f:1:1: error: this quoted symbol is never closed"},
      {"\"ab", "f:1:1: error: this string is never closed"},
      {"12a", "f:1:1: error: malformed literal '12a'"},
      {"#b012", "f:1:1: error: malformed literal '#b012'"},
      {"(+ x nope)", "f:1:6: error: undeclared symbol 'nope'"},
      {"(foo x)", "f:1:1: error: unknown function 'foo'"},
      {"(x y)", "f:1:2: error: 'x' is no function"},
      {"(bvadd u #b1)",
       "f:1:1: error: 'bvadd' expects arguments of one sort, found (_ BitVec 1) beside (_ BitVec "
       "8)"},
      {"(= x p)", "f:1:1: error: '=' expects arguments of one sort, found Bool beside Int"},
      {"(not p q)", "f:1:1: error: 'not' expects 1 argument, found 2"},
      {"(ite x p q)", "f:1:1: error: 'ite' expects a Bool condition, found Int"},
      {"(div x y)", "f:1:1: error: unsupported: 'div' by a term that is no constant"},
      {"(mod x 0)", "f:1:1: error: unsupported: 'mod' by zero"},
      {"(/ r s)", "f:1:1: error: unsupported: '/' by a term that is no constant"},
      {"(/ r 0)", "f:1:1: error: unsupported: '/' by zero"},
      {"((_ extract 8 0) u)", "f:1:1: error: cannot extract bits 8 to 0 of 8 bits"},
      {"((_ extract 0 1) u)", "f:1:1: error: cannot extract bits 0 to 1 of 8 bits"},
      {"((_ zero_extend 99999999) u)", "f:1:1: error: unsupported: extension by 99999999 bits"},
      {"(_ bv256 8)", "f:1:1: error: the value does not fit into 8 bits"},
      {"(_ bv1 0)", "f:1:8: error: unsupported: a bit-vector of 0 bits"},
      {"((_ int2bv 8) x)", "f:1:1: error: unsupported: indexed function 'int2bv'"},
      {"(select x 1)", "f:1:1: error: 'select' expects an array, found Int"},
      {"(store m 1 p)", "f:1:1: error: 'store' expects an element of sort Int, found Bool"},
      {"(forall ((x Int)) p)", "f:1:1: error: unsupported: a quantifier at this place"},
      {"(let (x 1) x)", "f:1:7: error: expected a binding (symbol term)"},
      {"(define-fun f ((a Int)) Int a) (f p)",
       "f:1:35: error: argument 1 of 'f' must be of sort Int, found Bool"},
      {"(define-fun f ((a Int)) Int a) (f x y)", "f:1:33: error: 'f' expects 1 arguments, found 2"},
      {"(define-fun f () Int p) f", "f:1:22: error: expected a term of sort Int, found Bool"},
      {"(define-fun x () Int 1) x", "f:1:13: error: 'x' is already declared"},
      {"()", "f:1:1: error: expected a term, found '()'"},
      {"(+)", "f:1:2: error: '(+)' has no arguments"},
      {"and", "f:1:1: error: 'and' expects arguments"},
  };
  for (const auto& [text, expected] : rows) EXPECT_EQ(error(text), expected) << text;
}

TEST_F(SmtLib, PrintsValuesAndSymbolsAsSolversReadThem) {
  EXPECT_EQ(print("(- 3)"), "(- 3)");
  EXPECT_EQ(print("2.50"), "(/ 5.0 2.0)");
  EXPECT_EQ(print("(- 0.25)"), "(- (/ 1.0 4.0))");
  EXPECT_EQ(print("(- 7.0)"), "(- 7.0)");
  EXPECT_EQ(print("#x0a"), "#x0a");
  EXPECT_EQ(print("(_ bv2 5)"), "#b00010");
  EXPECT_EQ(print("|a b|"), "|a b|");
  EXPECT_EQ(print("|let|"), "|let|");
  EXPECT_EQ(print("|x|"), "x");
  EXPECT_EQ(print("(store ((as const (Array Int Int)) 0) 3 (- 1))"),
            "(store ((as const (Array Int Int)) 0) 3 (- 1))");
  EXPECT_EQ(symbol_text("9x"), "|9x|");
  EXPECT_EQ(symbol_text("a|b"), "|a_b|");
  EXPECT_EQ(symbol_text(".$@%*+!"), ".$@%*+!");
  EXPECT_EQ(symbol_text("a#1"), "|a#1|");
}

TEST_F(SmtLib, NamingKeepsSymbolsApart) {
  Naming naming;
  EXPECT_EQ(naming.unique("a"), "a");
  EXPECT_EQ(naming.unique("a"), "a_1");
  EXPECT_EQ(naming.unique("a_1"), "a_1_1");
  EXPECT_EQ(naming.unique("a|b"), "a_b");
  EXPECT_EQ(naming.unique("a\\b"), "a_b_1");
  EXPECT_EQ(naming.unique("select"), "select_");
}

TEST_F(SmtLib, PrintedTermsParseToThemselves) {
  for (const char* text : {
           "(and p (or q (not (= x y))) (=> p (< r s)))",
           "(ite (> (+ x (* 3 y) (- 4)) (div z 5)) (mod x 7) (* x y))",
           "(= (to_int r) (+ x 1))",
           "(bvult (bvadd u (bvmul v #x03)) (concat ((_ extract 3 0) v) #b0101))",
           "(= ((_ sign_extend 4) u) ((_ zero_extend 4) (bvashr v u)))",
           "(bvsdiv (bvudiv u v) (bvsrem u (bvsmod u (bvurem v u))))",
           "(bvor (bvshl u v) (bvlshr u (bvneg (bvnot v))) (bvxor u v))",
           "(= (store m x (select m y)) (store m |a b| 3))",
           "(< (select (store n u 1.5) v) (/ 1 3))",
           "(xor p (= q |let|))",
       }) {
    Term once = term(text);
    EXPECT_EQ(term(term_text(t, once)), once) << text << "\n" << term_text(t, once);
  }
}

TEST_F(SmtLib, SharedSubtermsArePrintedOnce) {
  Term sum = term("(* x y)");
  for (int i = 0; i < 200; ++i)
    sum = t.make_mul(t.make_add(sum, sum), t.make_add(sum, vars[i % 3]));
  std::string text = term_text(t, sum);
  EXPECT_LT(text.size(), 100'000U);
  EXPECT_EQ(term(text), sum);
}

TEST_F(SmtLib, LetNamesAvoidVariables) {
  declare("?0", t.int_sort());
  Term sum = term("(ite p (* x ?0) (* y y))");
  for (int i = 0; i < 20; ++i) sum = t.make_ite(t.make_le(sum, vars[0]), t.make_mul(sum, sum), sum);
  EXPECT_EQ(term(term_text(t, sum)), sum);
}

TEST_F(SmtLib, DepthCostsNoStack) {
  const int depth = 20'000;
  std::string text = "p";
  std::string open;
  for (int i = 0; i < depth; ++i) open += "(= q (or p ";
  text = open + text + std::string(2 * depth, ')');
  Term deep = term(text);
  ASSERT_TRUE(deep);
  EXPECT_EQ(term(term_text(t, deep)), deep);
  std::string lets;
  for (int i = 0; i < depth; ++i) lets += "(let ((x (+ x y))) ";
  EXPECT_EQ(term(lets + "x" + std::string(depth, ')')), term("(+ x (* 20000 y))"));
}

TEST_F(SmtLib, ChainsOfAbbreviationsCostTheirSize) {
  std::string text = "(define-fun d0 () Int (* x y))";
  for (int i = 1; i < 20'000; ++i) {
    std::string before = "d" + std::to_string(i - 1);
    text += "(define-fun d" + std::to_string(i) + " () Int (ite (<= " + before + " x) (+ " +
            before + " " + before + ") y))";
  }
  EXPECT_TRUE(term(text + " d19999"));
}

TEST_F(SmtLib, AnnotationsReachTheirHandler) {
  std::string text = "(and (! (<= x 1) :init true) (! p :a :b 3))";
  auto document = read_document("f", text);
  ASSERT_TRUE(document.ok());
  TermParser parser(t, *document);
  for (Term var : vars) parser.bind(t.name(var), var);
  std::vector<std::string> seen;
  parser.on_annotation([&](Term term, const Sexpr& annotated) -> Status {
    seen.push_back(term_text(t, term));
    for (std::size_t i = 2; i < annotated.size(); ++i) seen.emplace_back(annotated[i].text);
    return Ok{};
  });
  ASSERT_TRUE(parser.term(document->top()[0]).ok());
  EXPECT_EQ(seen, (std::vector<std::string>{"(<= x 1)", ":init", "true", "p", ":a", ":b", "3"}));
}

TEST(Sexpr, KeepsPositionsAcrossCommentsAndStrings) {
  auto document = read_document("f", "; c (\n(a \"x\"\"\n)\" |q\n|)\n  b ;");
  ASSERT_TRUE(document.ok());
  ASSERT_EQ(document->top().size(), 2U);
  const Sexpr& list = document->top()[0];
  EXPECT_EQ(list.line, 2U);
  EXPECT_EQ(list[1].text, "x\"\"\n)");
  EXPECT_EQ(list[2].text, "q\n");
  EXPECT_EQ(document->top()[1].line, 5U);
  EXPECT_EQ(document->top()[1].column, 3U);
}

}  // namespace
}  // namespace lem::smtlib
