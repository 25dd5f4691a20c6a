// Mutated programs become automata or errors with a place; nothing crashes.
#include <array>
#include <random>

#include "unit/frontend/c/support.h"

namespace lem::c {
namespace {

const std::array kPrograms = {
    R"(void *malloc(unsigned); struct node { struct node *next; int data; };
int g[20] = {1, 2, 3}, total;
int sum(struct node *list) { int s = 0; while (list) { s += list->data; list = list->next; }
  return s; }
int main(void) {
  struct node *head = 0; int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) { struct node *p = malloc(sizeof *p);
    p->data = g[i]; p->next = head; head = p; }
  total = sum(head);
  if (total > 100) reach_error();
  return 0;
})",
    R"(union u { int i; char c[4]; }; struct s { union u u; int *p; } t[3];
int fac(int n) { return n < 2 ? 1 : n * fac(n - 1); }
int main(void) {
  unsigned i = __VERIFIER_nondet_uint() % 3; int x = 4, *p = i ? &x : &t[1].u.i;
  *p = fac(4); t[i].p = p; t[2] = t[i];
  switch (*t[2].p) { case 24: x -= 3; break; default: x = t[i].u.c[1]; }
  if (p - &x == 0 && x / i == 7) reach_error();
  __VERIFIER_assume(x > 2);
  return *t[i].p;
})"};

const char* const kBitcode = R"(
target datalayout = "e-p:32:32"
%node = type { %node*, i32 }
@g = global [9 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9]
@h = global %node* null
declare i8* @malloc(i32)
declare void @reach_error()
declare i32 @__VERIFIER_nondet_int()
define i32 @get(i32* %p, i32 %i) {
  %q = getelementptr i32, i32* %p, i32 %i
  %v = load i32, i32* %q
  ret i32 %v
}
define i32 @main() {
entry:
  %a = alloca [4 x i32]
  %n = call i32 @__VERIFIER_nondet_int()
  %first = getelementptr [4 x i32], [4 x i32]* %a, i32 0, i32 0
  store i32 5, i32* %first
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %p = phi i32* [ %first, %entry ], [ %r, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %done
body:
  %m = call i8* @malloc(i32 8)
  %k = bitcast i8* %m to %node*
  %d = getelementptr %node, %node* %k, i32 0, i32 1
  %v = call i32 @get(i32* getelementptr ([9 x i32], [9 x i32]* @g, i32 0, i32 0), i32 %i)
  store i32 %v, i32* %d
  %l = getelementptr %node, %node* %k, i32 0, i32 0
  %old = load %node*, %node** @h
  store %node* %old, %node** %l
  store %node* %k, %node** @h
  %s = icmp eq i32 %v, 3
  %r = select i1 %s, i32* %d, i32* %p
  %next = add nsw i32 %i, 1
  br label %loop
done:
  %z = load i32, i32* %p
  %w = sdiv i32 %z, %n
  %bad = icmp eq i32 %w, 3
  br i1 %bad, label %error, label %end
error:
  call void @reach_error()
  unreachable
end:
  ret i32 %z
}
)";

/// One change: a token goes, comes twice, changes place with another, or becomes another.
class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string mutate(const std::string& text) {
    std::vector<std::string> tokens = split(text);
    std::size_t at = random_() % tokens.size(), other = random_() % tokens.size();
    switch (random_() % 6) {
      case 0:
        tokens[at].clear();
        break;
      case 1:
        tokens[at] += " " + tokens[at];
        break;
      case 2:
        std::swap(tokens[at], tokens[other]);
        break;
      case 3:
        tokens[at] = tokens[other];
        break;
      default: {
        static constexpr std::array kOthers = {
            "0",   "-1",   "99999999999", "i8", "i64", "i1",  "*",    "char",     "float", "[0]",
            "shl", "null", "undef",       "&",  "%p",  "fac", "i32*", "volatile", "1.5",   "main"};
        std::size_t number = random_() % kOthers.size();
        tokens[at] = kOthers[number];
      }
    }
    std::string out;
    for (const std::string& token : tokens) out += token;
    return out;
  }

 private:
  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
  static std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < text.size();) {
      std::size_t end = i + 1;
      while (is_word(text[i]) && end < text.size() && is_word(text[end])) ++end;
      out.push_back(text.substr(i, end - i));
      i = end;
    }
    return out;
  }
  std::mt19937 random_;
};

struct Outcome {
  std::size_t automata = 0, refused = 0;
};

void read_mutant(const std::string& name, const std::string& text, Outcome& all) {
  SourceFile file(name, text);
  COptions options;
  if (all.refused % 4 == 3) options.arith = COptions::Arith::Int;
  Result<CProgram> program = read_c(file.path(), options);
  ++(program ? all.automata : all.refused);
  if (program) return;
  EXPECT_FALSE(program.error().message.empty());
  EXPECT_FALSE(program.error().at.file.empty());
  bool whole = program.error().message == "no function 'main'" || name == "t.ll";
  EXPECT_TRUE(whole || program.error().at.line != 0) << program.error().text() << "\n" << text;
}

TEST(CMutations, ProgramsAreReadOrRefusedWithAPlace) {
  Outcome all;
  for (unsigned seed = 0; seed < 120; ++seed)
    read_mutant("t.c", kHead + Mutator(seed).mutate(kPrograms[seed % kPrograms.size()]), all);
  EXPECT_GT(all.automata, 5U);
  EXPECT_GT(all.refused, 5U);
}

TEST(CMutations, BitcodeIsReadOrRefused) {
  Outcome all;
  for (unsigned seed = 0; seed < 600; ++seed) {
    Mutator mutator(seed);
    std::string text = mutator.mutate(kBitcode);
    if (seed % 3 == 0) text = mutator.mutate(text);
    read_mutant("t.ll", text, all);
  }
  EXPECT_GT(all.automata, 20U);
  EXPECT_GT(all.refused, 20U);
}

}  // namespace
}  // namespace lem::c
