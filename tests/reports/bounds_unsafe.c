/* A ring buffer whose index is wrapped one element too late (--check bounds). */
extern int __VERIFIER_nondet_int(void);
int ring[2];
int main(void) {
  unsigned at = 0;
  for (int i = 0; i < 6; i++) {
    int value = __VERIFIER_nondet_int();
    if (value < 0) continue;
    ring[at] = value;
    at = at + 1;
    if (at > 2) at = 0;
  }
  return 0;
}
