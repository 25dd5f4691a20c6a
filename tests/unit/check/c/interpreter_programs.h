// C programs whose exit code depends on everything that they compute, one for each class of
// instructions. They are compiled and run, and interpreted, in both data models.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lem::check {

/// What all of them begin with: a checksum, and main that returns it folded to a byte.
inline const std::string kChecksum = R"(
typedef __SIZE_TYPE__ size_t;
static unsigned long long sum = 1;
static void put(unsigned long long x) { sum = (sum ^ x) * 1099511628211ULL; }
static void test(void);
int main(void) {
  test();
  unsigned long long s = sum ^ sum >> 32;
  s ^= s >> 16;
  return (int)((s ^ s >> 8) & 127);
}
)";

inline const std::vector<std::pair<std::string, std::string>> kInterpreterPrograms = {
    // Handed over as a pointer, six of whose bytes nobody has given a value.
    {"a union with a pointer that holds a short number", R"(
union both { short number; const signed char* text; };
static union both start = {0x5D70};
static union both same(union both u) { return u; }
static short number_of(union both u) { return u.number; }
static void test(void) {
  union both u;
  u.number = -3;
  put((unsigned short)number_of(same(u)));
  put((unsigned short)number_of(same(start)));
})"},
    {"integers of all widths", R"(
static const long long numbers[] = {0, 1, -1, 2, 7, -128, 127, 255, 32767, -32768, 65535,
  2147483647, -2147483648LL, 4294967295LL, 9223372036854775807LL, -9223372036854775807LL - 1};
#define COUNT (sizeof numbers / sizeof *numbers)
#define ALL(T) for (unsigned i = 0; i < COUNT; ++i) for (unsigned j = 0; j < COUNT; ++j) { \
  T a = (T)numbers[i], b = (T)numbers[j]; \
  put((T)(a + b)); put((T)(a - b)); put((T)(a * b)); put((T)(a & b)); put((T)(a | b)); \
  put((T)(a ^ b)); put((T)~a); put((T)-a); put(!a); put(a < b); put(a <= b); put(a == b); \
  put((T)(a << (j & 7))); put((T)(a >> (j & 7))); \
  if (b != 0 && b != (T)-1) { put((T)(a / b)); put((T)(a % b)); } \
  put((signed char)a); put((unsigned short)a); put((int)a); put((long long)a); put(a && b); \
  a += b; a <<= 1; a++; --b; a ^= b; put(a); put(b); }
static void test(void) {
  ALL(signed char) ALL(unsigned char) ALL(short) ALL(unsigned short) ALL(int) ALL(unsigned)
  ALL(long) ALL(unsigned long) ALL(long long) ALL(unsigned long long) ALL(_Bool)
}
)"},
    {"bit-fields, unions and structs by value", R"(
struct bits { unsigned a : 3; int b : 5; unsigned long long c : 33; signed char d : 2; };
struct mixed { char c; short s; int i; long long l; };
struct two { float x, y; };
union view { unsigned u; unsigned char b[4]; short s[2]; float f; };
static struct mixed change(struct mixed m, int by) { m.i += by; m.c++; return m; }
static struct two flip(struct two t) { struct two r = {t.y, t.x}; return r; }
static int small(struct bits b) { b.a++; return b.a + b.b; }
static void test(void) {
  struct bits b;  // not initialised: only its own bits are read
  for (int i = -20; i < 20; ++i) {
    b.a = i; b.b = i; b.c = (unsigned long long)i; b.d = i;
    put(b.a); put(b.b); put(b.c); put(b.d); put(small(b)); put(b.a);
  }
  struct mixed m = {1, -2, 3, -4}, n = change(m, 10);
  put(m.i); put(n.i); put(n.c); put(n.s); put(n.l); put(sizeof m);
  struct two t = {1.5f, -2.0f}; t = flip(t); put(t.x == -2.0f); put(t.y == 1.5f);
  union view v; v.u = 0x40490fdb; put(v.b[1]); put(v.s[1]); put(v.f > 3.14f && v.f < 3.15f);
  v.b[0] = 0xff; put(v.u); v.f = 1.0f; put(v.u);
}
)"},
    {"pointers, arrays and memory", R"(
void *malloc(size_t); void *calloc(size_t, size_t); void free(void *);
void *memcpy(void *, const void *, size_t); void *memset(void *, int, size_t);
void *memmove(void *, const void *, size_t);
struct node { int value; struct node *next; };
static int table[3][4] = {{1, 2, 3, 4}, {5, 6}, {9}};
static int *into = &table[1][1], **twice = &into;
static const char text[] = "lemmata", *names[] = {"one", "three", text + 2};
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int (*const operations[])(int, int) = {add, sub};
static int apply(int (*f)(int, int), int a, int b) { return f(a, b); }
static void test(void) {
  struct node *head = 0;
  for (int i = 0; i < 10; ++i) {
    struct node *n = malloc(sizeof *n); n->value = i * i; n->next = head; head = n;
  }
  for (struct node *n = head; n; n = n->next) put(n->value);
  struct node copy; memcpy(&copy, head, sizeof copy); put(copy.next->value);
  struct node again = copy, *same = &again; put(same->next == head->next); put(same == head);
  put(into - &table[0][0]); put((&table[2][0] - into) * 3); put(into[-1]); put(**twice);
  *twice += 3; put(*into); put(&table[1][0] < into); put(into <= &table[0][3]);
  for (int i = 0; i < 3; ++i) for (const char *s = names[i]; *s; ++s) put(*s);
  for (int i = 0; i < 2; ++i) put(operations[i](7, 3) + apply(operations[1 - i], 5, 9));
  unsigned char *bytes = calloc(8, 2); put(bytes[15]); memset(bytes, 0x5a, 9); put(bytes[8]);
  for (int i = 0; i < 16; ++i) bytes[i] = i; memmove(bytes + 3, bytes, 10);
  for (int i = 0; i < 16; ++i) put(bytes[i]); put(*(unsigned short *)(bytes + 6));
  size_t address = (size_t)into; put(*(int *)address); put((address & 3) == 0); put(into != 0);
  int row[5]; for (int *p = row + 5; p != row;) *--p = p - row; put(row[4] + row[1]);
  free(bytes);
}
)"},
    {"control flow", R"(
static int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static int even(unsigned n); static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int choose(long long x) {
  switch (x) { case -1: return 3; case 0: x = 5; case 1: return x + 1; default: break;
    case 1LL << 40: return 8; }
  return x > 0 ? -1 : -2;
}
static int variable(int n) {
  int total = 0;
  for (int i = 1; i < n; ++i) { int a[i]; for (int j = 0; j < i; ++j) a[j] = j * i;
    for (int j = 0; j < i; ++j) total += a[j]; put(sizeof a); }
  return total;
}
static void test(void) {
  put(ackermann(2, 3)); put(even(21)); put(odd(7)); put(variable(9));
  for (int i = -2; i < 3; ++i) put(choose(i)); put(choose(1LL << 40));
  int i = 0, x = 1, y = 2;
again: { int t = x; x = y; y = t + y; } if (++i < 20) goto again;
  do { if (i == 5) continue; if (i == 3) break; put(i ^ x); } while (i-- > 0);
  put(y); put((x > y && i++) || (i--, y)); put(i); static int kept; put(++kept);
  while (1) { if (kept++ > 4) goto out; } out: put(kept);
}
)"},
    {"floating-point numbers", R"(
#define ALL(T) { static const T n[] = {0, -0.0, 1, -1, 0.1, 3.5, -2.5, 1e10, 1e-30, 16777217}; \
  for (int i = 0; i < 10; ++i) for (int j = 0; j < 10; ++j) { T a = n[i], b = n[j]; \
    T r[] = {a + b, a - b, a * b, -a, a / (b == 0 ? 1 : b)}; \
    for (int k = 0; k < 5; ++k) { put(r[k] < a); put(r[k] == b); put((long long)(r[k] * 1e3 < 9e17 \
      && r[k] * 1e3 > -9e17 ? r[k] * 1e3 : 0)); put((float)r[k] > 1); put((double)r[k] != r[k]); } \
    put(a < b); put(a <= b); put(a != b); put(!(a >= b)); put((unsigned char)(b < 0 ? 3 : 77.9)); \
    T c = (T)(i * 1000003 - j); c += (T)(7u * j); put((long long)c); } }
static void test(void) {
  ALL(float) ALL(double) ALL(long double)
  union { double d; unsigned long long u; } v = {0.1}; put(v.u); v.d *= 3; put(v.u);
  union { float d; unsigned u; } w = {0.1f}; put(w.u); w.d /= 3; put(w.u);
  double zero = 0, inf = 1 / zero, nan = inf - inf; put(inf > 1e300); put(nan == nan); put(nan < 1);
  put(__builtin_isnan(nan)); put(nan != 0);
}
)"},
    {"variable arguments", R"(
struct pair { int a; double b; }; struct large { int a[7]; }; struct small { char a[3]; };
static void read(const char *kinds, ...) {
  __builtin_va_list list, copy; __builtin_va_start(list, kinds); __builtin_va_copy(copy, list);
  for (int again = 0; again < 2; ++again) for (const char *k = kinds; *k; ++k) {
#define NEXT(T) again ? __builtin_va_arg(copy, T) : __builtin_va_arg(list, T)
    if (*k == 'i') put(NEXT(int)); if (*k == 'l') put(NEXT(long long));
    if (*k == 'd') put((long long)(8 * (NEXT(double)))); if (*k == 's') put((NEXT(char *))[1]);
    if (*k == 'p') { struct pair p = NEXT(struct pair); put(p.a); put(8 * p.b); }
    if (*k == 'L') { struct large p = NEXT(struct large); put(p.a[0]); put(p.a[6]); }
    if (*k == 'S') { struct small p = NEXT(struct small); put(p.a[0]); put(p.a[2]); }
  }
  __builtin_va_end(list); __builtin_va_end(copy);
}
static void test(void) {
  struct pair p = {7, 0.5}; struct large l = {{1, 2, 3, 4, 5, 6, 7}}; struct small s = {{1, 2, 3}};
  read("iiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9); read("s", "ab"); read("");
  read("dddddddddd", .5, 1., 1.5, 2., 2.5, 3., 3.5, 4., 4.5, 5.); read("LiLd", l, 3, l, 1.25);
  read("idlpisd", 1, 2.5, 1LL << 40, p, 5, "xyz", 0.25);
  read("ppppppppp", p, p, p, p, p, p, p, p, p);
  read("SiSdS", s, 4, s, 0.75, s);
}
)"},
    {"builtin operations", R"(
static void test(void) {
  int numbers[] = {0, 1, -1, 46341, -46341, 2147483647, -2147483647 - 1, 0x12345678};
  for (int i = 0; i < 8; ++i) for (int j = 0; j < 8; ++j) {
    int a = numbers[i], b = numbers[j], r; unsigned u; long long l;
    put(__builtin_sadd_overflow(a, b, &r)); put(r); put(__builtin_smul_overflow(a, b, &r)); put(r);
    put(__builtin_usub_overflow(a, b, &u)); put(u);
    put(__builtin_mul_overflow((long long)a << 20, b, &l)); put(l);
    put(__builtin_bswap32(a)); put(__builtin_bswap64(b)); put(__builtin_bswap16(a));
    put(__builtin_popcount(a)); if (a) { put(__builtin_clz(a)); put(__builtin_ctz(a)); }
    put(__builtin_rotateleft32(a, b & 31)); put(__builtin_rotateright32(b, a & 31));
    put(__builtin_abs(a)); put(__builtin_expect(a > b, 1)); put(__builtin_constant_p(a) && 0);
  }
}
)"},
};

}  // namespace lem::check
