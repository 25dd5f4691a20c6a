// <stdlib.h> and <time.h>. Memory comes from the front end.

extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void free(void *);

#define LEAST_INT (-__INT_MAX__ - 1)
#define LEAST_LONG (-__LONG_MAX__ - 1)
#define LEAST_LONG_LONG (-__LONG_LONG_MAX__ - 1)

// 7.22.6.1: undefined if the result cannot be represented.
int abs(int x) {
  CHECK_OVERFLOW(x == LEAST_INT);
  return x < 0 ? -x : x;
}
long labs(long x) {
  CHECK_OVERFLOW(x == LEAST_LONG);
  return x < 0 ? -x : x;
}
long long llabs(long long x) {
  CHECK_OVERFLOW(x == LEAST_LONG_LONG);
  return x < 0 ? -x : x;
}

// 7.22.2: any numbers from 0 to RAND_MAX, the same ones behind the same seed. Where the program
// can see a sequence twice (LEMMATA_SEEDS), the first draws are remembered.
static int any_draw(void) {
  int x = any_int();
  assume(x >= 0);
  return x;
}

#ifdef LEMMATA_SEEDS
enum { DRAWS = 4096 };
struct generator {
  unsigned seed, drawn;  // numbers of this sequence
  unsigned used;
  struct { unsigned seed, at; int value; } draws[DRAWS];
};
static int draw(struct generator *from) {
  unsigned at = from->drawn++;
  for (unsigned i = 0; i < from->used; ++i)
    if (from->draws[i].seed == from->seed && from->draws[i].at == at) return from->draws[i].value;
  int x = any_draw();
  if (from->used == DRAWS) return x;
  from->draws[from->used].seed = from->seed;
  from->draws[from->used].at = at;
  from->draws[from->used++].value = x;
  return x;
}
static void start(struct generator *from, unsigned seed) {
  from->seed = seed;
  from->drawn = 0;
}
static struct generator of_rand = {.seed = 1}, of_random = {.seed = 1};
int rand(void) { return draw(&of_rand); }
void srand(unsigned seed) { start(&of_rand, seed); }
// POSIX does not say whether random has a generator of its own: glibc's is that of rand.
static struct generator *for_random(void) {
  static _Bool chosen, shared;
  if (!chosen) shared = any();
  chosen = 1;
  return shared ? &of_rand : &of_random;
}
long random(void) { return draw(for_random()); }
void srandom(unsigned seed) { start(for_random(), seed); }
#else
int rand(void) { return any_draw(); }
void srand(unsigned seed) { (void)seed; }
long random(void) { return any_draw(); }
void srandom(unsigned seed) { (void)seed; }
#endif

// 7.22.6.2: undefined if one of the two parts cannot be represented.
typedef struct { int quot, rem; } int_division;
typedef struct { long quot, rem; } long_division;
typedef struct { long long quot, rem; } long_long_division;
int_division div(int a, int b) {
  CHECK_DIVISION(b == 0 || (a == LEAST_INT && b == -1));
  int_division out = {a / b, a % b};
  return out;
}
long_division ldiv(long a, long b) {
  CHECK_DIVISION(b == 0 || (a == LEAST_LONG && b == -1));
  long_division out = {a / b, a % b};
  return out;
}
long_long_division lldiv(long long a, long long b) {
  CHECK_DIVISION(b == 0 || (a == LEAST_LONG_LONG && b == -1));
  long_long_division out = {a / b, a % b};
  return out;
}

// 7.27.2: any, -1 where the time is not known.
long time(long *now) {
  long x = any_long();
  if (now) *now = x;
  return x;
}
long clock(void) { return any_long(); }
double difftime(long end, long begin) { return (double)end - (double)begin; }

// 7.22.3: of size 0, null or not. Memory does not run out, the convention of SV-COMP, but nothing
// is larger than the difference of two pointers can be.
static const size_t kLargest = (size_t)__PTRDIFF_MAX__;

void *lemmata_malloc(size_t size) {
  if (size > kLargest || (size == 0 && any())) {
    fail();
    return NULL;
  }
  return malloc(size);
}
void *lemmata_calloc(size_t count, size_t size) {
  if ((size != 0 && count > kLargest / size) || ((count == 0 || size == 0) && any())) {
    fail();
    return NULL;
  }
  return calloc(count, size);
}

// 7.22.3.5: at the same place or at another one; of size 0, the memory may be given back and null
// returned. lemmata_resize: the object has another size from here; lemmata_copy copies what both
// objects have. How much there was is not known to the automaton: what is read beyond it is any
// value, as new memory has. Where memory is checked, that would be an error of the program's, and
// the call is refused.
extern void lemmata_resize(void *, size_t);
extern void lemmata_copy(void *, const void *, size_t);
void *realloc(void *old, size_t size) {
  if (old == NULL) return lemmata_malloc(size);
  if (size > kLargest) {
    fail();
    return NULL;
  }
  if (size == 0 && any()) {
    free(old);
    return NULL;
  }
  if (any()) {
    lemmata_resize(old, size);
    return old;
  }
  void *made = malloc(size);
  lemmata_copy(made, old, size);
  free(old);
  return made;
}

// 7.22.4: handlers run in the opposite order, before destructors (outside_main.cpp). At least 32
// can be registered.
enum { SURE_HANDLERS = 32, HANDLERS = 64 };
typedef void (*handler)(void);
static handler at_exit[HANDLERS], at_quick_exit_[HANDLERS];
static unsigned at_exit_used, at_quick_exit_used;

static int enlist(handler *list, unsigned *used, handler one) {
  if (*used == HANDLERS || (*used >= SURE_HANDLERS && any())) return nonzero(1);
  list[(*used)++] = one;
  return 0;
}
int atexit(handler one) { return enlist(at_exit, &at_exit_used, one); }
int at_quick_exit(handler one) { return enlist(at_quick_exit_, &at_quick_exit_used, one); }
void lemmata_run_handlers(void) {
  while (at_exit_used > 0) at_exit[--at_exit_used]();
}
extern void _Exit(int) __attribute__((noreturn));
__attribute__((noreturn)) void quick_exit(int code) {
  while (at_quick_exit_used > 0) at_quick_exit_[--at_quick_exit_used]();
  _Exit(code);
}

// 7.22.1: numbers in strings.

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

enum { OUT_OF_RANGE = 34, INVALID = 22 };  // ERANGE, EINVAL

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

// Without a number POSIX has errno set or not.
static void set_end(char **end, const char *start, const char *digits, const char *behind) {
  if (end) *end = (char *)(behind == digits ? start : behind);
#ifdef LEMMATA_ERRNO
  if (behind == digits && any()) error_number = INVALID;
#endif
}

static long long parse(const char *s, char **end, int base, long long least, long long most,
                       int *over) {
  const char *at = s, *behind;
  while (IS_SPACE(*at)) ++at;
  int negative = *at == '-';
  if (*at == '-' || *at == '+') ++at;
  at = behind_prefix(at, &base);
  unsigned long long size = negative ? (unsigned long long)most + 1 : (unsigned long long)most;
  unsigned long long value = digits(at, &behind, base, size, over);
  set_end(end, s, at, behind);
  if (*over) return negative ? least : most;
  return (long long)(negative ? -value : value);
}

long long strtoll(const char *s, char **end, int base) {
  int over = 0;
  return parse(s, end, base, LEAST_LONG_LONG, __LONG_LONG_MAX__, &over);
}
long strtol(const char *s, char **end, int base) {
  int over = 0;
  return (long)parse(s, end, base, LEAST_LONG, __LONG_MAX__, &over);
}

// 7.22.1: undefined if the number cannot be represented.
static long long of_string(const char *s, long long least, long long most) {
  int over = 0;
  long long x = parse(s, NULL, 10, least, most, &over);
  CHECK_OVERFLOW(over);
  if (!over) return x;
  x = any_long_long();
  assume(x >= least && x <= most);
  return x;
}
int atoi(const char *s) { return (int)of_string(s, LEAST_INT, __INT_MAX__); }
long atol(const char *s) { return (long)of_string(s, LEAST_LONG, __LONG_MAX__); }
long long atoll(const char *s) { return of_string(s, LEAST_LONG_LONG, __LONG_LONG_MAX__); }

unsigned long long strtoull(const char *s, char **end, int base) {
  const char *at = s, *behind;
  while (IS_SPACE(*at)) ++at;
  int negative = *at == '-', over = 0;
  if (*at == '-' || *at == '+') ++at;
  at = behind_prefix(at, &base);
  unsigned long long value = digits(at, &behind, base, __LONG_LONG_MAX__ * 2ULL + 1, &over);
  set_end(end, s, at, behind);
  return negative && !over ? -value : value;
}
unsigned long strtoul(const char *s, char **end, int base) {
  const char *at = s, *behind;
  while (IS_SPACE(*at)) ++at;
  int negative = *at == '-', over = 0;
  if (*at == '-' || *at == '+') ++at;
  at = behind_prefix(at, &base);
  unsigned long value =
      (unsigned long)digits(at, &behind, base, __LONG_MAX__ * 2UL + 1, &over);
  set_end(end, s, at, behind);
  return negative && !over ? -value : value;
}

static void swap(char *a, char *b, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    char saved = a[i];
    a[i] = b[i];
    b[i] = saved;
  }
}

typedef int (*comparison)(const void *, const void *);

// 7.22.5.2: how often and in which order elements are compared is open, and so is the order of
// those that compare equal. By insertion, of any element next: in the order of the result it takes
// one comparison less than there are elements, and no algorithm takes fewer. Each may be made twice.
// It ends whatever the comparison says. Where comparisons are not visible, they are in one order.
#define SORT(name, visible)                                                             \
  void name(void *base, size_t count, size_t size, comparison compare) {                \
    char *first = base;                                                                 \
    for (size_t i = 0; i < count; ++i) {                                                \
      if (visible && any())                                                             \
        swap(first + i * size, first + (i + any_below(count - i)) * size, size);        \
      for (size_t k = i; k > 0; --k) {                                                  \
        if (visible && any()) compare(first + k * size, first + (k - 1) * size);        \
        int order = compare(first + (k - 1) * size, first + k * size);                  \
        if (order < 0 || (order == 0 && any())) break;                                  \
        swap(first + (k - 1) * size, first + k * size, size);                           \
      }                                                                                 \
    }                                                                                   \
  }
SORT(qsort, 1)
SORT(lemmata_one_qsort, 0)

// 7.22.5.1: with which elements the key is compared is open, and which one is found of several that
// are equal to it.
#define SEARCH(name, visible)                                                           \
  void *name(const void *key, const void *base, size_t count, size_t size,              \
             comparison compare) {                                                      \
    const char *first = base;                                                           \
    while (count > 0) {                                                                 \
      size_t middle = any_below(count);                                                 \
      if (visible && any()) compare(key, first + middle * size);                        \
      int order = compare(key, first + middle * size);                                  \
      if (order == 0) return (void *)(first + middle * size);                           \
      if (order > 0) {                                                                  \
        first += (middle + 1) * size;                                                   \
        count -= middle + 1;                                                            \
      } else {                                                                          \
        count = middle;                                                                 \
      }                                                                                 \
    }                                                                                   \
    return NULL;                                                                        \
  }
SEARCH(bsearch, 1)
SEARCH(lemmata_one_bsearch, 0)
