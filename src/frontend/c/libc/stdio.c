// What formats.cpp makes of sprintf, snprintf and scanf, and other input of <stdio.h>.

typedef __SIZE_TYPE__ size_t;
typedef struct _IO_FILE FILE;
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_u8(void);
extern void __VERIFIER_assume(int);

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

// Input: any that the conversion takes. Nothing is there at the end of the file, -1.

int lemmata_scan_count(int most) {
  int count = __VERIFIER_nondet_int();
  __VERIFIER_assume(count >= -1 && count <= most);
  return count;
}

static int is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

void lemmata_scan_8(int taken, signed char *to, signed char value) {
  if (taken) *to = value;
}
void lemmata_scan_16(int taken, short *to, short value) {
  if (taken) *to = value;
}
void lemmata_scan_32(int taken, int *to, int value) {
  if (taken) *to = value;
}
void lemmata_scan_64(int taken, long long *to, long long value) {
  if (taken) *to = value;
}

void lemmata_scan_word(int taken, char *to, size_t most) {
  if (!taken) return;
  size_t count = 0;
  do {
    char c = (char)__VERIFIER_nondet_u8();
    __VERIFIER_assume(!is_blank(c));
    to[count++] = c;
  } while (count < most && __VERIFIER_nondet_bool());
  to[count] = '\0';
}

void lemmata_scan_letters(int taken, char *to, size_t count) {
  if (!taken) return;
  for (size_t i = 0; i < count; ++i) to[i] = (char)__VERIFIER_nondet_u8();
}

int getchar(void) {
  int c = __VERIFIER_nondet_int();
  __VERIFIER_assume(c >= -1 && c <= 255);
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

char *fgets(char *to, int size, FILE *file) {
  (void)file;
  if (size <= 0) return 0;
  if (size > 1 && __VERIFIER_nondet_bool()) return 0;
  int count = 0;
  while (count < size - 1) {
    to[count++] = (char)__VERIFIER_nondet_u8();
    if (to[count - 1] == '\n' || __VERIFIER_nondet_bool()) break;
  }
  to[count] = '\0';
  return to;
}
