/* A lock that is taken and released in turn while requests come in. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int held;

static void take(void) {
  if (held) reach_error();
  held = 1;
}

static void release(void) {
  if (!held) reach_error();
  held = 0;
}

int main(void) {
  int pending, served = 0;
  do {
    take();
    pending = __VERIFIER_nondet_int();
    if (pending > 0) {
      release();
      served++;
    }
  } while (pending > 0);
  release();
  return 0;
}
