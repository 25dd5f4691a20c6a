// The automaton and the compiled program compute the same: random programs over arrays, pointers
// and lists, and some written by hand.
#include <array>
#include <cstdio>
#include <random>
#include <sstream>

#include "unit/frontend/c/support.h"

namespace lem::c {
namespace {

/// Programs are functions check$ without inputs; $ is the number of the program.
class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::string program() {
    std::string body;
    for (int i = 0; i < 12; ++i) body += statement(2);
    return R"(struct node$ { int v; struct node$ *next; };
int b$[20], c$[2][12], x$; struct { char t; int n; } s$[10] = {{1, 2}, {3, 4}};
unsigned check$(void) {
  int a[4] = {1, 2, 3, 4}, y = 3, i, j; unsigned sum = 0;
  int *p = &y, *q = &b$[2], **pp = &p; struct node$ *head = 0, *n = 0;
)" + body + R"(
  for (i = 0; i < 20; i++) sum = sum * 31 + b$[i];
  for (i = 0; i < 24; i++) sum = sum * 31 + c$[i / 12][i % 12];
  for (i = 0; i < 4; i++) sum = sum * 31 + a[i];
  for (i = 0; i < 10; i++) sum = sum * 31 + s$[i].n + s$[i].t;
  for (n = head; n; n = n->next) sum = sum * 31 + n->v;
  return ((sum * 31 + x$) * 31 + y) * 31 + *p + *q + **pp + (p == q);
})";
  }

 private:
  unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }
  std::string index(unsigned size) {
    return "((unsigned)(" + value(0) + ") % " + std::to_string(size) + ")";
  }
  std::string place() {
    switch (pick(6)) {
      case 0:
        return "x$";
      case 1:
        return "y";
      case 2:
        return "a[" + index(4) + "]";
      case 3:
        return "b$[" + index(20) + "]";
      case 4:
        return "c$[" + index(2) + "][" + index(12) + "]";
      default:
        return "s$[" + index(10) + "].n";
    }
  }
  std::string pointer() {
    static constexpr std::array kPointers = {"p", "q", "(*pp)"};
    return kPointers[pick(3)];
  }
  std::string value(int depth) {
    static constexpr std::array kLeaves = {"x$", "y", "*p", "*q", "**pp", "7", "-3", "100"};
    if (depth == 0) return kLeaves[pick(kLeaves.size())];
    static constexpr std::array kOps = {" + ", " * ", " ^ ", " - ", " < "};
    if (pick(3) == 0) return place();
    return "(" + value(depth - 1) + kOps[pick(kOps.size())] + value(depth - 1) + ")";
  }
  std::string statement(int depth) {
    switch (pick(depth == 0 ? 6 : 9)) {
      case 0:
        return place() + " = " + value(2) + ";\n";
      case 1:
        return "*" + pointer() + " += " + value(1) + ";\n";
      case 2:
        return pointer() + " = &" + place() + ";\n";
      case 3:
        return pick(2) == 0 ? "pp = &p;\n" : "pp = &q;\n";
      case 4:
        return "n = malloc(sizeof *n); n->v = " + value(1) + "; n->next = head; head = n;\n";
      case 5:
        return "if (head) { head->v += " + value(1) +
               "; if (head->next) head = head->next; s$[1].t ^= 5; }\n";
      case 6:
        return "if (" + value(2) + ") {\n" + statement(depth - 1) + "} else {\n" +
               statement(depth - 1) + "}\n";
      case 7:
        return "for (j = 0; j < 3; j++) {\n" + statement(0) + statement(0) + "}\n";
      default:
        return "if (p == q || p == &x$) {\n" + statement(depth - 1) + "}\n";
    }
  }
  std::mt19937 random_;
};

const std::vector<std::string>& by_hand() {
  static const std::vector<std::string> programs = {
      R"(unsigned check$(void) { char s[40] = "abracadabra", *p = s, *q = s; int n = 0;
  while (*q) q++;
  while (p < --q) { char t = *p; *p++ = *q; *q = t; n++; }
  return s[0] * 256 + s[2] + n + (unsigned)(q - s); })",
      R"(static void sort$(int *a, int n) { for (int i = 1; i < n; i++)
  for (int j = i; j > 0 && a[j - 1] > a[j]; j--) { int t = a[j]; a[j] = a[j - 1]; a[j - 1] = t; } }
unsigned check$(void) { int a[12] = {5, 3, 9, 1, 7, 7, 0, 2, 8, 6, 4, 11}, s = 0;
  sort$(a, 12); sort$(a + 3, 2); for (int i = 0; i < 12; i++) s = 3 * s + a[i]; return s; })",
      R"(struct p$ { int x, y; struct p$ *up; }; 
static void move$(struct p$ *to, struct p$ *at, int by) { *to = *at; to->x += by; to->y -= by; }
unsigned check$(void) { struct p$ a = {1, 2, 0}, b; move$(&b, &a, 5);
  struct p$ c[3] = {a, b, {7, 8, &b}};
  c[0] = c[2]; c[1].up = &c[0]; return c[1].up->up->x * 100 + c[0].y + (c[2].up == &b); })",
      R"(int m$[3][4][5];
unsigned check$(void) { unsigned s = 0; int *flat = &m$[0][0][0];
  for (int i = 0; i < 60; i++) flat[i] = i * i;
  for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) for (int k = 0; k < 5; k++)
    s = s * 7 + m$[i][j][k];
  return s; })",
      R"(union u$ { unsigned w; unsigned char b[4]; unsigned short h[2]; };
unsigned check$(void) { union u$ u; u.w = 0x12345678; u.b[1] ^= 0xff; u.h[1] += 3; return u.w; })",
      R"(unsigned check$(void) { int n = 9, v[n], *w = calloc(n, sizeof *w); unsigned s = 0;
  for (int i = 0; i < n; i++) { v[i] = i * 3; w[n - 1 - i] += v[i]; }
  for (int i = 0; i < n; i++) s = s * 5 + w[i]; return s; })",
      R"(struct l$ { struct l$ *next, *prev; int v; };
unsigned check$(void) { struct l$ head = {&head, &head, 0}; unsigned s = 0;
  for (int i = 0; i < 6; i++) { struct l$ *n = malloc(sizeof *n); n->v = i;
    n->next = &head; n->prev = head.prev; head.prev->next = n; head.prev = n; }
  for (struct l$ *n = head.next, *m; n != &head; n = m) { m = n->next;
    if (n->v % 2) { n->prev->next = m; m->prev = n->prev; free(n); } }
  for (struct l$ *n = head.prev; n != &head; n = n->prev) s = s * 10 + n->v;
  return s; })"};
  return programs;
}

std::string numbered(std::string text, std::size_t number) {
  for (std::size_t at; (at = text.find('$')) != std::string::npos;)
    text.replace(at, 1, "_" + std::to_string(number));
  return text;
}

const std::string kHeap =
    "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);\n";

std::vector<unsigned> run_natively(const std::vector<std::string>& programs) {
  std::string text = kHeap + "int printf(const char *, ...);\n", calls;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    text += numbered(programs[i], i) + "\n";
    calls += numbered("printf(\"%u\\n\", check$());\n", i);
  }
  SourceFile source("all.c", text + "int main(void) {\n" + calls + "return 0; }\n");
  std::string binary = source.path() + ".out";
  std::string compile = COptions{}.clang + " -w -O0 -fwrapv -o " + binary + " " + source.path();
  std::vector<unsigned> out;
  if (std::system(compile.c_str()) != 0) return out;
  std::FILE* pipe = popen(binary.c_str(), "r");
  if (pipe == nullptr) return out;
  for (unsigned value = 0; std::fscanf(pipe, "%u", &value) == 1;) out.push_back(value);
  EXPECT_EQ(pclose(pipe), 0);
  return out;
}

TEST(CNative, AutomataComputeWhatTheCompiledProgramDoes) {
  std::vector<std::string> programs = by_hand();
  for (unsigned seed = 0; seed < 40; ++seed) programs.push_back(Generator(seed).program());
  std::vector<unsigned> expected = run_natively(programs);
  ASSERT_EQ(expected.size(), programs.size());
  for (std::size_t i = 0; i < programs.size(); ++i) {
    std::string text = kHeap + numbered(programs[i], i) + "\nint main(void) { if (" +
                       numbered("check$", i) + "() == __VERIFIER_nondet_uint()) reach_error(); }";
    COptions options;
    options.pointer_bits = 64;
    options.expanded_elements = i % 2 == 0 ? 8 : 0;
    CRun c(text, options);
    EXPECT_EQ(c.run({static_cast<long>(expected[i])}, 100'000), "error") << text;
    EXPECT_EQ(c.run({static_cast<long>(expected[i]) + 1}, 100'000), "exit") << text;
  }
}

}  // namespace
}  // namespace lem::c
