#!/usr/bin/env python3
"""Functions instead of programs (--entry): objects behind pointers, --assume, vacuous proofs. The compiled function, run with
sanitizers on all small objects, says what fails. usage: c_entry_test.py [--build FOLDER] [TestClass.test_name]"""
import json
import re
import shutil
import subprocess
import unittest

import support
from support import ProgramTest

RING = """#include <assert.h>
#include <stddef.h>
struct rb { int *data; unsigned size, head, count; };
int rb_put(struct rb *rb, int value) {
  if (rb == NULL || rb->data == NULL) return -1;
  if (rb->count == rb->size) return -1;
  rb->data[rb->head] = value;
  rb->head = (rb->head + 1) % rb->size;
  rb->count++;
  return 0;
}
int rb_probe(struct rb *rb) {
  if (rb == NULL || rb->data == NULL) return -1;
  assert(0);
  return 0;
}
"""
VALID = ["--assume", "rb && rb->data && rb->size > 0", "--assume",
         "rb->size <= lemmata_length(rb->data) && rb->head < rb->size"]
LIST = """#include <assert.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
int unlink_second(struct node *list) {
  struct node *gone = list->next;
  list->next = gone->next;
  free(gone);
  return list->value;
}
"""
STRINGS = """#include <assert.h>
unsigned copy(char *to, const char *from, unsigned size) {
  unsigned i = 0;
  for (; i + 1 < size && from[i]; i++) to[i] = from[i];
  to[i] = 0;
  return i;
}
"""
MATRIX = """#include <assert.h>
int trace(int **m, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += m[i][i] & 3;
  assert(sum < 7);
  return sum;
}
"""
PARSER = """#include <assert.h>
#include <stddef.h>
enum token { END, NUMBER, PLUS };
struct parser { const char *at; const char *end; enum token token; int value; };
void next(struct parser *p) {
  if (p->at == p->end) { p->token = END; return; }
  char c = *p->at++;
  p->token = c >= '0' && c <= '9' ? NUMBER : PLUS;
  if (p->token == NUMBER) p->value = c - '0';
  assert(p->token != NUMBER || (p->value >= 0 && p->value <= 9));
}
"""
# Natively: `small` makes the k-th small object, or says that there are no more, and `keeps` whether the conditions hold.
JUDGE = """
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int failing(unsigned k);
int main(void) {
  unsigned failures = 0;
  for (unsigned k = 0; k < COUNT; k++) {
    pid_t child = fork();
    if (child == 0) { freopen("/dev/null", "w", stderr); failing(k); _exit(0); }
    int status = 0;
    waitpid(child, &status, 0);
    failures += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  }
  printf("%u\\n", failures);
  return 0;
}
static unsigned digit(unsigned *k, unsigned base) { unsigned d = *k % base; *k /= base; return d; }
"""


class Native(ProgramTest):
    """A verdict about a function is that of the machine on all small objects."""

    def native_failures(self, program, count, body):
        path = self.write("judge.c", program + f"\n#define COUNT {count}\n" + JUDGE +
                          "static int failing(unsigned k) {\n" + body + "\n  return 0;\n}\n")
        run = self.folder / "judge"
        subprocess.run(["gcc", "-g", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", path, "-o", run],
                       check=True)
        return int(subprocess.run([run], check=True, capture_output=True, text=True, timeout=900,
                                  env={"ASAN_OPTIONS": "detect_leaks=0"}).stdout)

    def verdicts(self, program, *options):
        path = self.write("unit.c", program)
        code, out, err = self.run_program("check", path, "--timeout", 60, "--json", self.folder / "o.json", *options)
        self.assertIn(code, (0, 1), out + err)
        return {line.split(" ", 1)[1]: line.split(" ")[0] for line in out.splitlines()}, err

    def same(self, program, count, body, *options):
        """Some property is unsafe exactly if some small object makes the compiled function fail."""
        failures = self.native_failures(program, count, body)
        verdicts, err = self.verdicts(program, *options)
        self.assertTrue(verdicts)
        if failures == 0:
            self.assertEqual(set(verdicts.values()), {"safe"}, f"{verdicts}\n{err}")
        self.assertEqual("unsafe" in verdicts.values(), failures > 0, f"{verdicts} {failures}\n{err}")
        return verdicts

    RING_OBJECT = """
  unsigned length = 1 + digit(&k, 3), size = digit(&k, 5), head = digit(&k, 5), count = digit(&k, 5);
  struct rb rb = {malloc(length * sizeof(int)), size, head, count};
"""

    def test_ring_buffer(self):
        checks = ["--entry", "rb_put", "--check", "bounds,null,division"]
        found = self.same(RING, 375, self.RING_OBJECT + "  rb_put(&rb, 1);", *checks)
        self.assertEqual(found["bounds unit.c:7 rb->data[rb->head] = value"], "unsafe")
        self.assertEqual([found[name] for name in found if name.startswith("division")], ["unsafe"])
        self.assertEqual({found[name] for name in found if name.startswith("null")}, {"safe"})
        condition = "  if (size > 0 && size <= length && head < size) rb_put(&rb, 1);"
        found = self.same(RING, 375, self.RING_OBJECT + condition, *checks, *VALID)
        self.assertEqual(set(found.values()), {"safe"})

    LIST_OBJECT = """
  struct node *n[3];
  for (int i = 0; i < 3; i++) { n[i] = malloc(sizeof **n); n[i]->value = i; }
  for (int i = 0; i < 3; i++) { unsigned to = digit(&k, 4); n[i]->next = to == 3 ? 0 : n[to]; }
  struct node *list = digit(&k, 2) ? n[0] : 0;
"""

    def test_list(self):
        options = ["--entry", "unlink_second", "--check", "null,use-after-free,double-free"]
        found = self.same(LIST, 128, self.LIST_OBJECT + "  unlink_second(list);", *options)
        self.assertEqual(found["use-after-free unit.c:8 list->value"], "unsafe")
        condition = "  if (list && list->next && list->next != list) unlink_second(list);"
        self.same(LIST, 128, self.LIST_OBJECT + condition, *options, "--assume",
                  "list && list->next && list->next != list")

    STRING_OBJECT = """
  unsigned to_length = 1 + digit(&k, 3), from_length = 1 + digit(&k, 3), size = digit(&k, 4);
  char *to = malloc(to_length), *from = malloc(from_length);
  int ends = 0;
  for (unsigned i = 0; i < from_length; i++) ends |= !(from[i] = (char)digit(&k, 2));
"""

    def test_strings(self):
        options = ["--entry", "copy", "--check", "bounds", "--pointer-size", "3", "--assume", "to && from"]
        self.same(STRINGS, 288, self.STRING_OBJECT + "  copy(to, from, size);", *options)
        condition = "  if (ends && size > 0 && size <= to_length) copy(to, from, size);"
        self.same(STRINGS, 288, self.STRING_OBJECT + condition, *options, "--assume", "lemmata_is_string(from)",
                  "--assume", "size > 0 && size <= lemmata_length(to)")

    MATRIX_OBJECT = """
  int n = 1 + (int)digit(&k, 2), *rows[2];
  for (int i = 0; i < 2; i++) {
    rows[i] = malloc(2 * sizeof(int));
    for (int j = 0; j < 2; j++) rows[i][j] = (int)digit(&k, 4);
  }
"""

    def test_matrix(self):
        options = ["--entry", "trace", "--pointer-size", "2", "--assume", "m && m[0] && n > 0 && n <= lemmata_length(m)"]
        rows = ["--assume", "n < 2 || (m[1] && lemmata_length(m[1]) == 2)"]
        self.same(MATRIX, 512, self.MATRIX_OBJECT + "  trace(rows, n);", *options, *rows)
        worse = MATRIX.replace("sum < 7", "sum < 6")
        found = self.same(worse, 512, self.MATRIX_OBJECT + "  trace(rows, n);", *options, *rows)
        self.assertEqual(set(found.values()), {"unsafe"})

    PARSER_OBJECT = """
  static const char letters[] = {'0', '9', '+', 0};
  unsigned length = 1 + digit(&k, 2);
  char *text = malloc(length);
  for (unsigned i = 0; i < length; i++) text[i] = letters[digit(&k, 4)];
  unsigned at = digit(&k, 2);
  struct parser p = {text, digit(&k, 2) ? text : 0, END, 0};
"""

    def test_parser(self):
        options = ["--entry", "next", "--assume", "p && p->at"]
        found = self.same(PARSER, 128, self.PARSER_OBJECT + "  next(&p);", *options)
        self.assertEqual(set(found.values()), {"safe"})
        self.same(PARSER.replace("c <= '9'", "c <= ';'"), 128,
                  self.PARSER_OBJECT.replace("'+'", "':'") + "  next(&p);", *options)


class Runs(ProgramTest):
    def check(self, program, *options):
        return self.run_program("check", self.write("unit.c", program), "--timeout", 60, *options)

    def test_what_is_behind_a_validity_check_is_reached(self):
        code, out, err = self.check(RING, "--entry", "rb_probe")
        self.assertEqual((code, out), (1, "unsafe assert unit.c:14 0\n"), err)
        code, out, err = self.check(RING, "--entry", "rb_probe", "--pointer-depth", 1)
        self.assertEqual((code, out), (0, "safe assert unit.c:14 0\n"), err)
        self.assertIn("assert unit.c:14 0: vacuous: no run comes here", err)

    def test_traces_name_the_objects(self):
        path = self.folder / "cex.txt"
        code, out, err = self.check(RING, "--entry", "rb_put", "--check", "bounds", "--witness", path)
        self.assertEqual(code, 1, out + err)
        text = path.read_text()
        for words in (r"\brb = a new object", r"rb->data = [1-4] new element", r"rb->head = \d", r"rb->data\[3\] = "):
            self.assertRegex(text, words)

    def test_confirmed_natively_and_by_the_interpreter(self):
        for native in ("sandbox", "never"):
            code, out, err = self.check(RING, "--entry", "rb_put", "--check", "division", "--native", native)
            self.assertEqual(code, 1, out + err)
            self.assertIn("unsafe division unit.c:8", out)

    def test_pointers_that_are_the_same(self):
        text = ("#include <assert.h>\nvoid swap(int *a, int *b) {\n  int x = *a, y = *b;\n  *a = y;\n  *b = x + 1;\n"
                "  assert(*a == y);\n}\n")
        path = self.folder / "cex.txt"
        code, out, err = self.check(text, "--entry", "swap", "--assume", "a && b", "--witness", path)
        self.assertEqual(code, 1, out + err)
        self.assertIn("b = the same as a", path.read_text())
        self.assertEqual(self.check(text, "--entry", "swap", "--assume", "a && b && a != b")[0], 0)

    def test_leaks_are_those_of_the_function(self):
        text = ("#include <stdlib.h>\nstruct s { int *p; };\nvoid end(struct s *s) {\n  if (!s) return;\n  free(s->p);\n"
                "  free(s);\n}\nvoid grow(struct s *s) {\n  if (s) s->p = malloc(4);\n}\n")
        self.assertEqual(self.check(text, "--entry", "end", "--check", "leak,double-free", "--assume",
                                    "(void *)s != (void *)s->p")[0], 0)
        self.assertEqual(self.check(text, "--entry", "grow", "--check", "leak")[0], 1)

    def test_pointers_that_are_read_for_nothing_are_checked(self):
        text = "struct node { struct node *next; };\nvoid *rest(struct node *n) {\n  return n->next;\n}\n"
        code, out, err = self.check(text, "--entry", "rest", "--check", "null")
        self.assertEqual((code, out), (1, "unsafe null unit.c:3 n->next\n"), err)

    def test_errors(self):
        program = self.write("unit.c", RING)
        for options, code, words in (
                (["--entry", "rb_put", "--assume", "rb->sise > 0"], 65, "--assume:1:5: error: clang: no member named 'sise'"),
                (["--entry", "rb_probe", "--assume", "rb->size = 0"], 64, "the condition of --assume changes something"),
                (["--assume", "1"], 64, "--assume needs --entry"),
                (["--entry", "nothing"], 65, "no function 'nothing' with a body")):
            result = self.run_program("check", program, *options)
            self.assertEqual(result[0], code, result)
            self.assertIn(words, result[2])


class Vacuous(ProgramTest):
    HEAD = ("#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assume(int);\n"
            "extern void reach_error(void);\nextern void __CPROVER_assert(int, const char *);\n")

    def vacuous(self, text, *options):
        """Lines of the proofs that are, as JSON, report and standard error say."""
        path = self.write("v.c", self.HEAD + text)
        code, out, err = self.run_program("check", path, "--timeout", 60, "--json", self.folder / "o.json", "--report",
                                          self.folder / "r.html", *options)
        self.assertIn(code, (0, 1), out + err)
        rows = json.loads((self.folder / "o.json").read_text())["results"]
        marked = {row["property"] for row in rows if row.get("vacuous")}
        said = {line.split(": vacuous: ")[0] for line in err.splitlines() if ": vacuous: " in line}
        self.assertEqual(said, marked if len(marked) <= 8 else said & marked)
        self.assertEqual(len(said), min(len(marked), 8))
        self.assertEqual(bool(marked), bool(re.search('"vacuous":"[^"]', (self.folder / "r.html").read_text())))
        for row in rows:
            if row.get("vacuous"):
                self.assertEqual(row["verdict"], "safe")
        return {int(re.search(r"v\.c:(\d+)", name).group(1)) - self.HEAD.count("\n") for name in marked}, err

    def main(self, statements):
        return "int main(void) {\n  int x = __VERIFIER_nondet_int();\n" + statements + "  return 0;\n}\n"

    def test_places_that_no_run_comes_to(self):
        for statements, lines in (
                ("  if (x > 3 && x < 2) assert(x == 1);\n  assert(x == x + 0);\n", {3}),
                ("  __VERIFIER_assume(x > 3);\n  if (x < 2) assert(x == 7);\n  assert(x > 2);\n", {4}),
                ("  int i = 0;\n  while (i < 10) i++;\n  if (i > 10) assert(x == 7);\n  assert(i == 10);\n", {5}),
                ("  __VERIFIER_assume(x > 3);\n  __VERIFIER_assume(x < 3);\n  assert(x == 1);\n", {5}),
                ("  for (int i = 0; i < 4; i++) { if (i == 5) __CPROVER_assert(x == 1, \"w\"); }\n  assert(x == x + 0);\n", {3}),
                ("  if (x > 3 && x < 2) assert(0);\n  assert(x == x + 0);\n", {3}),
                ("  assert(x < 5 || x > 4);\n  if (x == 3) assert(x < 4 && x > 2);\n", set())):
            with self.subTest(statements):
                self.assertEqual(self.vacuous(self.main(statements))[0], lines)

    def test_checks_too(self):
        text = self.main("  int a[3] = {0};\n  if (x < 0) {\n    if (x > 5) a[x] = 10 / x;\n  }\n"
                         "  if (x >= 0 && x < 3) a[x] = 1;\n")
        self.assertEqual(self.vacuous(text, "--check", "bounds,division")[0], {5})

    def test_the_error_is_no_such_place(self):
        self.assertEqual(self.vacuous(self.main("  if (x > 3 && x < 2) reach_error();\n"))[0], set())

    def test_the_whole_entry(self):
        text = "int f(int *p, int n) {\n  assert(n > 0);\n  assert(p[n] == 1);\n  return 10 / n;\n}\n"
        lines, err = self.vacuous(text, "--entry", "f", "--assume", "n > 3", "--assume", "n < 2")
        self.assertEqual(lines, {2, 3})
        self.assertIn("vacuous: all 2 proofs\n", err)

    def test_many_are_summed_up(self):
        dead = "".join(f"    assert(x == {i});\n" for i in range(12))
        lines, err = self.vacuous(self.main("  if (x > 3 && x < 2) {\n" + dead + "  }\n"))
        self.assertEqual(len(lines), 12)
        self.assertIn("4 more proofs are vacuous", err)


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    if shutil.which("clang-14") is None or shutil.which("gcc") is None:
        print("0 passed, 0 failed, 1 skipped")  # no C here
    else:
        support.main()
