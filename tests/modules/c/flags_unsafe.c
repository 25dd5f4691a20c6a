/* A counter in a bit-field wraps around. */
#include <assert.h>
#include <stdint.h>

struct flags {
  unsigned error : 1;
  unsigned level : 3;
  unsigned retries : 4;
};

extern unsigned __VERIFIER_nondet_uint(void);

static struct flags flags;

static void retry(void) {
  if (flags.retries > 15u)
    flags.error = 1;
  else
    flags.retries++;
}

int main(void) {
  flags.level = __VERIFIER_nondet_uint() & 7u;
  unsigned level = flags.level;
  unsigned tries = 0;
  while (!flags.error && tries < 20) {
    retry();
    tries++;
    assert(flags.level == level);
    assert(flags.error || flags.retries == tries);
  }
  return 0;
}
