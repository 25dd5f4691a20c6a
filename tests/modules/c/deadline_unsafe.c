/* Times are compared wrong when the counter wraps around. */
#include <assert.h>
#include <stdint.h>

extern uint32_t __VERIFIER_nondet_uint(void);

static int is_over(uint32_t now, uint32_t start, uint32_t span) {
  return now >= start + span;
}

int main(void) {
  uint32_t start = __VERIFIER_nondet_uint();
  uint32_t span = __VERIFIER_nondet_uint();
  uint32_t passed = __VERIFIER_nondet_uint();
  if (span > 0x10000000u || passed > 0x10000000u) return 0;
  uint32_t now = start + passed; /* wraps around */
  assert(is_over(now, start, span) == (passed >= span));
  return 0;
}
