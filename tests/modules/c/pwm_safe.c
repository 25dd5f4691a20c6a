/* The duty cycle of a timer is computed without overflow. */
// check: overflow,division
#include <stdint.h>

#define PERIOD 20000

extern int __VERIFIER_nondet_int(void);

static int32_t duty(int32_t percent, int32_t period) {
  return period * percent / 100;
}

int main(void) {
  int32_t percent = __VERIFIER_nondet_int();
  if (percent < 0 || percent > 100) return 0;
  return duty(percent, PERIOD) > PERIOD;
}
