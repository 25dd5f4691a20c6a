/* A program of two files; the bug is in the other one. */
extern int __VERIFIER_nondet_int(void);
void put(int value);
int main(void) {
  for (int i = 0; i < 3; i++) {
    int value = __VERIFIER_nondet_int();
    put(value);
  }
  return 0;
}
