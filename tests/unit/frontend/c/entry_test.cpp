// What a function is called with (--entry): objects behind pointers, globals, conditions of
// --assume. Runs are given their inputs: of a pointer its choice (0 null, then sizes of a new
// object, then objects that there are), behind it the values in a new object.
#include <algorithm>

#include "unit/frontend/c/support.h"

namespace lem::c {
namespace {

COptions entry(const std::string& name) {
  COptions options;
  options.entry = name;
  options.pointer_size = 2;
  return options;
}

/// Whether one of many runs with small inputs fails. Most larger ones choose nothing that there is.
bool fails(const std::string& text, const COptions& options, int runs = 3000) {
  CRun run(text, options);
  std::mt19937 random(5);
  for (int i = 0; i < runs && run.ok(); ++i) {
    std::vector<long> inputs(60);
    for (long& input : inputs) input = random() % 2 == 0 ? random() % 3 : random() % 6;
    if (run.run(inputs) == "error") return true;
  }
  return false;
}

TEST(CEntry, IsCalledWithAnyArguments) {
  COptions options = entry("f");
  const std::string text =
      "int f(int x, int *p) { if (!p) return 0; if (x == 3 && p[1] == 5) reach_error(); return 1; "
      "}";
  EXPECT_EQ(CRun(text, options).run({3, 2, 4, 5}), "error");
  EXPECT_EQ(CRun(text, options).run({3, 0, 4, 5}), "exit") << "null";
  options.entry = "g";
  EXPECT_EQ(c_error(text, options), "t.c: error: no function 'g' with a body (--entry)");
}

TEST(CEntry, MayBeStaticAndUncalled) {
  const std::string text = "static int f(int x) { if (x == 3) reach_error(); return 1; }";
  EXPECT_EQ(CRun(text, entry("f")).run({3}), "error");
  EXPECT_EQ(CRun(text, entry("f")).run({4}), "exit");
}

TEST(CEntry, PointersInStructsPointToObjects) {
  const std::string text =
      "struct rb { int *data; unsigned size; };\n"
      "int f(struct rb *r) { if (!r || !r->data) return 0;\n"
      "  if (r->size == 7 && r->data[1] == 5) reach_error(); return 1; }";
  EXPECT_EQ(CRun(text, entry("f")).run({1, 2, 4, 5, 7}), "error");
  EXPECT_EQ(CRun(text, entry("f")).run({1, 2, 4, 5, 8}), "exit");
  EXPECT_EQ(CRun(text, entry("f")).run({1, 0, 4, 5, 7}), "exit") << "no data";
  COptions flat = entry("f");
  flat.pointer_depth = 1;
  EXPECT_FALSE(fails(text, flat)) << "pointers in the struct are null";
}

TEST(CEntry, ObjectsHaveReadableNames) {
  CRun run(
      "struct in { short n[2]; }; struct rb { int *data; struct in in; };\n"
      "int f(struct rb *r, char *s) { return r && r->data && s ? r->data[1] + r->in.n[1] : s[1]; }",
      entry("f"));
  std::vector<std::string> names = run.user_names();
  for (const char* name : {"main::r", "main::r->data", "main::r->data[1]", "main::r->in.n[1]",
                           "main::s", "main::s[1]"})
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end())
        << name << " is none of " << testing::PrintToString(names);
}

TEST(CEntry, ListsGoAsDeepAsTheOptionSays) {
  const std::string text =
      "struct node { int v; struct node *next; };\n"
      "int f(struct node *n) { if (n && n->next && n->next->next && n->next->next->next == 0)\n"
      "  reach_error(); return 0; }";
  EXPECT_TRUE(fails(text, entry("f")));
  COptions two = entry("f");
  two.pointer_depth = 2;
  EXPECT_FALSE(fails(text, two));
  const std::string cycle =
      "struct node { int v; struct node *next; };\n"
      "int f(struct node *n) { if (n && n->next == n) reach_error(); return 0; }";
  EXPECT_TRUE(fails(cycle, entry("f"))) << "a list may be a ring";
}

TEST(CEntry, PointersOfOneTypeMayBeTheSame) {
  EXPECT_TRUE(
      fails("int f(int *a, int *b) { if (a && a == b) reach_error(); return 0; }", entry("f")));
  EXPECT_FALSE(
      fails("int f(int *restrict a, int *restrict b) { if (a && a == b) reach_error(); "
            "return 0; }",
            entry("f")));
  EXPECT_TRUE(
      fails("struct p { char *a, *b; };\n"
            "int f(struct p *p) { if (p && p->a && p->a == p->b) reach_error(); return 0; }",
            entry("f")));
}

TEST(CEntry, ArraysOfPointersAndPointersToPointers) {
  EXPECT_TRUE(fails("int f(int **m) { if (m && m[1] && m[1][1] == 5) reach_error(); return 0; }",
                    entry("f")));
  EXPECT_TRUE(
      fails("struct s { char *name[2]; };\n"
            "int f(struct s *s) { if (s && s->name[1] && *s->name[1] == 2) reach_error();"
            " return 0; }",
            entry("f")));
  EXPECT_TRUE(
      fails("struct item { char *name; int v; };\n"
            "int f(struct item *all, int n) { int sum = 0; if (!all || n != 2) return 0;\n"
            "  for (int i = 0; i < n; i++) sum += all[i].name != 0 && all[i].v == 5;\n"
            "  if (sum == 2) reach_error(); return 0; }",
            entry("f")))
      << "the program walks over these structs";
}

TEST(CEntry, FlexibleArrayMembersAreBehindTheStruct) {
  CRun run(
      "struct m { unsigned n; short data[]; };\n"
      "int f(struct m *m) { if (m && m->n == 2 && m->data[1] == 5) reach_error(); return 0; }",
      entry("f"));
  EXPECT_EQ(run.run({3, 2, 4, 5}), "error");
  EXPECT_EQ(run.run({3, 2, 4, 6}), "exit");
}

TEST(CEntry, PointersToBytesAreWhatTheyAreConvertedTo) {
  CRun run(
      "struct s { int a; int *p; };\n"
      "int f(void *context) { struct s *s = context;\n"
      "  if (s && s->p && s->a == 3 && *s->p == 4) reach_error(); return 0; }",
      entry("f"));
  EXPECT_EQ(run.run({1, 3, 1, 4}), "error");
}

TEST(CEntry, IncompleteTypesHaveObjects) {
  EXPECT_TRUE(fails("struct hidden; int f(struct hidden *h) { if (h) reach_error(); return 0; }",
                    entry("f")));
}

TEST(CEntry, PointersToFunctionsAreFunctionsOfTheirType) {
  const std::string text =
      "static int one(int x) { return x + 1; } static int two(int x) { return x + 2; }\n"
      "int (*keep[])(int) = {one, two};\n"
      "int f(int (*g)(int)) { if (g && g(3) == 5) reach_error(); return 0; }";
  EXPECT_EQ(CRun(text, entry("f")).run({2}), "error");
  EXPECT_EQ(CRun(text, entry("f")).run({1}), "exit");
  EXPECT_EQ(
      c_error("int f(int (*g)(char)) { if (g && g(3) == 5) reach_error(); return 0; }", entry("f")),
      "t.c:8: error: unsupported: pointer to a function, and no function of its type, as an "
      "argument of 'f' (--entry)");
  CRun none("struct s { int (*g)(char); }; int f(struct s *s) { if (s && s->g) reach_error(); }",
            entry("f"));
  EXPECT_FALSE(none.can_fail());
  EXPECT_EQ(none.program().warnings.size(), 1U);
}

TEST(CEntry, StructsByValueHaveObjectsToo) {
  for (std::uint32_t bits : {32U, 64U}) {
    COptions options = entry("f");
    options.pointer_bits = bits;
    EXPECT_TRUE(
        fails("struct s { int *p; int n; };\n"
              "int f(struct s s) { if (s.p && s.n == 5 && s.p[1] == 5) reach_error(); }",
              options))
        << bits;
  }
}

// Globals -----------------------------------------------------------------------------------------

TEST(CEntryGlobals, HaveAnyValueThatTheProgramMayGiveThem) {
  const std::string text =
      "static int count; static int limit = 3; const int most = 4; static int *where;\n"
      "void set(int *p) { count++; where = p; }\n"
      "int f(void) { if (CONDITION) reach_error(); return 0; }";
  auto fails_if = [&](const std::string& condition, COptions options = entry("f")) {
    options.flags = {"-D", "CONDITION=" + condition};
    return fails(text, options);
  };
  EXPECT_TRUE(fails_if("count==5"));
  EXPECT_TRUE(fails_if("where&&*where==5"));
  EXPECT_FALSE(fails_if("limit!=3")) << "nothing writes it";
  EXPECT_FALSE(fails_if("most!=4"));
  COptions initial = entry("f");
  initial.globals = COptions::Globals::Initial;
  EXPECT_FALSE(fails_if("count==5", initial));
  EXPECT_FALSE(fails_if("where!=0", initial));
}

TEST(CEntryGlobals, MayBePointedTo) {
  EXPECT_TRUE(
      fails("static int g; int *keep(void) { return &g; }\n"
            "int f(int *p) { if (p == &g) reach_error(); return 0; }",
            entry("f")));
  EXPECT_TRUE(
      fails("struct rb { int n; }; static struct rb one; static struct rb *now;\n"
            "void use(void) { now = &one; }\n"
            "int f(void) { if (now == &one) reach_error(); return 0; }",
            entry("f")));
}

TEST(CEntryGlobals, ThatAreLargeKeepTheirValueWithAWarning) {
  CRun run(
      "static char buffer[5000]; void set(int i) { buffer[i] = 1; }\n"
      "int f(int i) { if (buffer[i & 15]) reach_error(); return 0; }",
      entry("f"));
  EXPECT_EQ(
      run.program().warnings,
      std::vector<std::string>{"'buffer' is large: it has its initial value when 'f' is called"});
}

// Conditions --------------------------------------------------------------------------------------

COptions assuming(std::vector<std::string> conditions) {
  COptions options = entry("f");
  options.assumptions = std::move(conditions);
  return options;
}

TEST(CAssume, IsAboutParametersAndWhatTheyPointTo) {
  const std::string text =
      "#define MOST 4\nstatic int state; void set(int s) { state = s; }\n"
      "typedef struct { int *data; unsigned size; } rb_t; enum e { A, B };\n"
      "int f(const rb_t *r, enum e e, int m[2][2], int (*g)(int), int x)\n"
      "{ if (!r->data || state == 3 || r->size > 2 || e == B) reach_error(); return 0; }\n"
      "int h(int x) { return x; } int (*keep)(int) = h;";
  std::vector<std::string> all = {"r && r->data", "r->size < MOST / 2", "state != 3", "e == A"};
  EXPECT_FALSE(fails(text, assuming(all)));
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<std::string> fewer = all;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_TRUE(fails(text, assuming(fewer), 30000)) << all[i];
  }
}

TEST(CAssume, KnowsTheSizesOfObjects) {
  const std::string text =
      "int f(int *p, char *s, unsigned n) { if (CONDITION) reach_error(); return 0; }";
  auto fails_if = [&](const std::string& condition, std::vector<std::string> conditions) {
    COptions options = assuming(std::move(conditions));
    options.flags = {"-D", "CONDITION=" + condition};
    return fails(text, options);
  };
  EXPECT_TRUE(fails_if("n==2", {"p && n == lemmata_length(p)"}));
  EXPECT_FALSE(fails_if("n==0||n>2", {"p && n == lemmata_length(p)"}));
  EXPECT_TRUE(fails_if("n==4", {"n == __CPROVER_OBJECT_SIZE(p)"}));
  EXPECT_TRUE(fails_if("n==0", {"p == 0 && n == lemmata_object_size(p)"}));
  EXPECT_FALSE(fails_if("s[0]&&s[1]", {"s && lemmata_is_string(s)"}));
  EXPECT_TRUE(fails_if("s[0]&&!s[1]", {"s && lemmata_is_string(s)"}));
}

TEST(CAssume, RefusesWhatIsNoCondition) {
  const std::string text = "int f(int *p) { if (p) reach_error(); return 0; }";
  EXPECT_EQ(c_error(text, assuming({"q > 0"})),
            "--assume:1:1: error: clang: use of undeclared identifier 'q'");
  EXPECT_EQ(c_error(text, assuming({"p = 0"})),
            "--assume:1: error: the condition of --assume changes something");
  EXPECT_EQ(c_error(text, assuming({"(*p)++"})),
            "--assume:1: error: the condition of --assume changes something");
  COptions no_entry;
  no_entry.assumptions = {"1"};
  EXPECT_EQ(
      c_error("int main(void) { reach_error(); }", no_entry),
      "t.c: error: --assume needs --entry: it is about the state in which a function is called");
}

}  // namespace
}  // namespace lem::c
