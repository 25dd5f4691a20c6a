/* A matrix is transposed twice. */
#include <assert.h>
#include <stdint.h>

#define N 3

extern int8_t __VERIFIER_nondet_char(void);

static int8_t matrix[N][N];

static void transpose(void) {
  for (int row = 0; row < N; row++)
    for (int column = 0; column < N; column++) {
      int8_t other = matrix[row][column];
      matrix[row][column] = matrix[column][row];
      matrix[column][row] = other;
    }
}

int main(void) {
  for (int row = 0; row < N; row++)
    for (int column = 0; column < N; column++) matrix[row][column] = __VERIFIER_nondet_char();
  int8_t corner = matrix[0][2];
  transpose();
  assert(matrix[2][0] == corner);
  return 0;
}
