/* One pass of bubble sort is not enough to sort three numbers. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void order(int *low, int *high) {
  if (*low > *high) {
    int other = *low;
    *low = *high;
    *high = other;
  }
}

int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  int c = __VERIFIER_nondet_int();
  order(&a, &b);
  order(&b, &c);
  if (a > b) reach_error();
  return 0;
}
