/* A copy of text forgets room for its end. */
// check: bounds
extern char __VERIFIER_nondet_char(void);

static char name[4];

static void copy(char *to, const char *from, int size) {
  int i;
  for (i = 0; i < size  && from[i] != '\0'; i++) to[i] = from[i];
  to[i] = '\0';
}

int main(void) {
  char text[6];
  for (int i = 0; i < 5; i++) text[i] = __VERIFIER_nondet_char();
  text[5] = '\0';
  copy(name, text, 4);
  return name[0];
}
