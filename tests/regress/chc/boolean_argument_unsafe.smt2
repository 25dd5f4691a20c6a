; A Boolean argument as a plain literal; the flag rises after the third step.
(set-logic HORN)
(declare-fun |the state| (Int Bool) Bool)
(assert (forall ((n Int) (b Bool)) (=> (and (= n 0) (not b)) (|the state| n b))))
(assert (forall ((n Int) (m Int) (b Bool) (c Bool))
  (=> (and (|the state| n b) (= m (+ n 1)) (= c (>= m 3))) (|the state| m c))))
(assert (forall ((n Int) (b Bool)) (=> (and (|the state| n b) b) false)))
(check-sat)
