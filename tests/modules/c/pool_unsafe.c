/* What a pool gives is used when the pool is empty. */
// check: null,bounds
#include <stddef.h>
#include <stdint.h>

#define BLOCKS 3

extern _Bool __VERIFIER_nondet_bool(void);

struct block {
  uint8_t data[4];
};

static struct block blocks[BLOCKS];
static _Bool taken[BLOCKS];

static struct block *take(void) {
  for (int i = 0; i < BLOCKS; i++)
    if (!taken[i]) {
      taken[i] = 1;
      return &blocks[i];
    }
  return NULL;
}

int main(void) {
  for (int i = 0; i < 4; i++) {
    struct block *block = take();
    if (i == 4) return 1;
    block->data[0] = (uint8_t)i;
    if (__VERIFIER_nondet_bool()) taken[block - blocks] = 0;
  }
  return 0;
}
