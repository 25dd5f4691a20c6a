/* A field of a register is set and the others are kept. */
#include <assert.h>
#include <stdint.h>

#define ENABLE 0x01u
#define READY 0x80u
#define SPEED_SHIFT 4
#define SPEED_MASK 0x70u

extern uint8_t __VERIFIER_nondet_uchar(void);

static uint8_t control;

static void set_speed(uint8_t speed) {
  control = (uint8_t)((control & ~SPEED_MASK) | ((speed & 7u) << SPEED_SHIFT));
}

int main(void) {
  control = __VERIFIER_nondet_uchar() | ENABLE;
  uint8_t before = control;
  uint8_t speed = __VERIFIER_nondet_uchar();
  set_speed(speed);
  assert((control & ENABLE) != 0);
  assert((control & READY) == (before & READY));
  assert((control & SPEED_MASK) >> SPEED_SHIFT == (speed & 7u));
  return 0;
}
