#include "smt/z3_terms.h"
#include "term/postorder.h"

#include <unordered_map>

namespace lem::smt {

z3::sort Z3Terms::to_z3(Sort sort) {
  switch (terms_.kind(sort)) {
    case SortKind::Bool:
      return ctx_.bool_sort();
    case SortKind::BitVec:
      return ctx_.bv_sort(terms_.width(sort));
    case SortKind::Int:
      return ctx_.int_sort();
    case SortKind::Real:
      return ctx_.real_sort();
    case SortKind::Float:
      return ctx_.fpa_sort(terms_.format(sort).exponent, terms_.format(sort).significand);
    case SortKind::Array:
      return ctx_.array_sort(to_z3(terms_.index_sort(sort)), to_z3(terms_.element_sort(sort)));
  }
  return ctx_.bool_sort();
}

z3::expr Z3Terms::to_z3(Term root) {
  if (made_.size() < terms_.size()) made_.resize(terms_.size());
  postorder(
      terms_, root, [&](Term term) { return made_[term.id()].has_value(); },
      [&](Term term) { made_[term.id()] = apply(term); });
  return *made_[root.id()];
}

namespace {

/// The Z3 operator with the same name and arguments, for those that need nothing else.
using Binary = Z3_ast (*)(Z3_context, Z3_ast, Z3_ast);

Binary binary_of(Op op) {
  switch (op) {
    case Op::BvAnd:
      return Z3_mk_bvand;
    case Op::BvOr:
      return Z3_mk_bvor;
    case Op::BvXor:
      return Z3_mk_bvxor;
    case Op::BvAdd:
      return Z3_mk_bvadd;
    case Op::BvMul:
      return Z3_mk_bvmul;
    case Op::BvUdiv:
      return Z3_mk_bvudiv;
    case Op::BvUrem:
      return Z3_mk_bvurem;
    case Op::BvSdiv:
      return Z3_mk_bvsdiv;
    case Op::BvSrem:
      return Z3_mk_bvsrem;
    case Op::BvSmod:
      return Z3_mk_bvsmod;
    case Op::BvShl:
      return Z3_mk_bvshl;
    case Op::BvLshr:
      return Z3_mk_bvlshr;
    case Op::BvAshr:
      return Z3_mk_bvashr;
    case Op::BvUlt:
      return Z3_mk_bvult;
    case Op::BvSlt:
      return Z3_mk_bvslt;
    case Op::BvConcat:
      return Z3_mk_concat;
    case Op::Le:
      return Z3_mk_le;
    case Op::Lt:
      return Z3_mk_lt;
    case Op::IntDiv:
      return Z3_mk_div;
    case Op::IntMod:
      return Z3_mk_mod;
    case Op::Select:
      return Z3_mk_select;
    case Op::Eq:
      return Z3_mk_eq;
    default:
      return nullptr;
  }
}

}  // namespace

z3::expr Z3Terms::apply(Term term) {
  std::vector<Z3_ast> args;
  for (Term arg : terms_.args(term)) args.push_back(*made_[arg.id()]);
  auto count = static_cast<unsigned>(args.size());
  auto made = [&](Z3_ast ast) {
    ctx_.check_error();
    return z3::expr(ctx_, ast);
  };
  if (Binary make = binary_of(terms_.op(term))) return made(make(ctx_, args[0], args[1]));
  switch (terms_.op(term)) {
    case Op::Variable:
      return made(Z3_mk_const(ctx_, Z3_mk_int_symbol(ctx_, static_cast<int>(term.id())),
                              to_z3(terms_.sort(term))));
    case Op::BoolValue:
      return ctx_.bool_val(terms_.is_true(term));
    case Op::BvValue:
      return ctx_.bv_val(terms_.integer_value(term).get_str().c_str(), terms_.width(term));
    case Op::IntValue:
      return ctx_.int_val(terms_.integer_value(term).get_str().c_str());
    case Op::RealValue:
      return ctx_.real_val(terms_.real_value(term).get_str().c_str());
    case Op::Ite:
      return made(Z3_mk_ite(ctx_, args[0], args[1], args[2]));
    case Op::Not:
      return made(Z3_mk_not(ctx_, args[0]));
    case Op::And:
      return made(Z3_mk_and(ctx_, count, args.data()));
    case Op::Or:
      return made(Z3_mk_or(ctx_, count, args.data()));
    case Op::BvNot:
      return made(Z3_mk_bvnot(ctx_, args[0]));
    case Op::BvNeg:
      return made(Z3_mk_bvneg(ctx_, args[0]));
    case Op::BvExtract:
      return made(Z3_mk_extract(ctx_, terms_.param(term, 0), terms_.param(term, 1), args[0]));
    case Op::BvZeroExtend:
      return made(Z3_mk_zero_ext(ctx_, terms_.param(term, 0), args[0]));
    case Op::BvSignExtend:
      return made(Z3_mk_sign_ext(ctx_, terms_.param(term, 0), args[0]));
    case Op::Add:
      return made(Z3_mk_add(ctx_, count, args.data()));
    case Op::Mul:
      return made(Z3_mk_mul(ctx_, count, args.data()));
    case Op::ToReal:
      return made(Z3_mk_int2real(ctx_, args[0]));
    case Op::ToInt:
      return made(Z3_mk_real2int(ctx_, args[0]));
    case Op::Store:
      return made(Z3_mk_store(ctx_, args[0], args[1], args[2]));
    case Op::ConstArray:
      return made(Z3_mk_const_array(ctx_, to_z3(terms_.index_sort(terms_.sort(term))), args[0]));
    default:
      return made(apply_float(term, args));
  }
}

// Back --------------------------------------------------------------------------------------------

std::optional<Sort> Z3Terms::from_z3(const z3::sort& sort) {
  switch (sort.sort_kind()) {
    case Z3_BOOL_SORT:
      return terms_.bool_sort();
    case Z3_INT_SORT:
      return terms_.int_sort();
    case Z3_REAL_SORT:
      return terms_.real_sort();
    case Z3_BV_SORT:
      return terms_.bv_sort(sort.bv_size());
    case Z3_FLOATING_POINT_SORT: {
      FloatFormat format{Z3_fpa_get_ebits(ctx_, sort), Z3_fpa_get_sbits(ctx_, sort)};
      if (!format.is_supported()) return {};
      return terms_.float_sort(format);
    }
    case Z3_ARRAY_SORT: {
      auto index = from_z3(sort.array_domain());
      auto element = from_z3(sort.array_range());
      if (!index || !element) return {};
      return terms_.array_sort(*index, *element);
    }
    default:
      return {};
  }
}

std::optional<Term> Z3Terms::from_z3(const z3::expr& root) {
  return from_z3(root, {});
}

std::optional<Term> Z3Terms::from_z3(const z3::expr& root, const std::vector<Term>& bound) {
  std::unordered_map<unsigned, Term> done;  // by Z3's ast id
  std::vector<z3::expr> stack{root};
  std::vector<Term> args;
  while (!stack.empty()) {
    z3::expr top = stack.back();
    if (done.contains(top.id())) {
      stack.pop_back();
      continue;
    }
    if (top.is_quantifier()) return {};
    if (top.is_var() || top.is_numeral() || top.num_args() == 0) {
      auto value = leaf(top, bound);
      if (!value) return {};
      done[top.id()] = *value;
      stack.pop_back();
      continue;
    }
    std::size_t before = stack.size();
    args.clear();
    for (unsigned i = 0; i < top.num_args(); ++i) {
      if (is_rounding(top.arg(i))) continue;  // no term: the application looks at it
      auto at = done.find(top.arg(i).id());
      if (at == done.end())
        stack.push_back(top.arg(i));
      else
        args.push_back(at->second);
    }
    if (stack.size() != before) continue;
    stack.pop_back();
    auto value = application(top, args);
    if (!value) return {};
    done[top.id()] = *value;
  }
  return done.at(root.id());
}

std::optional<Term> Z3Terms::leaf(const z3::expr& e, const std::vector<Term>& bound) {
  if (e.is_var()) {
    unsigned index = Z3_get_index_value(ctx_, e);
    if (index < bound.size()) return bound[index];
    return {};
  }
  if (e.is_true()) return terms_.boolean(true);
  if (e.is_false()) return terms_.boolean(false);
  if (e.is_fpa() && e.is_app() && e.decl().decl_kind() != Z3_OP_UNINTERPRETED)
    return float_value(e);
  if (e.is_numeral()) {
    std::string text = Z3_get_numeral_string(ctx_, e);
    if (e.is_bv()) return terms_.bv(mpz_class(text), e.get_sort().bv_size());
    if (e.is_int()) return terms_.integer(mpz_class(text));
    return terms_.real(mpq_class(text));
  }
  if (!e.is_app() || e.decl().decl_kind() != Z3_OP_UNINTERPRETED) return {};
  z3::symbol name = e.decl().name();
  if (name.kind() != Z3_INT_SYMBOL) return {};
  auto id = static_cast<std::size_t>(name.to_int());
  if (id == 0 || id >= made_.size() || !made_[id]) return {};
  // Variables of ours were all translated once; their handle is found by the id.
  return terms_.term_of_id(static_cast<std::uint32_t>(id));
}

std::optional<Term> Z3Terms::application(const z3::expr& e, const std::vector<Term>& args) {
  Z3_decl_kind kind = e.decl().decl_kind();
  switch (kind) {
    case Z3_OP_EQ:
    case Z3_OP_IFF:
      return terms_.make_eq(args[0], args[1]);
    case Z3_OP_DISTINCT:
      return terms_.make_distinct(args);
    case Z3_OP_ITE:
      return terms_.make_ite(args[0], args[1], args[2]);
    case Z3_OP_NOT:
      return terms_.make_not(args[0]);
    case Z3_OP_AND:
      return terms_.make_and(args);
    case Z3_OP_OR:
      return terms_.make_or(args);
    case Z3_OP_XOR:
      return terms_.make_xor(args[0], args[1]);
    case Z3_OP_IMPLIES:
      return terms_.make_implies(args[0], args[1]);
    case Z3_OP_SELECT:
      return terms_.make_select(args[0], args[1]);
    case Z3_OP_STORE:
      return terms_.make_store(args[0], args[1], args[2]);
    case Z3_OP_CONST_ARRAY: {
      auto sort = from_z3(e.get_sort());
      if (!sort) return {};
      return terms_.make_const_array(*sort, args[0]);
    }
    default:
      break;
  }
  if (kind >= Z3_OP_FPA_RM_NEAREST_TIES_TO_EVEN && kind <= Z3_OP_FPA_BV2RM)
    return float_application(e, args);
  if (auto made = arith_application(kind, args)) return made;
  return bv_application(e, args);
}

std::optional<Term> Z3Terms::arith_application(Z3_decl_kind kind, const std::vector<Term>& args) {
  switch (kind) {
    case Z3_OP_LE:
      return terms_.make_le(args[0], args[1]);
    case Z3_OP_GE:
      return terms_.make_ge(args[0], args[1]);
    case Z3_OP_LT:
      return terms_.make_lt(args[0], args[1]);
    case Z3_OP_GT:
      return terms_.make_gt(args[0], args[1]);
    case Z3_OP_ADD:
      return terms_.make(Op::Add, args);
    case Z3_OP_SUB: {
      Term sum = args[0];
      for (std::size_t i = 1; i < args.size(); ++i) sum = terms_.make_sub(sum, args[i]);
      return sum;
    }
    case Z3_OP_UMINUS:
      return terms_.make_neg(args[0]);
    case Z3_OP_MUL:
      return terms_.make(Op::Mul, args);
    case Z3_OP_DIV: {
      if (!terms_.is_value(args[1]) || terms_.number_value(args[1]) == 0) return {};
      mpq_class factor = 1 / terms_.number_value(args[1]);
      return terms_.make_mul(terms_.real(factor), args[0]);
    }
    case Z3_OP_IDIV:
    case Z3_OP_MOD:
      if (!terms_.is_value(args[1]) || terms_.integer_value(args[1]) == 0) return {};
      return terms_.make(kind == Z3_OP_IDIV ? Op::IntDiv : Op::IntMod, {args[0], args[1]});
    case Z3_OP_TO_REAL:
      return terms_.make_to_real(args[0]);
    case Z3_OP_TO_INT:
      return terms_.make(Op::ToInt, {args[0]});
    case Z3_OP_IS_INT:
      return terms_.make_eq(args[0], terms_.make_to_real(terms_.make(Op::ToInt, {args[0]})));
    default:
      return {};
  }
}

std::optional<Term> Z3Terms::bv_application(const z3::expr& e, const std::vector<Term>& args) {
  auto chain = [&](Op op) {
    Term made = args[0];
    for (std::size_t i = 1; i < args.size(); ++i) made = terms_.make(op, {made, args[i]});
    return made;
  };
  auto parameter = [&](unsigned i) {
    return static_cast<std::uint32_t>(Z3_get_decl_int_parameter(ctx_, e.decl(), i));
  };
  switch (e.decl().decl_kind()) {
    case Z3_OP_BNOT:
      return terms_.make(Op::BvNot, {args[0]});
    case Z3_OP_BNEG:
      return terms_.make(Op::BvNeg, {args[0]});
    case Z3_OP_BAND:
      return chain(Op::BvAnd);
    case Z3_OP_BOR:
      return chain(Op::BvOr);
    case Z3_OP_BXOR:
      return chain(Op::BvXor);
    case Z3_OP_BADD:
      return chain(Op::BvAdd);
    case Z3_OP_BSUB:
      return terms_.make_bv_sub(args[0], args[1]);
    case Z3_OP_BMUL:
      return chain(Op::BvMul);
    case Z3_OP_BUDIV:
    case Z3_OP_BUDIV_I:
      return terms_.make(Op::BvUdiv, {args[0], args[1]});
    case Z3_OP_BUREM:
    case Z3_OP_BUREM_I:
      return terms_.make(Op::BvUrem, {args[0], args[1]});
    case Z3_OP_BSDIV:
    case Z3_OP_BSDIV_I:
      return terms_.make(Op::BvSdiv, {args[0], args[1]});
    case Z3_OP_BSREM:
    case Z3_OP_BSREM_I:
      return terms_.make(Op::BvSrem, {args[0], args[1]});
    case Z3_OP_BSMOD:
    case Z3_OP_BSMOD_I:
      return terms_.make(Op::BvSmod, {args[0], args[1]});
    case Z3_OP_BSHL:
      return terms_.make(Op::BvShl, {args[0], args[1]});
    case Z3_OP_BLSHR:
      return terms_.make(Op::BvLshr, {args[0], args[1]});
    case Z3_OP_BASHR:
      return terms_.make(Op::BvAshr, {args[0], args[1]});
    case Z3_OP_ULT:
      return terms_.make(Op::BvUlt, {args[0], args[1]});
    case Z3_OP_UGT:
      return terms_.make(Op::BvUlt, {args[1], args[0]});
    case Z3_OP_ULEQ:
      return terms_.make_bv_ule(args[0], args[1]);
    case Z3_OP_UGEQ:
      return terms_.make_bv_ule(args[1], args[0]);
    case Z3_OP_SLT:
      return terms_.make(Op::BvSlt, {args[0], args[1]});
    case Z3_OP_SGT:
      return terms_.make(Op::BvSlt, {args[1], args[0]});
    case Z3_OP_SLEQ:
      return terms_.make_bv_sle(args[0], args[1]);
    case Z3_OP_SGEQ:
      return terms_.make_bv_sle(args[1], args[0]);
    case Z3_OP_CONCAT:
      return chain(Op::BvConcat);
    case Z3_OP_EXTRACT:
      return terms_.make_extract(args[0], parameter(0), parameter(1));
    case Z3_OP_ZERO_EXT:
      return terms_.make(Op::BvZeroExtend, {args[0]}, parameter(0));
    case Z3_OP_SIGN_EXT:
      return terms_.make(Op::BvSignExtend, {args[0]}, parameter(0));
    default:
      return {};
  }
}

}  // namespace lem::smt
