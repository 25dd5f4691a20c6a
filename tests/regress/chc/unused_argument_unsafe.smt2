; The second argument of p is dropped, and found again for the derivation: it takes part in nothing
; but must be the same where the clauses say so.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(declare-fun top (Int Int) Bool)
(assert (forall ((a Int)) (p 0 a)))
(assert (forall ((x Int) (y Int) (a Int) (b Int))
  (=> (and (p x a) (p y b) (< x 3) (< y 3)) (p (+ x y 1) (+ (* 2 a) 1)))))
(assert (forall ((x Int) (a Int) (y Int) (b Int)) (=> (and (p x a) (p y b) (= x y)) (top x b))))
(assert (forall ((x Int) (a Int)) (=> (and (top x a) (= x 3)) false)))
(check-sat)
