/* A register is read twice: what the first read has checked does not hold for the second. */
#include <assert.h>
volatile unsigned status;
int table[8];
int main(void) {
  if (status >= 8) return 0;
  unsigned index = status;
  assert(index < 8);
  table[index] = 1;
  return 0;
}
