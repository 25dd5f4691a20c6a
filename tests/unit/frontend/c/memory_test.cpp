// Arrays, pointers and the heap in the automaton.
#include "unit/frontend/c/support.h"

namespace lem::c {
namespace {

TEST(CArrays, LargeOnesAreArraysSmallOnesVariables) {
  std::string body = R"(int main(void) {
  int i = __VERIFIER_nondet_int(), a[N];
  for (int k = 0; k < N; k++) a[k] = k * k;
  if (i >= 0 && i < N && a[i] == 9) reach_error();
})";
  for (const char* size : {"#define N 5\n", "#define N 50\n"})
    for (const COptions& options : {COptions{}, int_options()}) {
      CRun c(size + body, options);
      EXPECT_EQ(c.run({3}), "error");
      EXPECT_EQ(c.run({4}), "exit");
    }
  EXPECT_NE(CRun("#define N 5\n" + body).variable("main::a[3]"), nullptr);
  CRun large("#define N 50\n" + body);
  ASSERT_NE(large.variable("main::a[]"), nullptr);
  EXPECT_EQ(large.variable("main::a[]")->bits, 32U);
  COptions none;
  none.expanded_elements = 0;
  EXPECT_NE(CRun("#define N 5\n" + body, none).variable("main::a[]"), nullptr);
}

TEST(CArrays, GlobalsHaveTheirInitialValuesLocalsAny) {
  CRun c(
      R"(int zero[100], some[100] = {1, 2, 3}; struct { char c; int n; } s[20] = {{1, 2}, {3, 4}};
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (zero[i] == 0 && some[i] == 3 && s[i - 1].n == 4 && s[i - 1].c == 3) reach_error();
})");
  EXPECT_EQ(c.run({2}), "error");
  EXPECT_EQ(c.run({1}), "exit");
  EXPECT_NE(c.variable("s[].n"), nullptr);
  CRun any(
      "int main(void) { int a[50], i = __VERIFIER_nondet_int(); if (a[i] == 5) reach_error(); }");
  EXPECT_TRUE(any.can_fail());
}

TEST(CArrays, OutOfBoundsIsAnyValueAndNotTheEnd) {
  std::string body =
      "int main(void) { int i = __VERIFIER_nondet_int(), a[N]; if (i < 31) return 0;\n"
      "if (a[i] == 5) reach_error(); }";
  for (const char* size : {"#define N 3\n", "#define N 30\n"}) {
    CRun c(size + body);
    EXPECT_TRUE(c.can_fail());
    EXPECT_NE(c.run({100}), "stuck");
  }
}

TEST(CArrays, VariableLengthAndTwoDimensions) {
  CRun c(R"(int main(void) {
  int n = __VERIFIER_nondet_int(), m[n][n];
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) m[i][j] = 10 * i + j;
  if (n > 3 && m[2][3] == 23) reach_error();
})");
  EXPECT_EQ(c.run({4}), "error");
  EXPECT_EQ(c.run({3}), "exit");
  CRun fixed(R"(int m[20][30];
int main(void) { int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
  m[i][j] = 7; if (m[2][3] == 7) reach_error(); })");
  EXPECT_EQ(fixed.run({2, 3}), "error");
  EXPECT_EQ(fixed.run({1, 33}), "error");  // the same place
  EXPECT_EQ(fixed.run({3, 2}), "exit");
}

TEST(CArrays, ElementsAreIndicesOfThemselves) {
  for (const char* size : {"4", "40"}) {
    CRun c("int a[" + std::string(size) + R"(];
int main(void) { a[0] = 1; a[1] = 2; a[2] = 0; a[a[0]] = a[a[1]]; a[a[1]] = 9;
  if (a[0] == 9 && a[1] == 0 && a[2] == 0) reach_error(); })");
    EXPECT_EQ(c.run(), "error");
  }
}

TEST(CArrays, CopiesAndFills) {
  CRun c(R"(struct p { int x; struct p *next; } a, b;
int main(void) {
  int big[40] = {1, 2, 3}, small[3] = {4, 5, 6}, i = __VERIFIER_nondet_int(), zero[60] = {0};
  a.x = 3; a.next = &a; b = a;
  struct p local = b, *q = &local;
  if (big[i] == 3 && small[i] == 6 && zero[i] == 0 && q->next->x == 3 && b.next == &a)
    reach_error();
})");
  EXPECT_EQ(c.run({2}), "error");
  EXPECT_EQ(c.run({1}), "exit");
}

TEST(CArrays, BytesOfWiderNumbers) {
  CRun c(R"(union { unsigned i; unsigned char c[4]; } u;
int main(void) { u.i = 0x01020304; if (u.c[0] != 4 || u.c[3] != 1) return 0;
  u.c[1] = 0xff; if (u.i == 0x0102ff04) reach_error(); })");
  EXPECT_EQ(c.run(), "error");
}

TEST(CPointers, ToOneOfSeveralObjects) {
  CRun c(R"(int main(void) {
  int x = 1, y = 2, n = __VERIFIER_nondet_int(), *p = n ? &x : &y;
  *p += 10;
  if (p == &x ? x == 11 && y == 2 : x == 1 && y == 12) { if (n == 5) reach_error(); }
  else reach_error();
})");
  EXPECT_EQ(c.run({5}), "error");
  EXPECT_EQ(c.run({0}), "exit");
  EXPECT_EQ(c.run({1}), "exit");
}

TEST(CPointers, InMemoryAndToPointers) {
  CRun c(R"(int g = 4, *p = &g, **pp = &p; struct { int *a, *b; } s;
int main(void) {
  int x = 5; **pp += 1; *pp = &x; *p += 1; s.a = p; s.b = 0; *s.a += 1;
  if (g == 5 && x == 7 && s.b == 0 && s.a != 0 && p == s.a) reach_error();
})");
  EXPECT_EQ(c.run(), "error");
}

TEST(CPointers, WalkOverArrays) {
  CRun c(R"(int length(const char *s) { const char *p = s; while (*p) p++; return p - s; }
int main(void) {
  int a[30], *end = a + 30, sum = 0, n = __VERIFIER_nondet_int();
  for (int *p = a; p < end; p++) *p = p - a;
  for (int *p = end; p-- > a;) sum += *p;
  if (sum == 435 && end - a == 30 && length("hello") == n) reach_error();
})");
  EXPECT_EQ(c.run({5}), "error");
  EXPECT_EQ(c.run({4}), "exit");
}

TEST(CPointers, NullEndsTheRunAndUninitialisedIsAnything) {
  CRun null(R"(int x; int main(void) { int *p = __VERIFIER_nondet_int() ? &x : 0; *p = 1;
  reach_error(); })");
  EXPECT_EQ(null.run({1}), "error");
  EXPECT_EQ(null.run({0}), "stuck");
  EXPECT_EQ(CRun("int main(void) { int *p = 0; *p = 1; reach_error(); }").run(), "stuck");
  CRun any("int main(void) { int *p, *q; if (p == q) reach_error(); }");
  EXPECT_TRUE(any.can_fail());
  EXPECT_NE(any.run(), "stuck");
}

TEST(CHeap, ListsOfAnyLength) {
  CRun c(R"(void *malloc(unsigned); void free(void *);
struct node { struct node *next; int data; };
int main(void) {
  struct node *head = 0; int n = __VERIFIER_nondet_int(), sum = 0;
  for (int i = 0; i < n; i++) {
    struct node *new = malloc(sizeof *new); new->data = i; new->next = head; head = new;
  }
  for (struct node *p = head; p; p = p->next) sum += p->data;
  while (head) { struct node *p = head->next; free(head); head = p; }
  if (sum == 10) reach_error();
})");
  EXPECT_EQ(c.run({5}), "error");
  EXPECT_EQ(c.run({6}), "exit");
  EXPECT_EQ(c.run({0}), "exit");
}

TEST(CHeap, ContentsAreAnyOrZeroAndAllocationNeverFails) {
  std::string head = "void *malloc(unsigned); void *calloc(unsigned, unsigned);\n";
  CRun any(head + "int main(void) { int *p = malloc(4); if (*p == 5) reach_error(); }");
  EXPECT_TRUE(any.can_fail());
  CRun zero(head + R"(struct s { int n; struct s *next; };
int main(void) { struct s *last = 0; for (int i = 0; i < 3; i++) {
  struct s *p = calloc(1, sizeof *p); if (p == 0 || p == last || p->n || p->next) reach_error();
  p->n = 5; p->next = p; last = p; } })");
  EXPECT_FALSE(zero.can_fail(50));
  CRun array(head + R"(int main(void) { int n = __VERIFIER_nondet_int();
  int *p = malloc(n * sizeof(int)), *q = calloc(n, 4);
  for (int i = 0; i < n; i++) p[i] = i + q[i]; if (n > 3 && p[3] == 3) reach_error(); })");
  EXPECT_EQ(array.run({4}), "error");
  EXPECT_EQ(array.run({2}), "exit");
}

TEST(CHeap, InstancesAreApart) {
  CRun c(R"(void *malloc(unsigned); int *a[20];
int main(void) {
  for (int i = 0; i < 20; i++) { a[i] = malloc(4); *a[i] = i; }
  int k = __VERIFIER_nondet_int(); *a[k] = 100;
  for (int i = 0; i < 20; i++) if (*a[i] != (i == k ? 100 : i)) reach_error();
})");
  EXPECT_EQ(c.run({7}), "exit");
  CRun rows(R"(void *malloc(unsigned); int *a[20];
int main(void) {
  for (int i = 0; i < 20; i++) { a[i] = malloc(40); for (int j = 0; j < 9; j++) a[i][j] = i * j; }
  int k = __VERIFIER_nondet_int(); a[k][k] = 0; if (a[k][2] * a[4][k] == 6 * 12) reach_error();
})");
  EXPECT_EQ(rows.run({3}), "error");
  EXPECT_EQ(rows.run({4}), "exit");
  CRun swap(R"(void *malloc(unsigned);
struct node { int n; struct node *left, *right; };
struct node *leaf(int n) { struct node *p = malloc(sizeof *p); p->n = n; p->left = p->right = 0;
  return p; }
int main(void) { struct node *t = leaf(1); t->left = leaf(2); t->right = leaf(3);
  struct node *l = t->left; t->left = t->right; t->right = l;
  if (t->left->n == 3 && t->right->n == 2 && t->right->left == 0) reach_error(); })");
  EXPECT_EQ(swap.run(), "error");
}

/// Found by tests/fuzz/c: clang's constant for {0} has bytes without a value.
TEST(CMemory, BitFieldsHaveInitialValues) {
  CRun c(R"(struct s { unsigned m : 13; };
int main(void) { struct s s = {0}; int x = __VERIFIER_nondet_int(); s.m += x;
  if (s.m == 5) reach_error(); })");
  EXPECT_EQ(c.run({5}), "error");
  EXPECT_EQ(c.run({8197}), "error");
  EXPECT_EQ(c.run({6}), "exit");
}

}  // namespace
}  // namespace lem::c
