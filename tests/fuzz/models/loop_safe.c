extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0;
  while (i < n) {
    i = i + 1;
    if (i == 4) break;
  }
  if (i > 4) reach_error();
  return 0;
}
