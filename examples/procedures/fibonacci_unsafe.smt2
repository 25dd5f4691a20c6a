; Fibonacci numbers as nonlinear Horn clauses. The claim that none is greater than its index by 7 or
; more fails first at fib(8) = 21.
(set-logic HORN)
(declare-fun fib (Int Int) Bool)
(assert (fib 0 0))
(assert (fib 1 1))
(assert (forall ((n Int) (a Int) (b Int))
  (=> (and (>= n 2) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))))
(assert (forall ((n Int) (f Int)) (=> (fib n f) (< f (+ n 7)))))
(check-sat)
