// What formats.cpp makes of sprintf, snprintf and scanf, and other input of <stdio.h>.

typedef struct _IO_FILE FILE;

// Output to memory: each function writes at the place `at`, as far as there is room for a
// character and the 0 behind all, and returns the place behind what it wrote or would have written.

static void put(char *to, size_t size, size_t at, char c) {
  if (size > 1 && at < size - 1) to[at] = c;
}

static size_t put_blanks(char *to, size_t size, size_t at, size_t count) {
  for (size_t i = 0; i < count; ++i) put(to, size, at + i, ' ');
  return at + count;
}

size_t lemmata_put_text(char *to, size_t size, size_t at, const char *text, size_t count) {
  for (size_t i = 0; i < count; ++i) put(to, size, at + i, text[i]);
  return at + count;
}

// At most `most` characters of a string.
size_t lemmata_put_string(char *to, size_t size, size_t at, size_t width, int left,
                          const char *text, size_t most) {
  size_t count = 0;
  while (count < most && text[count] != '\0') ++count;
  size_t blanks = width > count ? width - count : 0;
  if (!left) at = put_blanks(to, size, at, blanks);
  at = lemmata_put_text(to, size, at, text, count);
  return left ? put_blanks(to, size, at, blanks) : at;
}

size_t lemmata_put_letter(char *to, size_t size, size_t at, size_t width, int left, int letter) {
  char text[1] = {(char)letter};
  size_t blanks = width > 1 ? width - 1 : 0;
  if (!left) at = put_blanks(to, size, at, blanks);
  at = lemmata_put_text(to, size, at, text, 1);
  return left ? put_blanks(to, size, at, blanks) : at;
}

static size_t put_sign(char *to, size_t size, size_t at, char sign) {
  if (sign == '\0') return at;
  put(to, size, at, sign);
  return at + 1;
}

// What fills up the width: blanks before the sign, or zeros behind it.
static size_t put_before(char *to, size_t size, size_t at, size_t blanks, int zeros, char sign) {
  if (!zeros) return put_blanks(to, size, at, blanks);
  at = put_sign(to, size, at, sign);
  for (size_t i = 0; i < blanks; ++i) put(to, size, at + i, '0');
  return at + blanks;
}

static char digit(unsigned value, char ten) {
  return (char)(value < 10 ? '0' + value : ten + (value - 10));
}

// How many there are is said without divisions, since this is what decides where writing ends.
static size_t int_digits(unsigned value, unsigned base) {
  size_t count = 1;
  if (base == 10)
    return count + (value >= 10) + (value >= 100) + (value >= 1000) + (value >= 10000) +
           (value >= 100000) + (value >= 1000000) + (value >= 10000000) + (value >= 100000000) +
           (value >= 1000000000);
  for (int bits = base == 16 ? 4 : 3, at = bits; at < 32 && value >> at != 0; at += bits) ++count;
  return count;
}

static size_t long_digits(unsigned long long value, unsigned base) {
  size_t count = 1;
  if (base == 10) {
    for (unsigned long long limit = 10; count < 20 && value >= limit; limit *= 10) ++count;
    return count;
  }
  for (int bits = base == 16 ? 4 : 3, at = bits; at < 64 && value >> at != 0; at += bits) ++count;
  return count;
}

size_t lemmata_put_int(char *to, size_t size, size_t at, size_t width, int left, int zeros,
                       char sign, unsigned value, unsigned base, char ten) {
  size_t count = int_digits(value, base), used = count + (sign != '\0');
  size_t blanks = width > used ? width - used : 0;
  if (!left) at = put_before(to, size, at, blanks, zeros, sign);
  if (left || !zeros) at = put_sign(to, size, at, sign);
  for (size_t i = count; i-- > 0; value /= base)
    put(to, size, at + i, digit((unsigned)(value % base), ten));
  return left ? put_blanks(to, size, at + count, blanks) : at + count;
}

size_t lemmata_put_long(char *to, size_t size, size_t at, size_t width, int left, int zeros,
                        char sign, unsigned long long value, unsigned base, char ten) {
  size_t count = long_digits(value, base), used = count + (sign != '\0');
  size_t blanks = width > used ? width - used : 0;
  if (!left) at = put_before(to, size, at, blanks, zeros, sign);
  if (left || !zeros) at = put_sign(to, size, at, sign);
  for (size_t i = count; i-- > 0; value /= base)
    put(to, size, at + i, digit((unsigned)(value % base), ten));
  return left ? put_blanks(to, size, at + count, blanks) : at + count;
}

int lemmata_put_end(char *to, size_t size, size_t at) {
  if (size > 0) to[at < size - 1 ? at : size - 1] = '\0';
  return (int)at;
}

// Input -------------------------------------------------------------------------------------------
// 7.21.6.2, as formats.cpp takes a format apart. Any input that the conversions take: `count` of
// them assign, -1 if the input ends before the first. Each function is told whether its conversion
// takes place and returns how many characters it read, at least.

// `none`: whether the input can be there and fit nothing; `eof`: whether it can end.
int lemmata_scan_count(int most, int none, int eof) {
  int count = any_int();
  assume(count >= (eof ? -1 : 0) && count <= most && (count != 0 || none || most == 0));
  lemmata_touch_errno();
  return count;
}

// Numbers of these widths, between `least` and `most` where the field is narrow. What does not fit
// the type is undefined: any.
#define SCAN_NUMBER(bits, type, input)                                            \
  int lemmata_scan_##bits(int taken, type *to, long long least, long long most) { \
    if (!taken) return 0;                                                         \
    type value = (type)input();                                                   \
    assume(value >= least && value <= most);                                      \
    *to = value;                                                                  \
    return 1;                                                                     \
  }
SCAN_NUMBER(8, signed char, any_byte)
SCAN_NUMBER(16, short, __VERIFIER_nondet_u16_libc)
SCAN_NUMBER(32, int, any_int)
SCAN_NUMBER(64, long long, any_long_long)

// A set of characters: 64 bits in each word.
static int is_in(unsigned char c, unsigned long long a, unsigned long long b, unsigned long long d,
                 unsigned long long e) {
  unsigned long long word = c < 64 ? a : c < 128 ? b : c < 192 ? d : e;
  return (int)(word >> (c & 63) & 1);
}

// %s and %[: one character of the set or more.
int lemmata_scan_word(int taken, char *to, int most, unsigned long long a, unsigned long long b,
                      unsigned long long d, unsigned long long e) {
  if (!taken) return 0;
  int count = 0;
  do {
    unsigned char c = any_byte();
    assume(is_in(c, a, b, d, e));
    to[count++] = (char)c;
  } while (count < most && any());
  to[count] = '\0';
  return count;
}

// %c: so many of them; glibc is content with less where the input ends. The first is in the set:
// what stands before in the format has taken the others.
int lemmata_scan_letters(int taken, char *to, int most, unsigned long long a, unsigned long long b,
                         unsigned long long d, unsigned long long e) {
  if (!taken) return 0;
  int count = 0;
  do {
    unsigned char c = any_byte();
    assume(count > 0 || is_in(c, a, b, d, e));
    to[count++] = (char)c;
  } while (count < most && any());
  return count;
}

// %n: how many were read; exactly `least` where nothing else can have been.
void lemmata_scan_place(int taken, int *to, int least, int exact) {
  if (!taken) return;
  int x = any_int();
  assume(exact ? x == least : x >= least);
  *to = x;
}

// 7.21.7: a character, or EOF at the end of the input or by an error.
int getchar(void) {
  int c = any_int();
  assume(c >= -1 && c <= 255);
  lemmata_touch_errno();
  return c;
}
int fgetc(FILE *file) {
  (void)file;
  return getchar();
}
int getc(FILE *file) {
  (void)file;
  return getchar();
}

// 7.21.7.2: null if the input ends at once, which leaves the array as it is, or by an error, which
// leaves anything there.
char *fgets(char *to, int size, FILE *file) {
  (void)file;
  lemmata_touch_errno();
  if (size <= 0 || any()) return NULL;
  int count = 0;
  while (count < size - 1) {
    to[count++] = (char)any_byte();
    if (to[count - 1] == '\n' || any()) break;
  }
  to[count] = '\0';
  return any() ? NULL : to;
}

// Output ------------------------------------------------------------------------------------------
// Called in the place of the functions whose name stands behind lemmata_ where errno, the result or
// memory matters (library.cpp); else nothing but output happens.

// What is printed is read, up to the 0 or `most`.
void lemmata_read_string(const char *s, size_t most) {
  for (size_t i = 0; i < most && s[i] != '\0'; ++i) continue;
}
static void read_bytes(const char *from, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    char c = from[i];
    (void)c;
  }
}

// 7.21.7: EOF or a number that is not negative.
static int done(int result) {
  lemmata_touch_errno();
  if (!any()) return result;
  fail();
  return -1;
}
static int not_negative(void) {
  int x = any_int();
  assume(x >= 0);
  return x;
}
// 7.21.6.1: of printf, what it returns; what it reads is known to the front end (output.cpp).
int lemmata_printed(void) {
  int x = any_int();
  lemmata_touch_errno();
  if (x < 0) fail();
  return x;
}
int lemmata_puts(const char *s) {
  lemmata_read_string(s, (size_t)-1);
  return done(not_negative());
}
int lemmata_fputs(const char *s, FILE *file) {
  (void)file;
  lemmata_read_string(s, (size_t)-1);
  return done(not_negative());
}
int lemmata_putchar(int c) { return done((unsigned char)c); }
int lemmata_fputc(int c, FILE *file) {
  (void)file;
  return done((unsigned char)c);
}
int lemmata_putc(int c, FILE *file) {
  (void)file;
  return done((unsigned char)c);
}
int lemmata_fflush(FILE *file) {
  (void)file;
  return done(0);
}
void lemmata_perror(const char *s) {
  if (s != NULL) lemmata_read_string(s, (size_t)-1);
  lemmata_touch_errno();
}

// 7.21.8: so many elements as could be written or read.
size_t fwrite(const void *from, size_t size, size_t count, FILE *file) {
  (void)file;
  read_bytes(from, size * count);
  lemmata_touch_errno();
  if (size == 0 || count == 0) return 0;
  return any_below(count + 1);
}
size_t fread(void *to, size_t size, size_t count, FILE *file) {
  (void)file;
  lemmata_touch_errno();
  if (size == 0 || count == 0) return 0;
  size_t taken = any_below(count + 1);
  size_t all = taken * size;
  if (taken < count) all += any_below(size);  // a part of the next one
  for (size_t i = 0; i < all; ++i) ((char *)to)[i] = (char)any_byte();
  return taken;
}

// 7.21.5: each stream is an object of its own.
static char streams[1];
static size_t opened;
FILE *fopen(const char *name, const char *mode) {
#ifdef LEMMATA_CHECK_MEMORY
  lemmata_read_string(name, (size_t)-1);
  lemmata_read_string(mode, (size_t)-1);
#endif
  (void)name, (void)mode;
  lemmata_touch_errno();
  if (!any()) return (FILE *)(streams + opened++);
  fail();
  return NULL;
}
int fclose(FILE *file) {
  (void)file;
  return done(0);
}
int feof(FILE *file) {
  (void)file;
  return any_int();
}
int ferror(FILE *file) {
  (void)file;
  return any_int();
}
