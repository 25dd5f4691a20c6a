; An 8-bit sum of inputs between 1 and 100 wraps around:
;   s = 0; while (*) { d = input; assume(1 <= d <= 100); old = s; s += d; if (s < old) error(); }
; Shows bit-vectors, a predicate without arguments for the error, and a non-recursive predicate
; (the bounds of the input) that is inlined.
(set-logic HORN)
(declare-fun small ((_ BitVec 8)) Bool)
(declare-fun loop ((_ BitVec 8)) Bool)
(declare-fun error () Bool)
(assert (forall ((d (_ BitVec 8))) (=> (and (bvule #x01 d) (bvule d #x64)) (small d))))
(assert (loop #x00))
(assert (forall ((s (_ BitVec 8)) (d (_ BitVec 8)))
  (=> (and (loop s) (small d)) (loop (bvadd s d)))))
(assert (forall ((s (_ BitVec 8)) (d (_ BitVec 8)))
  (=> (and (loop s) (small d) (bvult (bvadd s d) s)) error)))
(assert (=> error false))
(check-sat)
