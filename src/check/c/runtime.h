// The parts that all harnesses share (harness.h), in C.
#pragma once

#include <string_view>

namespace lem::check {

/// Floats in SSE registers, where they have the precision of their type.
inline constexpr const char* kThirtyTwoBits = "-m32 -msse2 -mfpmath=sse";

/// {0} program, {1} flag of the data model, {2} message, {3} code
inline constexpr std::string_view kHead = R"(// A run of {0} to its error, found by Lemmata.
//   gcc {1} -fwrapv {0} THIS_FILE -o run && ./run
// prints "{2}" and exits with {3}. Where {0} has definitions of its own for the
// functions below:
//   gcc {1} -fwrapv -DLEMMATA_FIRST -Wl,-z,muldefs THIS_FILE {0} -o run
// Where there is no 32-bit C library, add
//   -DLEMMATA_FREESTANDING -ffreestanding -fno-stack-protector -nostdlib -static
#define LEMMATA_WEAK __attribute__((weak))
#ifdef LEMMATA_FIRST
#define LEMMATA_MEANT
#else
#define LEMMATA_MEANT LEMMATA_WEAK
#endif
)";

/// Not through the library: the program may have functions of these names.
/// Divisions of 64 bits are calls in 32-bit code; copies and fills of objects are calls in all
/// code.
inline constexpr std::string_view kFreestanding = R"(
#ifdef __i386__
static long lemmata_call(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
  return result;
}
enum { LEMMATA_WRITE = 4, LEMMATA_EXIT = 252 };
#else
static long lemmata_call(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c)
                   : "rcx", "r11", "memory");
  return result;
}
enum { LEMMATA_WRITE = 1, LEMMATA_EXIT = 231 };
#endif
static void lemmata_leave(int code) { for (;;) lemmata_call(LEMMATA_EXIT, code, 0, 0); }
#ifdef LEMMATA_FREESTANDING
typedef __SIZE_TYPE__ lemmata_size;
#ifdef __i386__
__asm__(".globl _start\n_start: xorl %ebp, %ebp\n andl $-16, %esp\n call lemmata_start\n");
#else
__asm__(".globl _start\n_start: xorl %ebp, %ebp\n andq $-16, %rsp\n call lemmata_start\n");
#endif
typedef void (*lemmata_structor)(int, char **, char **);
extern lemmata_structor __init_array_start[], __init_array_end[];
extern lemmata_structor __fini_array_start[], __fini_array_end[];
static void lemmata_return(int code) {
  for (lemmata_structor *one = __fini_array_end; one != __fini_array_start;) (*--one)(0, 0, 0);
  lemmata_leave(code);
}
LEMMATA_WEAK void _exit(int code) { lemmata_leave(code); }
LEMMATA_WEAK void _Exit(int code) { lemmata_leave(code); }
LEMMATA_WEAK void exit(int code) { lemmata_return(code); }
LEMMATA_WEAK void abort(void) { lemmata_leave(134); }
extern int main();
void lemmata_start(void) {
  static char name[] = "run", *arguments[] = {name, 0};
  for (lemmata_structor *one = __init_array_start; one != __init_array_end; ++one)
    (*one)(1, arguments, arguments + 1);
  lemmata_return(main(1, arguments, arguments + 1));
}
LEMMATA_WEAK void *memcpy(void *to, const void *from, lemmata_size size) {
  for (lemmata_size i = 0; i < size; ++i) ((volatile char *)to)[i] = ((const char *)from)[i];
  return to;
}
LEMMATA_WEAK void *memmove(void *to, const void *from, lemmata_size size) {
  if ((const char *)to <= (const char *)from) return memcpy(to, from, size);
  for (lemmata_size i = size; i-- > 0;) ((volatile char *)to)[i] = ((const char *)from)[i];
  return to;
}
LEMMATA_WEAK void *memset(void *to, int byte, lemmata_size size) {
  for (lemmata_size i = 0; i < size; ++i) ((volatile char *)to)[i] = (char)byte;
  return to;
}
LEMMATA_WEAK lemmata_size strlen(const char *text) {
  lemmata_size size = 0;
  while (((const volatile char *)text)[size] != 0) ++size;
  return size;
}
static char lemmata_heap[1 << 26];
static lemmata_size lemmata_used;
LEMMATA_WEAK void *malloc(lemmata_size size) {
  if (size > sizeof lemmata_heap - lemmata_used - 16) return 0;
  void *start = lemmata_heap + lemmata_used;
  lemmata_used += (size + 15) / 16 * 16;
  return start;
}
LEMMATA_WEAK void *calloc(lemmata_size count, lemmata_size size) {
  if (size != 0 && count > sizeof lemmata_heap / size) return 0;
  return malloc(count * size);
}
LEMMATA_WEAK void free(void *object) { (void)object; }
LEMMATA_WEAK int printf(const char *format, ...) { (void)format; return 0; }
LEMMATA_WEAK int vprintf(const char *format, __builtin_va_list list) {
  (void)format, (void)list;
  return 0;
}
LEMMATA_WEAK int vfprintf(void *file, const char *format, __builtin_va_list list) {
  (void)file, (void)format, (void)list;
  return 0;
}
LEMMATA_WEAK int puts(const char *text) { (void)text; return 0; }
LEMMATA_WEAK int putchar(int letter) { return letter; }
LEMMATA_WEAK void *stdout, *stderr;
LEMMATA_WEAK int fprintf(void *file, const char *format, ...) {
  (void)file, (void)format;
  return 0;
}
LEMMATA_WEAK int fputs(const char *text, void *file) { (void)text, (void)file; return 0; }
LEMMATA_WEAK int fputc(int letter, void *file) { (void)file; return letter; }
LEMMATA_WEAK int putc(int letter, void *file) { (void)file; return letter; }
LEMMATA_WEAK int fflush(void *file) { (void)file; return 0; }
LEMMATA_WEAK void perror(const char *text) { (void)text; }
#ifdef __i386__
typedef unsigned long long lemmata_wide;
static lemmata_wide lemmata_divide(lemmata_wide a, lemmata_wide b, lemmata_wide *rest) {
  lemmata_wide quotient = 0, left = 0;
  if (b == 0) a = 1u / (unsigned)b;
  for (int i = 63; i >= 0; --i) {
    int carry = (int)(left >> 63);
    left = left << 1 | (a >> i & 1);
    if (carry || left >= b) {
      left -= b;
      quotient |= 1ULL << i;
    }
  }
  *rest = left;
  return quotient;
}
LEMMATA_WEAK lemmata_wide __udivdi3(lemmata_wide a, lemmata_wide b) {
  lemmata_wide rest;
  return lemmata_divide(a, b, &rest);
}
LEMMATA_WEAK lemmata_wide __umoddi3(lemmata_wide a, lemmata_wide b) {
  lemmata_wide rest;
  lemmata_divide(a, b, &rest);
  return rest;
}
LEMMATA_WEAK long long __divdi3(long long a, long long b) {
  lemmata_wide rest, size = lemmata_divide(a < 0 ? -(lemmata_wide)a : (lemmata_wide)a,
                                           b < 0 ? -(lemmata_wide)b : (lemmata_wide)b, &rest);
  return (long long)((a < 0) != (b < 0) ? -size : size);
}
LEMMATA_WEAK long long __moddi3(long long a, long long b) {
  lemmata_wide rest;
  lemmata_divide(a < 0 ? -(lemmata_wide)a : (lemmata_wide)a,
                 b < 0 ? -(lemmata_wide)b : (lemmata_wide)b, &rest);
  return (long long)(a < 0 ? -rest : rest);
}
#endif
#endif
)";

/// Messages and codes: {0} {1} error, {2} {3} used up, {4} {5} another input, {6} {7} assumption
inline constexpr std::string_view kEnding = R"(
static const char lemmata_line[] = "\n";
static void lemmata_end(const char *message, int code) {{
  unsigned size = 0;
  while (((const volatile char *)message)[size] != 0) ++size;
  if (lemmata_call(LEMMATA_WRITE, 2, (long)message, size) < 0) lemmata_leave(1);
  if (lemmata_call(LEMMATA_WRITE, 2, (long)lemmata_line, 1) < 0) lemmata_leave(1);
  lemmata_leave(code);
}}
static void lemmata_error(void) {{ lemmata_end("{0}", {1}); }}
static void lemmata_used_up(void) {{ lemmata_end("{2}", {3}); }}
static void lemmata_other_input(void) {{ lemmata_end("{4}", {5}); }}
static void lemmata_assume(int holds) {{
  if (!holds) lemmata_end("{6}", {7});
}}

// The inputs, in order.
struct lemmata_input {{
  const char *function;
  unsigned long long value;
}};
)";

inline constexpr std::string_view kNext = R"(
static long long lemmata_next(const char *function) {
  static unsigned taken;
  const struct lemmata_input *input = &lemmata_inputs[taken];
  if (input->function == 0) lemmata_used_up();
  for (unsigned i = 0; input->function[i] != 0 || function[i] != 0; ++i)
    if (input->function[i] != function[i]) lemmata_other_input();
  ++taken;
  return (long long)input->value;
}
)";

/// {0} the line of the assertion that must fail, 0: any; {1} {2} message and code for others
inline constexpr std::string_view kAssertLine = R"(
static void lemmata_assert_at(unsigned line) {{
  const unsigned wanted = {0};
  if (wanted != 0 && line != wanted) lemmata_end("{1}", {2});
  lemmata_error();
}}
)";

/// What clang's checks give to the functions below; {0} {1} line and column of the failure.
inline constexpr std::string_view kHandlerPlace = R"(
static void lemmata_at(void *data) {{
  const struct lemmata_place {{ const char *file; unsigned line, column; }} *at = data;
  if (at && at->line == {0} && at->column == {1}) lemmata_error();
}}
)";

inline constexpr std::string_view kConventions = R"(
LEMMATA_MEANT void reach_error(void) { lemmata_error(); }
LEMMATA_MEANT void __VERIFIER_error(void) { lemmata_error(); }
LEMMATA_WEAK void __assert_fail(const char *a, const char *b, unsigned c, const char *d) {
  (void)a, (void)b, (void)d;
  lemmata_assert_at(c);
}
LEMMATA_WEAK void __assert(const char *a, const char *b, int c) {
  (void)a, (void)b;
  lemmata_assert_at((unsigned)c);
}
LEMMATA_WEAK void __VERIFIER_assume(int holds) { lemmata_assume(holds); }
LEMMATA_WEAK void assume(int holds) { lemmata_assume(holds); }
LEMMATA_WEAK void __VERIFIER_assert(int holds) { if (!holds) lemmata_error(); }
LEMMATA_WEAK void assert(int holds) { if (!holds) lemmata_error(); }
LEMMATA_WEAK void sassert(int holds) { if (!holds) lemmata_error(); }
LEMMATA_WEAK void __CPROVER_assume(int holds) { lemmata_assume(holds); }
LEMMATA_WEAK void __ESBMC_assume(int holds) { lemmata_assume(holds); }
LEMMATA_WEAK void __CPROVER_assert(int holds, const char *text) {
  (void)text;
  if (!holds) lemmata_error();
}
LEMMATA_WEAK void __ESBMC_assert(int holds, const char *text) {
  (void)text;
  if (!holds) lemmata_error();
}
LEMMATA_WEAK int tmpl() { return 0; }
// By the model of realloc. Memory of this machine does not grow where it is.
LEMMATA_WEAK void lemmata_resize(void *object, __SIZE_TYPE__ size) {
  (void)object, (void)size;
  lemmata_other_input();
}
LEMMATA_WEAK void lemmata_copy(void *to, const void *from, __SIZE_TYPE__ size) {
  for (__SIZE_TYPE__ i = 0; i < size; ++i) ((volatile char *)to)[i] = ((const char *)from)[i];
}
extern void *malloc(__SIZE_TYPE__);
LEMMATA_WEAK void *__lemmata_object(__SIZE_TYPE__ size) { return malloc(size); }
LEMMATA_WEAK void __lemmata_shrink(void *object, __SIZE_TYPE__ size) { (void)object, (void)size; }
)";

inline constexpr std::string_view kOtherInputs[] = {"bool",
                                                    "_Bool",
                                                    "char",
                                                    "uchar",
                                                    "short",
                                                    "ushort",
                                                    "int",
                                                    "uint",
                                                    "unsigned",
                                                    "long",
                                                    "ulong",
                                                    "longlong",
                                                    "ulonglong",
                                                    "size_t",
                                                    "pointer",
                                                    "pchar",
                                                    "loff_t",
                                                    "sector_t",
                                                    "u8",
                                                    "u16",
                                                    "u32",
                                                    "charp",
                                                    "const_char_pointer",
                                                    "unsigned_int",
                                                    "uint32_t",
                                                    "float",
                                                    "double",
                                                    "int8_t",
                                                    "int16_t",
                                                    "int32_t",
                                                    "int64_t",
                                                    "uint8_t",
                                                    "uint16_t",
                                                    "uint64_t",
                                                    "int_libc",
                                                    "long_libc",
                                                    "longlong_libc",
                                                    "usize_libc",
                                                    "u8_libc",
                                                    "u16_libc",
                                                    "u1_libc"};

}  // namespace lem::check
