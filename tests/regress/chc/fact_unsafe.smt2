; A query that needs no predicate at all.
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (p x))))
(assert (forall ((x Int)) (=> (and (> x 3) (< x 5)) false)))
(check-sat)
