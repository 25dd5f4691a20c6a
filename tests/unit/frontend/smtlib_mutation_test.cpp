// Damaged VMT and CHC text is refused or read, never a crash: user input meets no assertion.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "frontend/chc/chc.h"
#include "frontend/vmt/vmt.h"

namespace lem::frontend {
namespace {

const std::string kVmt =
    "(declare-fun x () Int) (declare-fun |x'| () Int) (declare-fun b () (_ BitVec 8))"
    "(declare-fun b.n () (_ BitVec 8)) (declare-fun m () (Array Int Real)) (declare-fun i () Bool)"
    "(define-fun s1 () Int (! x :next |x'|)) (define-fun s2 () (_ BitVec 8) (! b :next b.n))"
    "(define-fun s3 () (Array Int Real) (! m :next m.n))"
    "(define-fun f ((p Int) (q Real)) Bool (and (< p (div x 3)) (<= q (/ 1 2))))"
    "(define-fun in () Bool (! (and (= x 0) (= b #x0a) (f x (select m (- 1)))) :init true))"
    "(define-fun tr () Bool (! (let ((y (+ x 1)) (c (bvadd b (_ bv3 8))))"
    " (and (= |x'| (ite i y (* 2 x))) (= b.n (concat ((_ extract 3 0) c) #b0101))"
    " (= m.n (store ((as const (Array Int Real)) 0.5) x 1.0)))) :trans true))"
    "(define-fun pr () Bool (! (=> (distinct x 7 9) (bvult b #xf0)) :invar-property 0))";

const std::string kChc =
    "(set-logic HORN) (declare-fun p (Int Bool) Bool) (declare-fun q (Int) Bool)"
    "(declare-fun e () Bool) (assert (forall ((x Int)) (=> (= x 0) (p x true))))"
    "(assert (forall ((x Int) (y Int) (b Bool)) (=> (and (p x b) (= y (+ x 1)) (q y))"
    " (p y (not b))))) (assert (forall ((z Int)) (=> (and (< z 9) (not (= z 5))) (q z))))"
    "(assert (forall ((x Int) (b Bool)) (let ((g (> (mod x 4) 3))) (=> (and (p x b) g) e))))"
    "(assert (=> e false)) (check-sat)";

std::string mutated(const std::string& text, std::mt19937& random) {
  static const std::string kBytes = "()|;\" 019abpqxy=<+-*/!:#._\n";
  std::string result = text;
  auto pick = [&](std::size_t below) { return random() % below; };
  for (std::size_t n = 1 + pick(4); n-- > 0;) {
    std::size_t at = pick(result.size());
    switch (pick(4)) {
      case 0:
        result[at] = kBytes[pick(kBytes.size())];
        break;
      case 1:
        result.insert(at, 1, kBytes[pick(kBytes.size())]);
        break;
      case 2:
        result.erase(at, 1 + pick(12));
        break;
      default:
        result.insert(at, result.substr(pick(result.size()), 1 + pick(40)));
    }
    if (result.empty()) result = " ";
  }
  return result;
}

template <class Read>
void damage(const std::string& text, Read read) {
  ASSERT_TRUE(read("m", text).ok()) << read("m", text).error().text();
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    std::string damaged = mutated(text, random);
    auto problem = read("m", damaged);
    EXPECT_TRUE(problem.ok() || !problem.error().message.empty()) << damaged;
  }
  for (std::size_t length = 0; length < text.size(); ++length) {
    std::string cut = text.substr(0, length);
    bool whole = std::ranges::count(cut, '(') == std::ranges::count(cut, ')');
    EXPECT_FALSE(read("m", cut).ok() && !whole) << length;
  }
}

TEST(SmtLibMutation, DamagedVmtIsNoCrash) {
  damage(kVmt,
         [](const std::string& path, std::string_view text) { return vmt::read_vmt(path, text); });
}

TEST(SmtLibMutation, DamagedChcIsNoCrash) {
  damage(kChc, chc::read_chc);
}

}  // namespace
}  // namespace lem::frontend
