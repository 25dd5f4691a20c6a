/* A CRC is taken of one byte too few. */
#include <assert.h>
#include <stdint.h>

extern uint8_t __VERIFIER_nondet_uchar(void);

static uint8_t crc8(const uint8_t *data, unsigned length) {
  uint8_t crc = 0;
  for (unsigned i = 0; i < length; i++) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; bit++)
      crc = (uint8_t)((crc & 0x80u) ? (crc << 1) ^ 0x07u : crc << 1);
  }
  return crc;
}

int main(void) {
  uint8_t frame[3];
  frame[0] = __VERIFIER_nondet_uchar();
  frame[1] = __VERIFIER_nondet_uchar();
  frame[2] = crc8(frame, 1);
  assert(crc8(frame, 3) == 0);
  return 0;
}
