/* A list inserts its first element by the wrong comparison. */
#include <assert.h>
#include <stddef.h>

struct node {
  int key;
  struct node *next;
};

extern int __VERIFIER_nondet_int(void);

static struct node nodes[3];
static struct node *first = NULL;

static void insert(struct node *node) {
  if (first == NULL || node->key > first->key) {
    node->next = first;
    first = node;
    return;
  }
  struct node *at = first;
  while (at->next != NULL && at->next->key < node->key) at = at->next;
  node->next = at->next;
  at->next = node;
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    nodes[i].key = __VERIFIER_nondet_int();
    insert(&nodes[i]);
  }
  int count = 0;
  for (struct node *at = first; at != NULL; at = at->next) {
    if (at->next != NULL) assert(at->key <= at->next->key);
    count++;
  }
  assert(count == 3);
  return 0;
}
