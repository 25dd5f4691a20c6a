; A program with two loops, one predicate for each:
;   x = 0; y = 0; while (*) { x++; y += 2; } while (x > 0) { x--; y--; } assert(y >= x);
; Shows several predicates (a location is added), a choice between clauses, and a query.
(set-logic HORN)
(declare-fun up (Int Int) Bool)
(declare-fun down (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (up x y))))
(assert (forall ((x Int) (y Int)) (=> (up x y) (up (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (up x y) (down x y))))
(assert (forall ((x Int) (y Int)) (=> (and (down x y) (> x 0)) (down (- x 1) (- y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (down x y) (<= x 0) (not (>= y x))) false)))
(check-sat)
