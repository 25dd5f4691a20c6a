/* Numbers survive the way to fixed point and back. */
#include <assert.h>
#include <stdint.h>

typedef int32_t fixed; /* 16.16 */

extern int16_t __VERIFIER_nondet_short(void);

static fixed from_int(int16_t value) { return (fixed)value * 65536; }
static int16_t to_int(fixed value) { return (int16_t)(value / 65536); }

int main(void) {
  int16_t value = __VERIFIER_nondet_short();
  assert(to_int(from_int(value)) == value);
  int16_t other = __VERIFIER_nondet_short();
  if (value < -100 || value > 100 || other < -100 || other > 100) return 0;
  assert(to_int(from_int(value) + from_int(other)) == value + other);
  return 0;
}
