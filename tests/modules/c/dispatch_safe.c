/* Commands go through a table of functions. */
#include <assert.h>

enum command { OPEN, CLOSE, QUERY, COMMANDS };

extern unsigned __VERIFIER_nondet_uint(void);

static int is_open;

static int do_open(int argument) {
  is_open = 1;
  return argument;
}

static int do_close(int argument) {
  is_open = 0;
  return argument ;
}

static int do_query(int argument) {
  (void)argument;
  return is_open;
}

static int (*const handlers[COMMANDS])(int) = {do_open, do_close, do_query};

int main(void) {
  for (int i = 0; i < 4; i++) {
    unsigned command = __VERIFIER_nondet_uint();
    if (command >= COMMANDS) continue;
    int result = handlers[command](1);
    assert(result == 0 || result == 1);
    assert(command != OPEN || is_open);
  }
  return 0;
}
