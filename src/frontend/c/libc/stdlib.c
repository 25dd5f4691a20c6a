// <stdlib.h>, <errno.h> and <time.h>. Memory comes from the front end.

typedef __SIZE_TYPE__ size_t;
extern int __VERIFIER_nondet_int(void);
extern long __VERIFIER_nondet_long(void);
extern void __VERIFIER_assume(int);

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }

// Any number of its range: programs must not rely on more.
int rand(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x >= 0);
  return x;
}
void srand(unsigned seed) { (void)seed; }
long random(void) { return rand(); }
void srandom(unsigned seed) { (void)seed; }

typedef struct { int quot, rem; } int_division;
typedef struct { long quot, rem; } long_division;
typedef struct { long long quot, rem; } long_long_division;
int_division div(int a, int b) {
  int_division out = {a / b, a % b};
  return out;
}
long_division ldiv(long a, long b) {
  long_division out = {a / b, a % b};
  return out;
}
long_long_division lldiv(long long a, long long b) {
  long_long_division out = {a / b, a % b};
  return out;
}

// <time.h>: any.
long time(long *now) {
  long x = __VERIFIER_nondet_long();
  if (now) *now = x;
  return x;
}
long clock(void) { return __VERIFIER_nondet_long(); }

extern void *malloc(size_t);

// How much there was is not known: what is read beyond it is any value, as new memory has. Where
// memory is checked, that would be an error of the program's, and the call is refused.
void *realloc(void *old, size_t size) {
  void *made = malloc(size);
  if (old) __builtin_memcpy(made, old, size);
  return made;
}

static int error_number;
int *__errno_location(void) { return &error_number; }

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The digit, or 36 if it is none.
static int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 36;
}

static const char *behind_prefix(const char *s, int *base) {
  int hexadecimal = s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && digit_of(s[2]) < 16;
  if (*base == 0) *base = hexadecimal ? 16 : s[0] == '0' ? 8 : 10;
  return *base == 16 && hexadecimal ? s + 2 : s;
}

enum { OUT_OF_RANGE = 34 };  // ERANGE

// The digits as a number; `over` if it is more than `most`, which the result is then.
static unsigned long long digits(const char *s, const char **end, int base,
                                 unsigned long long most, int *over) {
  unsigned long long value = 0;
  const char *at = s;
  for (; digit_of(*at) < base; ++at) {
    unsigned long long digit = (unsigned long long)digit_of(*at);
    if (value > (most - digit) / (unsigned long long)base) *over = 1;
    value = value * (unsigned long long)base + digit;
  }
  *end = at;
  if (*over) error_number = OUT_OF_RANGE;
  return *over ? most : value;
}

static long long parse(const char *s, char **end, int base, long long least, long long most) {
  const char *at = s, *behind;
  while (is_space(*at)) ++at;
  int negative = *at == '-', over = 0;
  if (*at == '-' || *at == '+') ++at;
  at = behind_prefix(at, &base);
  unsigned long long size = negative ? (unsigned long long)most + 1 : (unsigned long long)most;
  unsigned long long value = digits(at, &behind, base, size, &over);
  if (end) *end = (char *)(behind == at ? s : behind);
  if (over) return negative ? least : most;
  return (long long)(negative ? -value : value);
}

long long strtoll(const char *s, char **end, int base) {
  return parse(s, end, base, -__LONG_LONG_MAX__ - 1, __LONG_LONG_MAX__);
}
long strtol(const char *s, char **end, int base) {
  return (long)parse(s, end, base, -__LONG_MAX__ - 1, __LONG_MAX__);
}
int atoi(const char *s) { return (int)strtol(s, 0, 10); }
long atol(const char *s) { return strtol(s, 0, 10); }
long long atoll(const char *s) { return strtoll(s, 0, 10); }

unsigned long long strtoull(const char *s, char **end, int base) {
  const char *at = s, *behind;
  while (is_space(*at)) ++at;
  int negative = *at == '-', over = 0;
  if (*at == '-' || *at == '+') ++at;
  at = behind_prefix(at, &base);
  unsigned long long value = digits(at, &behind, base, __LONG_LONG_MAX__ * 2ULL + 1, &over);
  if (end) *end = (char *)(behind == at ? s : behind);
  return negative && !over ? -value : value;
}
unsigned long strtoul(const char *s, char **end, int base) {
  const char *at = s, *behind;
  while (is_space(*at)) ++at;
  int negative = *at == '-', over = 0;
  if (*at == '-' || *at == '+') ++at;
  at = behind_prefix(at, &base);
  unsigned long value =
      (unsigned long)digits(at, &behind, base, __LONG_MAX__ * 2UL + 1, &over);
  if (end) *end = (char *)(behind == at ? s : behind);
  return negative && !over ? -value : value;
}

static void swap(char *a, char *b, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    char saved = a[i];
    a[i] = b[i];
    b[i] = saved;
  }
}

// By insertion: programs see the result and the comparisons, and must not rely on their order.
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  char *first = base;
  for (size_t i = 1; i < count; ++i)
    for (size_t k = i; k > 0 && compare(first + (k - 1) * size, first + k * size) > 0; --k)
      swap(first + (k - 1) * size, first + k * size, size);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
  const char *first = base;
  while (count > 0) {
    const char *middle = first + count / 2 * size;
    int order = compare(key, middle);
    if (order == 0) return (void *)middle;
    if (order > 0) {
      first = middle + size;
      --count;
    }
    count /= 2;
  }
  return 0;
}
