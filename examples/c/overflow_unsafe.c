/* The mean of two numbers that are not negative, as it is often written: the sum may wrap around. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
  int low = __VERIFIER_nondet_int();
  int high = __VERIFIER_nondet_int();
  __VERIFIER_assume(0 <= low && low <= high);
  int middle = (low + high) / 2;
  if (middle < low) reach_error();
  return 0;
}
