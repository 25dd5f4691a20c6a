/* Binary search finds what is in its table. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static const int table[8] = {2, 3, 5, 7, 11, 13, 17, 19};

static int find(int key) {
  int low = 0, high = 7;
  while (low <= high) {
    int middle = low + (high - low) / 2;
    if (table[middle] == key) return middle;
    if (table[middle] < key)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return -1;
}

int main(void) {
  int key = __VERIFIER_nondet_int();
  int at = find(key);
  assert(at < 0 || table[at] == key);
  assert(at >= 0 || (key != 2 && key != 13 && key != 19));
  return 0;
}
