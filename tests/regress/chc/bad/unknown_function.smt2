(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (frob x) (p x))))
