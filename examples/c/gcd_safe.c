/* The greatest common divisor by subtraction (after Listing 1 of the IC3CFA thesis): it never
   exceeds either number. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar();
  unsigned char b = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(a > 0 && b > 0);
  unsigned char x = a, y = b;
  while (x != y) {
    if (x > y)
      x -= y;
    else
      y -= x;
  }
  if (x > a || x > b) reach_error();
  return 0;
}
