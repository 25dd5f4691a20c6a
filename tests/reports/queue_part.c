#include <assert.h>

static int filled;
static int sum;

/* The sum of what was put may overflow. */
void put(int value) {
  if (value < 0) return;
  sum = (int)((unsigned)sum + (unsigned)value);
  filled = filled + 1;
  assert(sum >= 0);
}
