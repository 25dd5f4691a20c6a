/* A mean of four stays between the bounds of its samples. */
#include <assert.h>
#include <stdint.h>

extern int8_t __VERIFIER_nondet_char(void);

static int8_t window[4];
static uint8_t at;
static int32_t sum;

static int16_t filter(int8_t sample) {
  sum += sample - window[at];
  window[at] = sample;
  at = (uint8_t)((at + 1u) & 3u);
  return (int16_t)(sum / 4);
}

int main(void) {
  for (int i = 0; i < 5; i++) {
    int8_t sample = __VERIFIER_nondet_char();
    if (sample < -100) sample = -100;
    if (sample > 100) sample = 100;
    int16_t smooth = filter(sample);
    assert(smooth >= -100 && smooth <= 100);
  }
  return 0;
}
