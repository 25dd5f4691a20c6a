; McCarthy's function as nonlinear Horn clauses: mc calls itself twice. mc(n) = 91 for all n <= 101.
(set-logic HORN)
(declare-fun mc (Int Int) Bool)
(assert (forall ((n Int)) (=> (> n 100) (mc n (- n 10)))))
(assert (forall ((n Int) (inner Int) (result Int))
  (=> (and (<= n 100) (mc (+ n 11) inner) (mc inner result)) (mc n result))))
(assert (forall ((n Int) (result Int))
  (=> (and (mc n result) (<= n 101)) (= result 91))))
(check-sat)
