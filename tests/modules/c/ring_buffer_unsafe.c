/* The test for a full ring buffer is off by one. */
#include <assert.h>
#include <stdint.h>

#define SIZE 8u

extern uint8_t __VERIFIER_nondet_uchar(void);

static uint8_t data[SIZE];
static uint8_t head, tail, count;

static int put(uint8_t byte) {
  if (count > SIZE) return 0;
  data[head] = byte;
  head = (uint8_t)((head + 1u) % SIZE);
  count++;
  return 1;
}

static int get(uint8_t *byte) {
  if (count == 0) return 0;
  *byte = data[tail];
  tail = (uint8_t)((tail + 1u) % SIZE);
  count--;
  return 1;
}

int main(void) {
  for (;;) {
    uint8_t byte = __VERIFIER_nondet_uchar();
    if (byte & 1u)
      put(byte);
    else
      get(&byte);
    assert(count <= SIZE);
    assert(head < SIZE && tail < SIZE);
  }
}
