/* A button changes after four equal samples. */
#include <assert.h>
#include <stdint.h>

#define STABLE 4

extern _Bool __VERIFIER_nondet_bool(void);

static uint8_t counter;
static _Bool pressed;

static void sample(_Bool level) {
  if (level == pressed) {
    counter = 0;
    return;
  }
  counter++;
  if (counter >= STABLE) {
    pressed = level;
    counter = 0;
  }
}

int main(void) {
  int since = 0;
  for (;;) {
    _Bool before = pressed;
    _Bool level = __VERIFIER_nondet_bool();
    since = level == pressed ? 0 : since + 1;
    sample(level);
    if (before != pressed) {
      assert(since >= STABLE);
      since = 0;
    }
    assert(counter < STABLE);
  }
}
