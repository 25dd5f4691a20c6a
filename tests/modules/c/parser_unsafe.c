/* A parser takes one digit too many. */
#include <assert.h>

extern char __VERIFIER_nondet_char(void);

static char line[6];

/* -1: no number */
static int parse(const char *text) {
  int value = 0;
  int digits = 0;
  while (text[digits] >= '0' && text[digits] <= '9') {
    if (digits > 3) return -1;
    value = value * 10 + (text[digits] - '0');
    digits++;
  }
  return digits == 0 ? -1 : value;
}

int main(void) {
  for (int i = 0; i < 5; i++) line[i] = __VERIFIER_nondet_char();
  line[5] = '\0';
  int value = parse(line);
  assert(value >= -1);
  assert(value < 1000);
  return 0;
}
