/* The most urgent message is taken first. */
#include <assert.h>
#include <stdint.h>

#define SLOTS 4

struct message {
  uint8_t id;
  uint8_t priority;
  _Bool used;
};

extern uint8_t __VERIFIER_nondet_uchar(void);

static struct message slots[SLOTS];

static void post(uint8_t id, uint8_t priority) {
  for (int i = 0; i < SLOTS; i++)
    if (!slots[i].used) {
      slots[i].id = id;
      slots[i].priority = priority;
      slots[i].used = 1;
      return;
    }
}

static int most_urgent(void) {
  int best = -1;
  for (int i = 0; i < SLOTS; i++)
    if (slots[i].used && (best < 0 || slots[i].priority > slots[best].priority)) best = i;
  return best;
}

int main(void) {
  for (int i = 0; i < 3; i++) post(__VERIFIER_nondet_uchar(), __VERIFIER_nondet_uchar());
  int at = most_urgent();
  assert(at >= 0 && at < 3);
  for (int i = 0; i < SLOTS; i++)
    assert(!slots[i].used || slots[i].priority <= slots[at].priority);
  return 0;
}
