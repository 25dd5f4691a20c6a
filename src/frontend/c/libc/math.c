// <math.h>: what is defined to the last bit is known to the front end. Here is what a call does to
// errno, where the program reads it: 7.12.1, a domain error sets it to EDOM, or leaves it alone.

extern double sqrt(double);
extern float sqrtf(float);
extern long double sqrtl(long double);

static void domain_error(void) {
  if (any()) error_number = 33;  // EDOM
}
double lemmata_sqrt(double x) {
  if (x < 0) domain_error();
  return sqrt(x);
}
float lemmata_sqrtf(float x) {
  if (x < 0) domain_error();
  return sqrtf(x);
}
long double lemmata_sqrtl(long double x) {
  if (x < 0) domain_error();
  return sqrtl(x);
}
