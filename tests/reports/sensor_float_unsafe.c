/* The range of a sensor is checked by what it must not be; a NaN is neither below nor above. */
#include <assert.h>
extern float __VERIFIER_nondet_float(void);
int main(void) {
  float measured = __VERIFIER_nondet_float();
  if (measured < -40.0f || measured > 125.0f) return 1;
  assert(measured <= 125.0f);
  return 0;
}
