"""Models for the stress test, by name: easy ones of every format, and ones that no engine settles in
the time that a run gets, so that it has to be ended."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from support import HARD, MIXED, SAFE, UNSAFE  # noqa: E402

# Two factors of a prime, both larger than 1: safe, and out of reach.
PRIME = 4611686018427387847

HARD_BTOR2 = f"""1 sort bitvec 64
2 sort bitvec 1
3 state 1 a
4 state 1 b
5 next 1 3 3
6 next 1 4 4
7 mul 1 3 4
8 constd 1 {PRIME}
9 eq 2 7 8
10 constd 1 2147483647
11 ugt 2 3 10
12 ugt 2 4 10
13 constd 1 4294967295
14 ulte 2 3 13
15 ulte 2 4 13
16 and 2 9 14
17 and 2 16 15
18 one 1
19 ugt 2 3 18
20 ugt 2 4 18
21 and 2 17 19
22 and 2 21 20
23 bad 22 factored
"""

HARD_VMT = """(declare-fun x () Int)
(declare-fun x1 () Int)
(declare-fun y () Int)
(declare-fun y1 () Int)
(define-fun sx () Int (! x :next x1))
(define-fun sy () Int (! y :next y1))
(define-fun init () Bool (! (and (= x 3) (= y 2)) :init true))
(define-fun trans () Bool (! (and (= x1 (+ (* x x) y)) (= y1 (+ (* y x) 1))) :trans true))
(define-fun prop () Bool (! (not (= (* x (* x x)) (+ (* y y) 7))) :invar-property 0))
"""

HARD_CHC = """(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 3) (= y 2)) (inv x y))))
(assert (forall ((x Int) (y Int) (u Int) (v Int))
  (=> (and (inv x y) (= u (+ (* x x) y)) (= v (+ (* y x) 1))) (inv u v))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (= (* x (* x x)) (+ (* y y) 7))) false)))
(check-sat)
"""

HARD_LUSTRE = """node main(go: bool) returns (ok: bool);
var x, y: int;
let
  x = 3 -> pre x * pre x + pre y;
  y = 2 -> pre y * pre x + 1;
  ok = not (x * x * x = y * y + 7);
  --%PROPERTY ok;
tel
"""

HARD_C = """extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned long long a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  unsigned steps = __VERIFIER_nondet_uint();
  while (steps) { steps--; if (a > 1 && b > 1 && a * b == %dULL) reach_error(); }
  return 0;
}
""" % PRIME

EASY_C_SAFE = """extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned n = 0, m = __VERIFIER_nondet_uint() % 8;
  while (n < m) n++;
  if (n > 8) reach_error();
  return 0;
}
"""

EASY_C_UNSAFE = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 4711) reach_error();
  return 0;
}
"""

EASY = {"safe.aag": SAFE, "unsafe.aag": UNSAFE, "mixed.aag": MIXED,
        "safe.c": EASY_C_SAFE, "unsafe.c": EASY_C_UNSAFE}
HARDEST = {"hard.aag": HARD, "hard.btor2": HARD_BTOR2, "hard.vmt": HARD_VMT, "hard.smt2": HARD_CHC,
           "hard.lus": HARD_LUSTRE, "hard.c": HARD_C}
