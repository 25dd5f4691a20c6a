/* A node is read after it was given back. */
// check: use-after-free,double-free,leak
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node *first = malloc(sizeof *first);
  first->value = __VERIFIER_nondet_int();
  first->next = malloc(sizeof *first);
  first->next->value = first->value;
  first->next->next = NULL;
  free(first);
  free(first->next);
  return 0;
}
