// What the C standard leaves open is an input of the run, and what it calls undefined is reported
// where --check asks for it. A model calls no function that a program may define: inputs have names
// of their own, and an assumption is a trap, which ends the run without anything else.
//
// LEMMATA_ERRNO: the program reads errno. LEMMATA_CHECK_*: what --check looks for.
// A function lemmata_one_X is X with one of the results that are open; it is called where the
// program cannot tell them apart (library.cpp).

typedef __SIZE_TYPE__ size_t;
#define NULL ((void *)0)

extern int __VERIFIER_nondet_int_libc(void);
extern long __VERIFIER_nondet_long_libc(void);
extern long long __VERIFIER_nondet_longlong_libc(void);
extern size_t __VERIFIER_nondet_usize_libc(void);
extern unsigned char __VERIFIER_nondet_u8_libc(void);
extern unsigned short __VERIFIER_nondet_u16_libc(void);
extern _Bool __VERIFIER_nondet_u1_libc(void);

#define any_int __VERIFIER_nondet_int_libc
#define any_long __VERIFIER_nondet_long_libc
#define any_long_long __VERIFIER_nondet_longlong_libc
#define any_byte __VERIFIER_nondet_u8_libc
#define any __VERIFIER_nondet_u1_libc

static void assume(int holds) {
  if (!holds) __builtin_trap();
}

static size_t any_below(size_t end) {
  size_t x = __VERIFIER_nondet_usize_libc();
  assume(x < end);
  return x;
}

// 7.4: "non-zero (true)".
static int nonzero(int holds) {
  if (!holds) return 0;
  int x = any_int();
  assume(x != 0);
  return x;
}

// 7.24.4: "greater than, equal to, or less than zero".
static int of_sign(int order) {
  if (order == 0) return 0;
  int x = any_int();
  assume(order < 0 ? x < 0 : x > 0);
  return x;
}

// 7.5: a positive number, by a call that fails.
static int error_number;
int *__errno_location(void) { return &error_number; }

static void fail(void) {
#ifdef LEMMATA_ERRNO
  int x = any_int();
  assume(x > 0);
  error_number = x;
#endif
}

// 7.5: a call may change it even if there is no error, unless the standard says what it does to it.
// glibc's stdio does: whether a stream is a terminal is asked for, and that fails.
void lemmata_touch_errno(void) {
#ifdef LEMMATA_ERRNO
  if (any()) fail();
#endif
}

// Clang's checks call these; without the place that clang gives, it is that of the call.
#ifdef LEMMATA_CHECK_DIVISION
extern void __ubsan_handle_divrem_overflow(void *, size_t, size_t);
#define CHECK_DIVISION(wrong) \
  if (wrong) __ubsan_handle_divrem_overflow(NULL, 0, 0)
#else
#define CHECK_DIVISION(wrong)
#endif
#ifdef LEMMATA_CHECK_OVERFLOW
extern void __ubsan_handle_negate_overflow(void *, size_t);
#define CHECK_OVERFLOW(wrong) \
  if (wrong) __ubsan_handle_negate_overflow(NULL, 0)
#else
#define CHECK_OVERFLOW(wrong)
#endif
#ifdef LEMMATA_CHECK_BOUNDS
extern void __ubsan_handle_out_of_bounds(void *, size_t);
#define CHECK_BOUNDS(wrong) \
  if (wrong) __ubsan_handle_out_of_bounds(NULL, 0)
#else
#define CHECK_BOUNDS(wrong)
#endif
