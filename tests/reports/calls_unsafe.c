/* The bug is in a function that a function calls: the sum of three clamped numbers passes a bound. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int total;
static int clamp(int x) {
  if (x > 100) x = 100;
  return x;
}
static void add(int amount) {
  int kept = clamp(amount);
  total = total + kept;
  if (total > 150) reach_error();
}
int main(void) {
  int i;
  for (i = 0; i < 3; i++) {
    int amount = __VERIFIER_nondet_int();
    add(amount);
  }
  return 0;
}
