// Each part of the translation by itself.
#include "frontend/c/dead_cells.h"
#include "unit/frontend/c/parts_support.h"

namespace lem::c {
namespace {

/// An array, a global, and what the parts do with pointers into them.
constexpr const char* kArray = R"(
@g = global i32 7
@a = global [20 x i32] zeroinitializer
define i32 @main() {
  %n = call i32 @__VERIFIER_nondet_int()
  %p = getelementptr [20 x i32], [20 x i32]* @a, i32 0, i32 %n
  %q = getelementptr i32, i32* %p, i32 3
  %v = load i32, i32* %q
  store i32 %v, i32* @g
  %x = load i32, i32* @g
  %pi = ptrtoint i32* %q to i32
  %qi = ptrtoint i32* %p to i32
  %d = sub i32 %pi, %qi
  %e = icmp eq i32* %p, %q
  ret i32 %x
}
declare i32 @__VERIFIER_nondet_int()
)";

TEST(Chains, JoinsBlocksAndFindsLastUses) {
  Parts p(R"(define i32 @main(i32 %c) {
    %a = add i32 %c, 2
    %unused = add i32 %c, 3
    br label %next
  next:
    %b = add i32 %a, 1
    %test = icmp eq i32 %a, %c
    br i1 %test, label %yes, label %no
  yes:
    ret i32 %b
  no:
    ret i32 0
  })");
  const Chains& chains = p.w->chains;
  EXPECT_EQ(chains.heads().size(), 3U);
  EXPECT_EQ(chains.blocks().size(), 4U);
  EXPECT_EQ(chains.last_use(p.at("a")), chains.order(p.at("test")));
  EXPECT_EQ(chains.last_use(p.at("b")), Chains::kBeyond);
  EXPECT_EQ(chains.last_use(p.at("unused")), 0U);
}

TEST(Automaton, MakesNamesUniqueAndCollectsCommands) {
  Parts p("define i32 @main() {\n ret i32 0\n }");
  Automaton& automaton = p.w->automaton;
  CVariable x;
  x.name = "x";
  x.function = "main";
  Term first = automaton.declare(x, p.t->int_sort(), {});
  Term second = automaton.declare(x, p.t->int_sort(), {});
  Term third = automaton.internal(p.t->int_sort());
  EXPECT_EQ(p.t->name(first), "main::x");
  EXPECT_EQ(p.t->name(second), "main::x@2");
  EXPECT_EQ(p.t->name(third), "$1");
  automaton.emit(Command::assign(first, p.t->integer(1)), p.at(0U));
  automaton.emit(Command::assign(second, first), p.at(0U));
  CProgram program = p.finish();
  ASSERT_EQ(program.cfa.edges().size(), 1U);  // of one line
  EXPECT_EQ(program.cfa.edges()[0].command.parts().size(), 2U);
  EXPECT_EQ(program.variables.size(), 3U);
  EXPECT_EQ(program.marks.variables.size(), 3U);
}

TEST(Encoding, NumbersObjectsAboveNull) {
  Parts p(kArray);
  const Encoding& encoding = p.w->encoding;
  EXPECT_TRUE(p.t->is_true(encoding.is_null(encoding.null())));
  ObjectId a = p.object(*p.module->getNamedGlobal("a"));
  EXPECT_TRUE(p.t->is_false(encoding.is_null({encoding.object(a), encoding.index_of(0)})));
  Targets one = p.w->points_to(p.at("p"));
  EXPECT_EQ(encoding.only(one), a);
  EXPECT_TRUE(encoding.indexed(one));
  EXPECT_TRUE(p.t->is_true(encoding.is_into(one, a, encoding.null()))) << "it has no other target";
  one.null = true;
  EXPECT_TRUE(p.t->is_false(encoding.is_into(one, a, encoding.null())));
  EXPECT_EQ(rest_of({-1, 4}, 4), 3);
}

TEST(Values, SavesWhatAWriteWouldChange) {
  Parts p(kArray);
  Values& values = p.w->values;
  Term variable = p.w->automaton.internal(p.t->bv_sort(32));
  values.define(p.at("v"), variable);  // which the store behind it uses
  values.keep_before_write(variable, p.at("n"));
  EXPECT_NE(values.of(p.at("v")), variable);
  Term other = p.w->automaton.internal(p.t->bv_sort(32));
  std::vector<Command> swap = values.at_once({{variable, other}, {other, variable}});
  ASSERT_EQ(swap.size(), 3U);
  EXPECT_EQ(swap[0].value(), variable);
  EXPECT_EQ(swap[2].value(), swap[0].variable());
}

TEST(Operands, AddToTheIndexOfAPointer) {
  Parts p(kArray);
  Term n = p.w->automaton.internal(p.t->bv_sort(32));
  p.w->values.set(p.at("n"), n);
  Result<Pointer> q = p.operands->pointer(p.at("q"), p.at("v"));
  ASSERT_TRUE(q) << q.error().text();
  EXPECT_EQ(q->index, p.w->encoding.add(n, p.bits(3)));
  EXPECT_EQ(q->object, p.w->encoding.object(p.object(*p.module->getNamedGlobal("a"))));
  Result<Term> pointer = p.operands->value(p.at("p"), p.at("q"));
  ASSERT_FALSE(pointer);
  EXPECT_NE(pointer.error().message.find("pointer as a value"), std::string::npos);
}

TEST(Addresses, OfOneObjectDifferByTheirOffset) {
  Parts p(kArray);
  Pointer start{p.w->encoding.object(p.object(*p.module->getNamedGlobal("a"))), p.bits(0)};
  Pointer third{start.object, p.bits(3)};
  Addresses addresses(*p.w);
  const llvm::Type& type = *p.at("n").getType();
  Term a = addresses.number(p.at("p"), start, type, p.at("pi"));
  Term b = addresses.number(p.at("p"), third, type, p.at("pi"));
  EXPECT_EQ(b, p.w->encoding.add(a, p.bits(12)));
  EXPECT_TRUE(is_difference(*llvm::cast<llvm::User>(&p.at("d"))));
}

TEST(Objects, EndWithTheirSize) {
  Parts p(kArray);
  ObjectId a = p.object(*p.module->getNamedGlobal("a"));
  auto inside = [&](long index) {
    Pointer at{p.w->encoding.object(a), p.bits(index)};
    return p.objects->is_inside(a, {0, 4}, 4, at);
  };
  EXPECT_TRUE(p.t->is_true(inside(0)));
  EXPECT_TRUE(p.t->is_true(inside(19)));
  EXPECT_TRUE(p.t->is_false(inside(20)));
  EXPECT_TRUE(p.t->is_true(p.objects->is_start(a, {0, 4}, {p.w->encoding.object(a), p.bits(0)})));
}

TEST(Places, ReadWhatTheyWrote) {
  Parts p(kArray);
  const Access& access = p.w->cells.of(p.at("v"));
  ASSERT_EQ(access.places.size(), 1U);
  Places places(*p.w);
  const Cell& cell = p.w->cells[access.places[0].cells[0]];
  ASSERT_TRUE(cell.indexed);
  Term variable = p.w->automaton.internal(p.w->encoding.sort(cell, 0));
  Spot spot = places.spot(cell, access.places[0], {p.w->encoding.object(cell.object), p.bits(5)});
  Term written = places.set(variable, spot, p.bits(42));
  EXPECT_EQ(places.get(written, spot), p.bits(42));
  Updates updates(places, *p.t);
  updates.update(variable, spot, p.t->boolean(true), [&](Term) { return p.bits(42); });
  updates.update(variable, spot, p.t->boolean(false), [&](Term) { return p.bits(1); });
  ASSERT_EQ(updates.all().size(), 1U);
  EXPECT_EQ(updates.all()[0].value, written);
  EXPECT_EQ(with_bits(*p.t, p.bits(0x1234, 16), p.bits(0xFF, 8), 8), p.bits(0xFF34, 16));
}

TEST(InitialValues, AreThoseOfTheGlobal) {
  Parts p(kArray);
  const llvm::GlobalVariable& g = *p.module->getNamedGlobal("g");
  InitialValues values(*p.w, *p.operands);
  Result<Term> seven = values.of(p.w->cells[p.w->cells.in(p.object(g))[0]], 0, g);
  ASSERT_TRUE(seven);
  EXPECT_EQ(*seven, p.bits(7));
  const llvm::GlobalVariable& a = *p.module->getNamedGlobal("a");
  const Cell& cell = p.w->cells[p.w->cells.in(p.object(a))[0]];
  Result<Term> zeros = values.of(cell, 0, a);
  ASSERT_TRUE(zeros);
  EXPECT_EQ(*zeros, p.t->default_value(p.w->encoding.sort(cell, 0)));
}

TEST(Memory, LoadsTheVariableThatItStores) {
  Parts p(kArray);
  ASSERT_TRUE(p.memory->start());
  Result<Term> x = p.memory->load(p.get<llvm::LoadInst>("x"));
  ASSERT_TRUE(x);
  EXPECT_EQ(p.t->name(*x), "g");
  auto& store = *llvm::cast<llvm::StoreInst>(p.at("v").getNextNode());
  EXPECT_EQ(p.memory->sole_target(store, CSign::Signed), *x);
  p.w->values.set(p.at("v"), p.bits(9));
  ASSERT_TRUE(p.memory->store(store));
  CProgram program = p.finish();
  Command last = program.cfa.edges()[0].command.parts().back();
  EXPECT_EQ(last.variable(), *x);
  EXPECT_EQ(last.value(), p.bits(9));
}

constexpr const char* kHeap = R"(
define i32 @main() {
  %m = call i8* @malloc(i32 4)
  %p = bitcast i8* %m to i32*
  %early = load i32, i32* %p
  store i32 1, i32* %p
  %late = load i32, i32* %p
  call void @free(i8* %m)
  ret i32 %late
}
declare i8* @malloc(i32)
declare void @free(i8*)
)";

TEST(DeadCells, AreWrittenBeforeTheyAreRead) {
  Parts p(kHeap);
  CellId cell = p.w->cells.in(p.object(p.at("m")))[0];
  EXPECT_FALSE(overwritten_unread(*p.w, cell, p.at("m"), Copies::Keep));
  EXPECT_TRUE(overwritten_unread(*p.w, cell, p.at("early"), Copies::Keep));
}

TEST(Initialised, KeepsCellsThatMayBeReadFirst) {
  Parts p(kHeap, checking({CRule::Uninitialised}));
  Places places(*p.w);
  Initialised cells(*p.w, places, *p.failures);
  cells.find();
  EXPECT_FALSE(cells.empty());
  Parts unchecked(kHeap);
  Initialised none(*unchecked.w, places, *unchecked.failures);
  none.find();
  EXPECT_TRUE(none.empty());
}

TEST(Objects, LiveUntilTheyAreFreed) {
  Parts p(kHeap, checking({CRule::DoubleFree, CRule::Leak}));
  p.objects->start_lives();
  auto& made = p.get<llvm::CallInst>("m");
  Result<Pointer> pointer = p.objects->make(made, p.object(made), Objects::Size::IfChecked);
  ASSERT_TRUE(pointer);
  p.w->values.set(made, *pointer);
  auto& freed = *llvm::cast<llvm::CallInst>(p.at("late").getNextNode());
  ASSERT_TRUE(p.objects->release(freed));
  p.objects->check_leaks(p.at(6U));
  CProgram program = p.finish();
  // One edge to a failure of free, one to that of the end; the run goes on beside each.
  auto to_error = [&](const CfaEdge& edge) { return edge.to == program.cfa.error(); };
  EXPECT_EQ(std::count_if(program.cfa.edges().begin(), program.cfa.edges().end(), to_error), 2);
}

TEST(PointerOperations, SubtractAndCompareWithinAnObject) {
  Parts p(kArray);
  p.w->values.set(p.at("n"), p.bits(2));
  auto& minus = p.get<llvm::BinaryOperator>("d");
  std::optional<Result<Term>> apart = p.pointers->difference(minus);
  ASSERT_TRUE(apart && *apart);
  EXPECT_EQ(**apart, p.bits(12));
  Result<Term> equal = p.pointers->compare(p.get<llvm::ICmpInst>("e"));
  ASSERT_TRUE(equal);
  EXPECT_TRUE(p.t->is_false(*equal));
}

TEST(IntegerOperations, FoldConstantsAndLeaveWideShiftsOpen) {
  Parts p(R"(define i32 @main(i32 %by) {
    %sum = add i32 40, 2
    %bits = call i32 @llvm.ctpop.i32(i32 7)
    %less = icmp ult i32 1, -1
    %wide = sext i8 -1 to i32
    %open = shl i32 1, %by
    ret i32 0
  }
  declare i32 @llvm.ctpop.i32(i32))");
  EXPECT_EQ(*p.integers->binary(p.get<llvm::BinaryOperator>("sum")), p.bits(42));
  EXPECT_EQ(*p.integers->call(p.get<llvm::CallInst>("bits")), p.bits(3));
  EXPECT_TRUE(p.t->is_true(*p.integers->compare(p.get<llvm::ICmpInst>("less"))));
  EXPECT_EQ(*p.integers->cast(p.get<llvm::CastInst>("wide")), p.bits(-1));
  Result<Term> open = p.integers->binary(p.get<llvm::BinaryOperator>("open"));
  ASSERT_TRUE(open);
  EXPECT_EQ(p.t->op(*open), Op::Ite);
}

TEST(FloatOperations, FollowTheStandardAndRefuseFastMath) {
  Parts p(R"(define i32 @main() {
    %sum = fadd double 1.0, 2.0
    %root = call double @sqrt(double 9.0)
    ret i32 0
  }
  declare double @sqrt(double))");
  ASSERT_TRUE(p.floats->start());
  Term three = p.w->encoding.floats.constant(llvm::APFloat(3.0));
  EXPECT_EQ(*p.floats->compute(p.at("sum")), three);
  EXPECT_EQ(*p.floats->call(p.get<llvm::CallInst>("root"), FloatFunction::SquareRoot), three);
  Parts fast("define i32 @main() {\n %x = fadd fast double 1.0, 2.0\n ret i32 0\n }");
  EXPECT_FALSE(fast.floats->start());
}

TEST(Calls, EndTheRunReadInputsAndRefuseTheUnknown) {
  Parts p(R"(define i32 @main() {
    %n = call i32 @__VERIFIER_nondet_int()
    call void @unheard_of()
    call void @exit(i32 0)
    ret i32 0
  }
  declare i32 @__VERIFIER_nondet_int()
  declare void @unheard_of()
  declare void @exit(i32))");
  auto call = [&](std::size_t i) {
    return p.calls->translate(*llvm::cast<llvm::CallBase>(&p.at(i)));
  };
  EXPECT_EQ(*call(0), Flow::On);
  Result<Flow> refused = call(1);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("unheard_of"), std::string::npos);
  EXPECT_EQ(*call(2), Flow::Ended);
  CProgram program = p.finish();
  ASSERT_EQ(program.inputs.size(), 1U);
  EXPECT_EQ(program.inputs[0].function, "__VERIFIER_nondet_int");
}

TEST(Failures, OfOnePlaceAreOneProperty) {
  COptions options = checking({CRule::Null});
  options.errors = COptions::Errors::Apart;
  Parts p(kArray, options);
  SourcePos here{"t.ll", 3, 1}, there{"t.ll", 2, 1};
  LocationId first = p.failures->at_check(CRule::Null, here);
  EXPECT_EQ(p.failures->at_check(CRule::Null, here), first);
  EXPECT_NE(p.failures->at_check(CRule::Null, there), first);
  p.failures->check(CRule::Bounds, p.at("v"), p.t->boolean(true));  // which is not looked for
  std::vector<CProperty> all = std::move(*p.failures).properties();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].at.line, 2U);
}

}  // namespace
}  // namespace lem::c
