#include "check/llvm/interpreter.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/temporary_folder.h"
#include "interpreter_programs.h"

namespace lem::check {
namespace {

using How = Interpretation::How;

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

int shell(const std::string& command) {
  int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

enum class Model { Ilp32, Lp64 };

/// The program as bitcode, not optimised.
std::string module_of(const std::string& text, Model model) {
  TemporaryFolder folder;
  std::string in = folder.path() + "/t.c", out = folder.path() + "/t.bc";
  std::ofstream(in) << text;
  std::string bits = model == Model::Lp64 ? " -m64" : " -m32";
  int code = shell("clang-14 -w -g -O1 -Xclang -disable-llvm-passes -fwrapv -fno-strict-aliasing" +
                   bits + " -ffreestanding -emit-llvm -c -o " + out + " " + in);
  EXPECT_EQ(code, 0) << text;
  return contents(out);
}

/// What the machine says. There may be no 32-bit C library: the program brings what it calls.
int native_code(const std::string& text, Model model) {
  static const std::string kStart = R"(
static char heap[1 << 16]; static size_t used;
void *malloc(size_t n) { void *p = heap + used; used += (n + 15) / 16 * 16; return p; }
void *calloc(size_t n, size_t m) { return malloc(n * m); }
void free(void *p) { }
void *memcpy(void *t, const void *f, size_t n) {
  for (size_t i = 0; i < n; ++i) ((volatile char *)t)[i] = ((char *)f)[i]; return t; }
void *memset(void *t, int b, size_t n) {
  for (size_t i = 0; i < n; ++i) ((volatile char *)t)[i] = b; return t; }
void *memmove(void *t, const void *f, size_t n) { if (t < f) return memcpy(t, f, n);
  while (n-- > 0) ((volatile char *)t)[n] = ((char *)f)[n]; return t; }
#ifdef __i386__
typedef unsigned long long wide;
static wide divide(wide a, wide b, wide *rest) {
  wide quotient = 0, left = 0;
  for (int i = 63; i >= 0; --i) {
    int carry = left >> 63; left = left << 1 | (a >> i & 1);
    if (carry || left >= b) { left -= b; quotient |= 1ULL << i; }
  }
  *rest = left; return quotient;
}
wide __udivdi3(wide a, wide b) { wide r; return divide(a, b, &r); }
wide __umoddi3(wide a, wide b) { wide r; divide(a, b, &r); return r; }
static wide size(long long a) { return a < 0 ? -(wide)a : (wide)a; }
long long __divdi3(long long a, long long b) {
  wide r, q = divide(size(a), size(b), &r); return (a < 0) != (b < 0) ? -q : q; }
long long __moddi3(long long a, long long b) {
  wide r; divide(size(a), size(b), &r); return a < 0 ? -r : r; }
__asm__(".globl _start\n_start: andl $-16, %esp\n call main\n movl %eax, %ebx\n"
        " movl $252, %eax\n int $0x80\n");
#else
__asm__(".globl _start\n_start: andq $-16, %rsp\n call main\n movl %eax, %edi\n"
        " movl $231, %eax\n syscall\n");
#endif
)";
  TemporaryFolder folder;
  std::string in = folder.path() + "/t.c", run = folder.path() + "/t";
  std::ofstream(in) << text + kStart;
  std::string bits = model == Model::Lp64 ? " -m64" : " -m32 -msse2 -mfpmath=sse";
  int code = shell("clang-14 -w -O0 -fwrapv -fno-strict-aliasing -fno-builtin -ffreestanding" +
                   bits + " -fno-stack-protector -nostdlib -static -o " + run + " " + in + " 2> " +
                   folder.path() + "/errors");
  EXPECT_EQ(code, 0) << contents(folder.path() + "/errors");
  return shell(run);
}

Interpretation run(const std::string& module, const RunValues& values = {},
                   const InterpreterLimits& limits = {}) {
  return interpret(module, values, limits, {});
}

Interpretation run_c(const std::string& text, const RunValues& values = {},
                     const InterpreterLimits& limits = {}) {
  return run(module_of(text, Model::Ilp32), values, limits);
}

class OnTheMachine : public testing::TestWithParam<std::tuple<std::size_t, Model>> {};

TEST_P(OnTheMachine, ProgramsExitWithTheSameCode) {
  auto [i, model] = GetParam();
  const auto& [name, body] = kInterpreterPrograms[i];
  Interpretation end = run(module_of(kChecksum + body, model));
  ASSERT_EQ(end.how, How::Exited) << name << ": " << end.reason << ", line " << end.line;
  EXPECT_EQ(static_cast<int>(end.code), native_code(kChecksum + body, model)) << name;
}

INSTANTIATE_TEST_SUITE_P(Interpreter, OnTheMachine,
                         testing::Combine(testing::Range(std::size_t{0},
                                                         kInterpreterPrograms.size()),
                                          testing::Values(Model::Ilp32, Model::Lp64)));

// Ends --------------------------------------------------------------------------------------------

TEST(Interpreter, ConstructorsRunFirstAndDestructorsLastByPriority) {
  const char* text =
      "void _exit(int); void exit(int); int n = 1;\n"
      "__attribute__((constructor(300))) void b(void) { n = n * 3 + 1; }\n"
      "__attribute__((constructor(200))) void a(void) { n = n * 5 + 2; }\n"
      "__attribute__((constructor)) void c(void) { n = n * 2; }\n"
      "__attribute__((destructor(200))) void z(void) { _exit(n + 1); }\n"
      "__attribute__((destructor)) void y(void) { n = n + 10; }\n"
      "int main(void) { END }\n";
  auto with = [&](const std::string& end) { return "#define END " + end + "\n" + text; };
  for (const char* end : {"return 0;", "exit(0);"}) {
    Interpretation done = run_c(with(end));
    EXPECT_EQ(done.how, How::Exited) << done.reason;
    EXPECT_EQ(done.code, 55U) << "((1 * 5 + 2) * 3 + 1) * 2 + 10 + 1";
  }
  EXPECT_EQ(run_c(with("_exit(7);")).code, 7U);
}

TEST(Interpreter, TheErrorIsACallWhateverItsBodyDoes) {
  for (const char* text :
       {"void reach_error(void) { } int main(void) { reach_error(); return 0; }",
        "void __VERIFIER_error(void); int main(void) { __VERIFIER_error(); return 0; }",
        "void reach_error(void); void (*f)(void) = reach_error; int main(void) { f(); return 0; }",
        "void __VERIFIER_assert(int); int main(void) { __VERIFIER_assert(0); return 0; }",
        "int main(void) { int x = 3; if (x == 3) goto ERROR; return 0; ERROR: goto ERROR; }"})
    EXPECT_EQ(run_c(text).how, How::Reached) << text;
}

TEST(Interpreter, AFunctionWithABodyIsWhatItsBodySays) {
  Interpretation end = run_c(
      "int n; void exit(int c) { n = c; } void abort(void) { n++; }\n"
      "void __VERIFIER_assume(int c) { n += !c; } void *memset(void *p, int b, unsigned n) {\n"
      "return p; }\n"
      "int main(void) { int x = 40; exit(1); abort(); __VERIFIER_assume(0);\n"
      "memset(&x, 0, sizeof x); return n + x; }");
  EXPECT_EQ(end.how, How::Exited) << end.reason;
  EXPECT_EQ(end.code, 43U);
}

TEST(Interpreter, InputsComeBackByNameAndInOrder) {
  const char* text =
      "int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void);\n"
      "double __VERIFIER_nondet_double(void); void reach_error(void);\n"
      "int main(void) { int a = __VERIFIER_nondet_int(); unsigned char b = \n"
      "__VERIFIER_nondet_uchar(); double c = __VERIFIER_nondet_double();\n"
      "if (a == -5 && b == 200 && c == 1.5) reach_error(); return 3; }";
  InputBits a{"__VERIFIER_nondet_int", mpz_class("4294967291")};
  InputBits b{"__VERIFIER_nondet_uchar", 200};
  InputBits c{"__VERIFIER_nondet_double", mpz_class("4609434218613702656")};
  std::string module = module_of(text, Model::Ilp32);
  EXPECT_EQ(run(module, {{a, b, c}, {}}).how, How::Reached);
  EXPECT_EQ(run(module, {{b, a, c}, {}}).how, How::Ended);
  EXPECT_EQ(run(module, {{a, b}, {}}).reason, "more inputs than the run has");
  b.bits = 201;
  EXPECT_EQ(run(module, {{a, b, c}, {}}).how, How::Exited);
}

TEST(Interpreter, WhatTheProcessorDoesNotSurviveEndsTheRun) {
  const std::pair<const char*, const char*> kPrograms[] = {
      {"int main(void) { int *p = 0; return *p; }", "an access through null"},
      {"int main(void) { int z = 0; return 1 / z; }", "a division by zero"},
      {"int main(void) { int a[3] = {0}, i = 3; return a[i]; }",
       "an access out of bounds: 4 bytes at offset 12 of 12"},
      {"int main(void) { int a[3], i = -1; a[i] = 1; return 0; }",
       "an access out of bounds: 4 bytes at offset -4 of 12"},
      {"int *f(void) { int x = 1, *p = &x; return p; } int main(void) { return *f(); }",
       "an access to an object that is gone"},
      {"int main(void) { int (*f)(void) = 0; return f(); }", "a call through null"},
      {"int x; int main(void) { int (*f)(void) = (int (*)(void))&x; return f(); }",
       "a call of what is no function"},
      {"int main(void) { return *(char *)main; }", "an access to the code of a function"},
      {"int main(void) { return *(int *)4096; }",
       "an access through a number or an offset of null"},
      {"int main(void) { char *s = \"x\"; s[0] = 1; return 0; }", "a write to a constant"},
      {"void __VERIFIER_assume(int); int main(void) { __VERIFIER_assume(0); return 0; }",
       "an assumption does not hold"}};
  for (const auto& [text, reason] : kPrograms) {
    Interpretation end = run_c(text);
    EXPECT_EQ(end.how, How::Ended) << text;
    EXPECT_EQ(end.reason, reason) << text;
    EXPECT_EQ(end.line, 1U) << text;
  }
}

TEST(Interpreter, WhatHasNoValueDecidesNothing) {
  for (
      const char* text :
      {"int main(void) { int x; if (x) return 1; return 2; }",
       "int main(void) { int x; x = x * 2; switch (x & 2) { case 0: return 1; } return 2; }",
       "int main(void) { int *p; return *p; }",
       "int main(void) { int i, a[2] = {0}; return a[i]; }",
       "int main(void) { unsigned n = 40; if (1 << n > 3) return 1; return 0; }",
       "void *malloc(unsigned); int main(void) { int *p = malloc(4); if (*p) return 2; return 3; }",
       "int main(void) { float f = 1e20f; int n = f; if (n > 0) return 1; return 2; }",
       "int a, b; int main(void) { if (&a < &b) return 1; return 2; }",
       "int f(void); int main(void) { return f(); }", "int main(void) { __asm__(\"\"); return 0; }",
       "__asm__(\".globl x\"); int main(void) { return 0; }"})
    EXPECT_EQ(run_c(text).how, How::Undecided) << text;
  // Bits that are not looked at do no harm.
  EXPECT_EQ(run_c("int main(void) { int x, y = x; y <<= 3; return y & 7 ? 1 : 4; }").code, 4U);
  EXPECT_EQ(run_c("int main(void) { int x; x |= 1; x = x * 3; return x & 1 ? 5 : 6; }").code, 5U);
}

TEST(Interpreter, UninitialisedVariablesStartAsTheRunSays) {
  std::string text =
      "struct s { char c; struct { int n; } in[2]; };\n"
      "int f(void) { int x; return x; }\n"
      "int main(void) { struct s s; int a[3];\n"
      "int i = 1; return f() + 10 * f() + s.in[1].n + a[i] * 2 + a[0]; }";
  RunValues values;
  values.starts = {{"s.in[1].n", "main", 3, 32, 100},
                   {"a[]", "main", 3, 32, 1, {{1, 4}}},
                   {"x", "f", 2, 32, 2},
                   {"x", "f", 2, 32, 3}};
  Interpretation end = run_c(text, values);
  EXPECT_EQ(end.how, How::Exited) << end.reason;
  EXPECT_EQ(end.code, 2U + 30 + 100 + 8 + 1);
}

// Hostile modules ---------------------------------------------------------------------------------

TEST(Interpreter, LimitsHold) {
  InterpreterLimits limits;
  limits.steps = 100'000;
  limits.memory = 1 << 20;
  limits.calls = 100;
  for (const char* text :
       {"int main(void) { for (;;) ; }",
        "int f(int n) { return f(n + 1) + 1; } int main(void) {\n"
        "return f(0); }",
        "void *malloc(unsigned); int main(void) { for (;;) malloc(1000); }",
        "int big[10000000]; int main(void) { return big[3]; }",
        "int main(void) { int n = 100000000; int a[n]; a[5] = 1; return a[5]; }",
        "void *malloc(unsigned); int main(void) { return malloc(4294967295u) != 0; }"})
    EXPECT_EQ(run_c(text, {}, limits).how, How::Undecided) << text;
  EXPECT_EQ(run_c("void *p[5000]; int main(void) { for (int i = 0; i < 5000; i++) p[i] = p;\n"
                  "return 0; }",
                  {}, limits)
                .reason,
            "the program needs too much memory")
      << "addresses take more than their bytes";
  std::stop_source stop;
  stop.request_stop();
  std::string forever = module_of("int main(void) { for (;;) ; }", Model::Lp64);
  EXPECT_EQ(interpret(forever, {}, {}, stop.get_token()).how, How::Stopped);
}

TEST(Interpreter, ModulesThatNoCompilerMakes) {
  const std::string kLayout = "target datalayout = \"e-p:32:32\"\n";
  auto text = [&](const std::string& body) { return run(kLayout + body); };
  // Odd widths, parts of structs and vectors, phis that swap.
  Interpretation end = text(
      "define i32 @main() {\nentry:\n %a = add i129 -1, 1\n %b = icmp eq i129 %a, 0\n"
      " %c = sext i7 -3 to i32\n %v = insertelement <2 x i32> undef, i32 %c, i32 1\n"
      " %e = extractelement <2 x i32> %v, i32 1\n"
      " %s = insertvalue {i32, [2 x i32]} undef, i32 %e, 1, 1\n"
      " %x = extractvalue {i32, [2 x i32]} %s, 1, 1\n br label %loop\nloop:\n"
      " %p = phi i32 [1, %entry], [%q, %loop]\n %q = phi i32 [%x, %entry], [%p, %loop]\n"
      " %i = phi i32 [0, %entry], [%j, %loop]\n %j = add i32 %i, 1\n %k = icmp ult i32 %j, 3\n"
      " br i1 %k, label %loop, label %out\nout:\n %d = select i1 %b, i32 %p, i32 99\n"
      " %r = add i32 %d, 10\n ret i32 %r\n}\n");
  EXPECT_EQ(end.how, How::Exited) << end.reason;
  EXPECT_EQ(end.code, 11U);
  for (const char* body :
       {"define i32 @main() {\n %a = load [100000000 x i8], [100000000 x i8]* null\n ret i32 0\n}",
        "define i32 @main() {\n %a = add <2 x i32> undef, undef\n ret i32 0\n}",
        "define i32 @main() {\n %a = atomicrmw add i32* null, i32 1 monotonic\n ret i32 0\n}",
        "define i32 @main() {\n %a = fadd fp128 undef, undef\n ret i32 0\n}",
        "define i32 @main(i32 %c, i8** %v) {\n %a = load i8*, i8** %v\n ret i32 0\n}",
        "define i32 @f(i32 %x) {\n ret i32 %x\n}\ndefine i32 @main() {\n %a = call i32 bitcast "
        "(i32 "
        "(i32)* @f to i32 (i64)*)(i64 1)\n %b = icmp eq i32 %a, 1\n br i1 %b, label %c, label %c\n"
        "c: ret i32 0\n}",
        "define void @main(i32 %a, ...) {\n ret void\n}\ndefine i32 @other() {\n ret i32 0\n}"})
    EXPECT_NE(text(body).how, How::Reached) << body;
  EXPECT_EQ(run("target datalayout = \"E\"\ndefine i32 @main() {\n ret i32 0\n}").how,
            How::Undecided);
  EXPECT_EQ(run("no module").how, How::Undecided);
  EXPECT_EQ(text("define i32 @f() {\n ret i32 0\n}").how, How::Undecided);
}

}  // namespace
}  // namespace lem::check
