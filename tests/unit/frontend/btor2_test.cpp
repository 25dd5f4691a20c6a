#include "frontend/btor2/btor2.h"

#include <gtest/gtest.h>

#include <functional>

#include "term/traverse.h"

namespace lem::frontend {
namespace {

Problem read(const std::string& text) {
  auto problem = btor2::read_btor2("m.btor2", text);
  EXPECT_TRUE(problem.ok()) << (problem ? "" : problem.error().text());
  return problem ? std::move(*problem) : Problem{};
}

std::string error_of(const std::string& text) {
  auto problem = btor2::read_btor2("m.btor2", text);
  if (problem) return "no error";
  EXPECT_EQ(problem.error().kind, ErrorKind::BadInput);
  return problem.error().text();
}

TEST(Btor2Reader, JusticePropertiesHaveTheFairnessOfTheModel) {
  Problem p = read(
      "1 sort bitvec 1\n2 input 1 a\n3 input 1 b\n4 justice 2 2 -3 served\n5 bad 2\n"
      "6 justice 0\n7 fair 3\n");
  ASSERT_EQ(p.properties.size(), 3U);
  EXPECT_EQ(p.properties[0].name, "served");
  EXPECT_EQ(p.properties[0].symbol, "j0");
  EXPECT_EQ(p.properties[0].often_terms().size(), 3U) << "fairness may stand behind";
  EXPECT_EQ(std::get<Justice<Term>>(p.properties[0].target).own, 2U);
  EXPECT_EQ(p.properties[1].symbol, "b0");
  EXPECT_EQ(p.properties[2].symbol, "j1");
  EXPECT_EQ(p.properties[2].often_terms().size(), 1U);
}

TEST(Btor2Reader, ReadsACounterWithEverySection) {
  Problem p = read(
      "; a comment\n1 sort bitvec 4\n2 sort bitvec 1\n3 zero 1\n4 state 1 count\n5 init 1 4 3\n"
      "6 input 2 enable ; the switch\n7 one 1\n8 add 1 4 7\n9 ite 1 6 8 4\n10 next 1 4 9\n"
      "11 ones 1\n12 eq 2 4 11\n13 bad 12 full\n14 constraint 6\n15 output 4 value\n"
      "16 bad -12\n\n");
  const TransitionSystem& system = p.system();
  TermStore& terms = system.terms();
  ASSERT_EQ(system.states().size(), 1U);
  const StateVar& count = system.states()[0];
  EXPECT_EQ(terms.name(count.current), "count");
  EXPECT_EQ(count.init, terms.bv(0, 4));
  ASSERT_EQ(system.inputs().size(), 1U);
  EXPECT_EQ(terms.name(system.inputs()[0]), "enable");
  Term enabled = terms.make_eq(system.inputs()[0], terms.bv(1, 1));
  EXPECT_EQ(system.constraint(), enabled);
  Term more = terms.make(Op::BvAdd, {count.current, terms.bv(1, 4)});
  EXPECT_EQ(count.update, terms.make_ite(enabled, more, count.current));
  ASSERT_EQ(p.properties.size(), 2U);
  EXPECT_EQ(p.properties[0].name, "full");
  EXPECT_EQ(p.properties[0].symbol, "b0");
  EXPECT_EQ(p.properties[1].name, "b1");
  EXPECT_EQ(p.properties[0].bad_term(), terms.make_eq(count.current, terms.bv(15, 4)));
  EXPECT_EQ(p.properties[1].bad_term(), terms.make_not(p.properties[0].bad_term()));
  EXPECT_TRUE(system.is_functional());
}

TEST(Btor2Reader, OutputsAreNoProperties) {
  EXPECT_TRUE(read("1 sort bitvec 1\n2 state 1\n3 output 2\n").properties.empty());
}

TEST(Btor2Reader, PremisesOfImplications) {
  auto has_premise = [](const std::string& lines) {
    Remarks remarks;
    auto problem = btor2::read_btor2(
        "m.btor2", "1 sort bitvec 1\n2 input 1 p\n3 input 1 q\n" + lines, &remarks);
    EXPECT_TRUE(problem.ok()) << lines;
    TermStore& terms = problem->system().terms();
    Term wanted = terms.make_eq(problem->system().inputs()[0], terms.bv(1, 1));
    EXPECT_TRUE(!remarks.premise(0) || remarks.premise(0) == wanted) << lines;
    return static_cast<bool>(remarks.premise(0));
  };
  EXPECT_TRUE(has_premise("4 implies 1 2 3\n5 bad -4\n"));
  EXPECT_TRUE(has_premise("4 implies 1 2 3\n5 not 1 4\n6 bad 5\n"));
  EXPECT_TRUE(has_premise("4 and 1 2 -3\n5 bad 4\n"));
  EXPECT_TRUE(has_premise("4 not 1 3\n5 and 1 4 2\n6 bad 5\n"));
  EXPECT_TRUE(has_premise("4 or 1 -2 3\n5 bad -4\n"));
  EXPECT_FALSE(has_premise("4 and 1 2 3\n5 bad 4\n")) << "which one is it?";
  EXPECT_FALSE(has_premise("4 and 1 -2 -3\n5 bad 4\n"));
  EXPECT_FALSE(has_premise("4 implies 1 2 3\n5 bad 4\n")) << "the implication is what is bad";
  EXPECT_FALSE(has_premise("4 one 1\n5 and 1 4 -3\n6 bad 5\n")) << "a constant";
  EXPECT_FALSE(has_premise("4 bad 2\n"));
}

TEST(Btor2Reader, StatesWithoutNextOrInitAreFreeStates) {
  Problem p = read("1 sort bitvec 3\n2 state 1\n3 state 1 x\n4 input 1\n5 state 1 x\n");
  ASSERT_EQ(p.system().states().size(), 3U);
  EXPECT_EQ(p.system().inputs().size(), 1U);
  for (const StateVar& state : p.system().states()) {
    EXPECT_FALSE(state.init);
    EXPECT_FALSE(state.update);
  }
  EXPECT_EQ(p.system().terms().name(p.system().states()[0].current), "state2");
  EXPECT_EQ(p.system().terms().name(p.system().states()[2].current), "x_5");
  EXPECT_FALSE(p.system().is_functional());
}

TEST(Btor2Reader, ArraysStartAsConstantArrays) {
  Problem p = read(
      "1 sort bitvec 2\n2 sort bitvec 8\n3 sort array 1 2\n4 state 3 memory\n5 constd 2 7\n"
      "6 init 3 4 5\n7 input 1\n8 input 2\n9 write 3 4 7 8\n10 next 3 4 9\n11 read 2 4 7\n"
      "12 sort bitvec 1\n13 eq 12 4 9\n14 neq 12 4 9\n15 and 12 13 14\n16 bad 15\n");
  TermStore& terms = p.system().terms();
  const StateVar& memory = p.system().states()[0];
  EXPECT_EQ(memory.init, terms.make_const_array(terms.sort(memory.current), terms.bv(7, 8)));
  EXPECT_EQ(terms.op(memory.update), Op::Store);
  EXPECT_TRUE(terms.is_false(p.properties[0].bad_term()));
}

TEST(Btor2Reader, ReadsConstantsInEveryBase) {
  auto value = [](const std::string& constant, unsigned width) {
    Problem p = read("1 sort bitvec " + std::to_string(width) + "\n2 " + constant +
                     "\n3 state 1\n4 init 1 3 2\n");
    Term init = p.system().states().empty() ? Term() : p.system().states()[0].init;
    return init ? p.system().terms().integer_value(init).get_ui() : 999;
  };
  EXPECT_EQ(value("const 1 0101", 4), 5U);
  EXPECT_EQ(value("constd 1 15", 4), 15U);
  EXPECT_EQ(value("constd 1 -8", 4), 8U);
  EXPECT_EQ(value("constd 1 -1", 1), 1U);
  EXPECT_EQ(value("consth 1 aF", 8), 0xAFU);
  EXPECT_EQ(value("zero 1", 4), 0U);
  EXPECT_EQ(value("one 1", 4), 1U);
  EXPECT_EQ(value("ones 1", 4), 15U);
  EXPECT_EQ(error_of("1 sort bitvec 4\n2 const 1 101\n"),
            "m.btor2:2:11: error: expected 4 binary digits, found 3");
  EXPECT_EQ(error_of("1 sort bitvec 4\n2 constd 1 16\n"),
            "m.btor2:2:12: error: constant 16 does not fit into bitvec 4");
  EXPECT_EQ(error_of("1 sort bitvec 4\n2 constd 1 -9\n"),
            "m.btor2:2:12: error: constant -9 does not fit into bitvec 4");
  EXPECT_EQ(error_of("1 sort bitvec 4\n2 consth 1 1g\n"),
            "m.btor2:2:12: error: expected a number in base 16, found '1g'");
}

// Every operator against its meaning, all values of small widths.

struct Word {
  long bits;
  long width;
  long value() const { return bits & ((1L << width) - 1); }
  long number() const { return value() >> (width - 1) == 0 ? value() : value() - (1L << width); }
};
bool fits(long number, long width) {
  return number >= -(1L << (width - 1)) && number < (1L << (width - 1));
}
long rotated(Word a, long left) {
  left %= a.width;
  return (a.value() << left) | (a.value() >> (a.width - left));
}

struct Meaning {
  const char* name;
  int arguments;
  bool truth;  // the result has width 1
  std::function<long(Word, Word)> result;
};

std::vector<Meaning> meanings() {
  auto low = [](Word a) { return (1L << a.width) - 1; };
  return {
      {"not", 1, false, [](Word a, Word) { return ~a.value(); }},
      {"inc", 1, false, [](Word a, Word) { return a.value() + 1; }},
      {"dec", 1, false, [](Word a, Word) { return a.value() - 1; }},
      {"neg", 1, false, [](Word a, Word) { return -a.value(); }},
      {"redand", 1, true, [low](Word a, Word) { return long{a.value() == low(a)}; }},
      {"redor", 1, true, [](Word a, Word) { return long{a.value() != 0}; }},
      {"redxor", 1, true, [](Word a, Word) { return long{__builtin_parityl(a.value()) != 0}; }},
      {"eq", 2, true, [](Word a, Word b) { return long{a.value() == b.value()}; }},
      {"neq", 2, true, [](Word a, Word b) { return long{a.value() != b.value()}; }},
      {"ugt", 2, true, [](Word a, Word b) { return long{a.value() > b.value()}; }},
      {"ugte", 2, true, [](Word a, Word b) { return long{a.value() >= b.value()}; }},
      {"ult", 2, true, [](Word a, Word b) { return long{a.value() < b.value()}; }},
      {"ulte", 2, true, [](Word a, Word b) { return long{a.value() <= b.value()}; }},
      {"sgt", 2, true, [](Word a, Word b) { return long{a.number() > b.number()}; }},
      {"sgte", 2, true, [](Word a, Word b) { return long{a.number() >= b.number()}; }},
      {"slt", 2, true, [](Word a, Word b) { return long{a.number() < b.number()}; }},
      {"slte", 2, true, [](Word a, Word b) { return long{a.number() <= b.number()}; }},
      {"and", 2, false, [](Word a, Word b) { return a.value() & b.value(); }},
      {"nand", 2, false, [](Word a, Word b) { return ~(a.value() & b.value()); }},
      {"or", 2, false, [](Word a, Word b) { return a.value() | b.value(); }},
      {"nor", 2, false, [](Word a, Word b) { return ~(a.value() | b.value()); }},
      {"xor", 2, false, [](Word a, Word b) { return a.value() ^ b.value(); }},
      {"xnor", 2, false, [](Word a, Word b) { return ~(a.value() ^ b.value()); }},
      {"rol", 2, false, [](Word a, Word b) { return rotated(a, b.value()); }},
      {"ror", 2, false, [](Word a, Word b) { return rotated(a, a.width - b.value() % a.width); }},
      {"sll", 2, false, [](Word a, Word b) { return a.value() << b.value(); }},
      {"srl", 2, false, [](Word a, Word b) { return a.value() >> b.value(); }},
      {"sra", 2, false, [](Word a, Word b) { return a.number() >> b.value(); }},
      {"add", 2, false, [](Word a, Word b) { return a.value() + b.value(); }},
      {"sub", 2, false, [](Word a, Word b) { return a.value() - b.value(); }},
      {"mul", 2, false, [](Word a, Word b) { return a.value() * b.value(); }},
      {"udiv", 2, false, [](Word a, Word b) { return b.value() ? a.value() / b.value() : -1; }},
      {"urem", 2, false,
       [](Word a, Word b) { return b.value() ? a.value() % b.value() : a.value(); }},
      {"sdiv", 2, false,
       [](Word a, Word b) {
         if (b.value() == 0) return a.number() < 0 ? 1L : -1L;
         return a.number() / b.number();
       }},
      {"srem", 2, false,
       [](Word a, Word b) { return b.value() ? a.number() % b.number() : a.value(); }},
      {"smod", 2, false,
       [](Word a, Word b) {
         if (b.value() == 0) return a.value();
         long rest = a.number() % b.number();
         return rest != 0 && (rest < 0) != (b.number() < 0) ? rest + b.number() : rest;
       }},
      {"uaddo", 2, true, [low](Word a, Word b) { return long{a.value() + b.value() > low(a)}; }},
      {"usubo", 2, true, [](Word a, Word b) { return long{a.value() < b.value()}; }},
      {"umulo", 2, true, [low](Word a, Word b) { return long{a.value() * b.value() > low(a)}; }},
      {"saddo", 2, true,
       [](Word a, Word b) { return long{!fits(a.number() + b.number(), a.width)}; }},
      {"ssubo", 2, true,
       [](Word a, Word b) { return long{!fits(a.number() - b.number(), a.width)}; }},
      {"smulo", 2, true,
       [](Word a, Word b) { return long{!fits(a.number() * b.number(), a.width)}; }},
      {"sdivo", 2, true,
       [](Word a, Word b) {
         return long{b.value() != 0 && !fits(a.number() / b.number(), a.width)};
       }},
  };
}

/// Line 5 is the operator under test over inputs 3 and 4; its value becomes a state's update.
class OperatorValue {
 public:
  OperatorValue(const std::string& line, long result_width, long width)
      : problem_(read("1 sort bitvec " + std::to_string(width) + "\n2 sort bitvec " +
                      std::to_string(result_width) + "\n3 input 1\n4 input 1\n5 " + line +
                      "\n6 state 2\n7 next 2 6 5\n")),
        width_(width) {}
  long operator()(long a, long b) {
    const TransitionSystem& system = problem_.system();
    TermStore& terms = system.terms();
    auto width = static_cast<std::uint32_t>(width_);
    TermMap values{{system.inputs()[0], terms.bv(a, width)},
                   {system.inputs()[1], terms.bv(b, width)}};
    Term result = evaluate(terms, system.states()[0].update, values);
    return terms.integer_value(result).get_si();
  }

 private:
  Problem problem_;
  long width_;
};

TEST(Btor2Reader, EveryOperatorMeansWhatThePaperSays) {
  for (const Meaning& meaning : meanings()) {
    for (long width = 1; width <= 4; ++width) {
      std::string line = std::string(meaning.name) + (meaning.truth ? " 2" : " 1") +
                         (meaning.arguments == 1 ? " 3" : " 3 4");
      long result_width = meaning.truth ? 1 : width;
      OperatorValue apply(line, result_width, width);
      OperatorValue apply_negated(line.substr(0, line.size() - 1) + "-" + line.back(), result_width,
                                  width);
      for (long a = 0; a < (1L << width); ++a) {
        for (long b = 0; b < (1L << width); ++b) {
          Word last{meaning.arguments == 1 ? ~a : ~b, width};
          long expected = Word{meaning.result({a, width}, {b, width}), result_width}.value();
          long negated = meaning.arguments == 1 ? meaning.result(last, {b, width})
                                                : meaning.result({a, width}, last);
          ASSERT_EQ(apply(a, b), expected) << line << ' ' << a << ' ' << b << " width " << width;
          ASSERT_EQ(apply_negated(a, b), (Word{negated, result_width}.value()))
              << line << " with the last argument negated, " << a << ' ' << b;
        }
      }
    }
  }
}

TEST(Btor2Reader, IndexedAndMixedOperators) {
  for (long a = 0; a < 16; ++a) {
    EXPECT_EQ(OperatorValue("slice 2 3 2 1", 2, 4)(a, 0), (a >> 1) & 3);
    EXPECT_EQ(OperatorValue("uext 2 3 3", 7, 4)(a, 0), a);
    EXPECT_EQ(OperatorValue("sext 2 3 3", 7, 4)(a, 0), a < 8 ? a : a + 112);
    EXPECT_EQ(OperatorValue("uext 2 3 0", 4, 4)(a, 0), a);
    EXPECT_EQ(OperatorValue("concat 2 3 4", 8, 4)(a, 15 - a), 16 * a + 15 - a);
    EXPECT_EQ(OperatorValue("concat 2 3 -4", 8, 4)(a, a), 16 * a + 15 - a);
  }
  for (long a = 0; a < 2; ++a) {
    for (long b = 0; b < 2; ++b) {
      EXPECT_EQ(OperatorValue("iff 2 3 4", 1, 1)(a, b), a == b ? 1 : 0);
      EXPECT_EQ(OperatorValue("implies 2 3 4", 1, 1)(a, b), a == 0 || b == 1 ? 1 : 0);
      EXPECT_EQ(OperatorValue("ite 2 3 4 -4", 1, 1)(a, b), a == 1 ? b : 1 - b);
    }
  }
}

TEST(Btor2Reader, PredicatesHaveWidthOneWhateverTheirLineSays) {
  EXPECT_EQ(read("1 sort bitvec 4\n2 state 1\n3 eq 1 2 2\n4 bad 3\n").properties.size(), 1U);
  EXPECT_EQ(error_of("1 sort bitvec 4\n2 state 1\n3 eq 1 2 2\n4 add 1 3 2\n"),
            "m.btor2:4:11: error: argument 2 of 'add' must be a bitvec 1, found a bitvec 4");
}

TEST(Btor2Reader, ErrorsNamePlaceAndCause) {
  const std::string head =
      "1 sort bitvec 4\n2 sort bitvec 1\n3 sort array 1 1\n4 input 1\n5 state 3\n";
  auto after = [&](const std::string& lines) { return error_of(head + lines); };
  EXPECT_EQ(after("6 bad 4\n"), "m.btor2:6:7: error: 'bad' needs a bitvec 1, found a bitvec 4");
  EXPECT_EQ(after("4 input 1\n"), "m.btor2:6:1: error: id 4 is already defined in line 4");
  EXPECT_EQ(after("6 add 1 4 9\n"), "m.btor2:6:11: error: undefined node 9");
  EXPECT_EQ(after("6 add 1 4 1\n"), "m.btor2:6:11: error: line 1 has no value to refer to");
  EXPECT_EQ(after("6 add 4 4 4\n"), "m.btor2:6:7: error: node 4 is no sort");
  EXPECT_EQ(after("6 add 2 4 4\n"),
            "m.btor2:6:7: error: 'add' gives a bitvec 4 here, not a bitvec 1");
  EXPECT_EQ(after("6 add 1 4\n"), "m.btor2:6:10: error: 'add' needs 3 arguments, found 2");
  EXPECT_EQ(after("6 not 1 4 name more\n"),
            "m.btor2:6:16: error: unexpected text after the symbol of the line");
  EXPECT_EQ(after("6 not 1 -5\n"),
            "m.btor2:6:9: error: cannot negate node 5: it is an array of bitvec 4 indexed by "
            "bitvec 4");
  EXPECT_EQ(after("6 redor 2 5\n"),
            "m.btor2:6:11: error: argument 1 of 'redor' must be a bit-vector, found an array of "
            "bitvec 4 indexed by bitvec 4");
  EXPECT_EQ(after("6 slice 2 4 4 4\n"),
            "m.btor2:6:13: error: bit 4 is out of range: the argument is a bitvec 4");
  EXPECT_EQ(after("6 slice 2 4 1 2\n"),
            "m.btor2:6:15: error: the lower bit 2 is above the upper bit 1");
  EXPECT_EQ(after("6 sext 1 4 99999999999\n"), "m.btor2:6:12: error: the result is too wide");
  EXPECT_EQ(after("6 read 1 4 4\n"),
            "m.btor2:6:10: error: argument 1 of 'read' must be an array, found a bitvec 4");
  EXPECT_EQ(after("6 init 1 4 4\n"), "m.btor2:6:10: error: node 4 is no state");
  EXPECT_EQ(
      after("6 next 1 5 4\n"),
      "m.btor2:6:8: error: state 5 is an array of bitvec 4 indexed by bitvec 4, not a bitvec 4");
  EXPECT_EQ(after("6 state 1\n7 next 1 6 4\n8 next 1 6 4\n"),
            "m.btor2:8:10: error: state 6 has a second 'next'");
  EXPECT_EQ(after("6 state 1\n7 init 1 6 4\n"),
            "m.btor2:7:12: error: unsupported: the initial value depends on input 'input4'");
  EXPECT_EQ(after("6 fair 2\n"), "m.btor2:6:8: error: line 2 has no value to refer to");
  EXPECT_EQ(after("6 justice 7 2\n"),
            "m.btor2:6:11: error: there are not so many nodes in this line");
  EXPECT_EQ(after("6 frobnicate 2\n"), "m.btor2:6:3: error: unknown keyword 'frobnicate'");
  EXPECT_EQ(after("6\n"),
            "m.btor2:6:2: error: expected a keyword after the id, found the end of the line");
  EXPECT_EQ(after("add 1 4 4\n"),
            "m.btor2:6:1: error: expected a positive id at the start of the line, found 'add'");
  EXPECT_EQ(error_of("1 sort bitvec 0\n"),
            "m.btor2:1:15: error: a bit width is 1 to 16777216, found 0");
  EXPECT_EQ(error_of("1 sort float 4\n"),
            "m.btor2:1:8: error: expected 'bitvec' or 'array', found 'float'");
  EXPECT_EQ(error_of("1 sort\n"), "m.btor2:1:7: error: 'sort' needs 2 arguments, found 0");
}

TEST(Btor2Reader, DeepChainsDoNotOverflowTheStack) {
  std::string text = "1 sort bitvec 8\n2 state 1\n3 input 1\n4 sort bitvec 1\n";
  long last = 2;
  for (long id = 5; id < 200'000; ++id) {
    text += std::to_string(id) + " mul 1 " + std::to_string(last) + " 3\n";
    last = id;
  }
  text += "200000 next 1 2 " + std::to_string(last) + "\n200001 redor 4 2\n200002 bad 200001\n";
  EXPECT_EQ(read(text).properties.size(), 1U);
}

}  // namespace
}  // namespace lem::frontend
