/* A checksum leaves out one byte of a packet. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

struct packet {
  uint16_t length;
  uint8_t kind;
  uint8_t sum;
};

extern uint16_t __VERIFIER_nondet_ushort(void);
extern uint8_t __VERIFIER_nondet_uchar(void);

static uint8_t sum_of(const uint8_t *bytes, unsigned length) {
  uint8_t sum = 0;
  for (unsigned i = 0; i < length; i++) sum = (uint8_t)(sum + bytes[i]);
  return sum;
}

int main(void) {
  struct packet packet = {0};
  uint8_t wire[4];
  packet.length = __VERIFIER_nondet_ushort();
  packet.kind = __VERIFIER_nondet_uchar();
  memcpy(wire, &packet, sizeof packet);
  packet.sum = (uint8_t)-sum_of(wire, 2);
  memcpy(wire, &packet, sizeof packet);
  assert(sum_of(wire, 4) == 0);
  return 0;
}
