/* The valve of a state machine is open in one state only. */
#include <assert.h>

enum state { IDLE, ARMED, FIRING, LOCKED };
enum event { ARM, FIRE, RELEASE, FAULT, RESET };

extern int __VERIFIER_nondet_int(void);

static enum state state = IDLE;
static int valve_open;

static void step(enum event event) {
  switch (state) {
    case IDLE:
      if (event == ARM) state = ARMED;
      break;
    case ARMED:
      if (event == FIRE) {
        state = FIRING;
        valve_open = 1;
      } else if (event == RELEASE) {
        state = IDLE;
      } else if (event == FAULT) {
        state = LOCKED;
      }
      break;
    case FIRING:
      if (event == RELEASE) {
        state = ARMED;
        valve_open = 0;
      } else if (event == FAULT) {
        state = LOCKED;
        valve_open = 0;
      }
      break;
    case LOCKED:
      if (event == RESET) state = IDLE;
      break;
  }
}

int main(void) {
  for (;;) {
    int event = __VERIFIER_nondet_int();
    if (event < ARM || event > RESET) continue;
    step((enum event)event);
    assert(!valve_open || state == FIRING);
  }
}
