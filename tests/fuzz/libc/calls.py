"""Random programs that call functions of the C library with small inputs. Each has a number `r` at its end; `is_open` says
whether the standard leaves `r` open for some input, so that this machine's library has only one of its values."""
import random

HEAD = """#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static int input(int end) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x >= 0 && x < end); return x; }
static int calls;
static int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int counted(const void *a, const void *b) { ++calls; return *(const int *)a - *(const int *)b; }
static int tens(const void *a, const void *b) { return *(const int *)a / 10 - *(const int *)b / 10; }
static int sign(int x) { return (x > 0) - (x < 0); }
"""
VALUES = 3  # of each input

CLASSES = ["isdigit", "islower", "isupper", "isalpha", "isalnum", "isblank", "isspace", "iscntrl", "isprint", "isgraph",
           "ispunct", "isxdigit"]
LETTERS = ["'a'", "'Z'", "'5'", "' '", "'\\n'", "'~'", "'F'", "'g'", "127", "0", "EOF", "'_'"]
STRINGS = ['"ab"', '"abc"', '"b"', '""', '"aab"', '"a b"', '" 12"', '"-7x"', '"0x1f"', '"077"', '"+3"', '"9999999999"',
           '"2147483648"', '"z"', '"a,b"', '"\\200"']
NUMBERS = ["0", "1", "-1", "7", "-8", "100", "INT_MAX", "INT_MIN + 1"]


class Calls:
    """One program."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.is_open = False
        self.inputs = 0
        self.before = []
        parts = [self.random.choice(self.kinds())() for _ in range(self.random.choice([1, 1, 2]))]
        self.value = " + 31 * (".join(parts) + ")" * (len(parts) - 1)

    def kinds(self):
        return [self.letter_class, self.letter_value, self.letter, self.order, self.order_value, self.length, self.place,
                self.number, self.quotient, self.copied, self.printed, self.split, self.sorted, self.searched, self.drawn,
                self.allocated, self.resized, self.error, self.rounded, self.exits]

    def text(self, end):
        """`end` is what becomes of r."""
        return HEAD + "int main(void) {\n  " + "\n  ".join(self.before) + f"\n  int r = {self.value};\n  {end}\n  return 0;\n}}\n"

    # Values ------------------------------------------------------------------------------------------------------------

    def name(self):
        return f"x{len(self.before)}"

    def declare(self, kind, value):
        name = self.name()
        self.before.append(f"{kind} {name} = {value};")
        return name

    def one_of(self, kind, values):
        """Chosen by an input, or one of them."""
        chosen = self.random.sample(values, VALUES)
        if self.inputs == 2 or self.random.random() < 0.3:
            return chosen[0]
        self.inputs += 1
        index = self.declare("int", f"input({VALUES})")
        return self.declare(kind, f"{index} == 0 ? {chosen[0]} : {index} == 1 ? {chosen[1]} : {chosen[2]}")

    def string(self):
        return self.one_of("const char *", STRINGS)

    def open(self, expression):
        self.is_open = True
        return expression

    # Calls -------------------------------------------------------------------------------------------------------------

    def letter_class(self):
        return f"!!{self.random.choice(CLASSES)}({self.one_of('int', LETTERS)})"

    def letter_value(self):
        return self.open(f"{self.random.choice(CLASSES)}({self.one_of('int', LETTERS)})")

    def letter(self):
        return f"{self.random.choice(['tolower', 'toupper'])}({self.one_of('int', LETTERS)})"

    def comparison(self):
        a, b = self.string(), self.string()
        return self.random.choice([f"strcmp({a}, {b})", f"strncmp({a}, {b}, {self.random.randrange(4)})",
                                   f"memcmp({a}, {b}, 1)", f"strcoll({a}, {b})"])

    def order(self):
        return f"sign({self.comparison()})"

    def order_value(self):
        return self.open(self.comparison())

    def length(self):
        a, b = self.string(), self.string()
        return self.random.choice([f"(int)strlen({a})", f"(int)strspn({a}, {b})", f"(int)strcspn({a}, {b})"])

    def place(self):
        a, letter = self.string(), self.random.choice(["'a'", "'b'", "0", "'z'"])
        found = self.random.choice([f"strchr({a}, {letter})", f"strrchr({a}, {letter})", f"strpbrk({a}, \"b1\")",
                                    f"strstr({a}, {self.random.choice(STRINGS)})", f"memchr({a}, {letter}, 1)"])
        result = self.declare("const char *", found)
        return f"({result} ? (int)({result} - {a}) : -1)"

    def number(self):
        a = self.string()
        base = self.random.choice(["10", "0", "16", "8", "36"])
        if self.random.random() < 0.2:
            return f"abs({self.one_of('int', NUMBERS)})"
        self.before.append("char *end = 0;" if "char *end = 0;" not in self.before else ";")
        kind = self.random.choice(["strtol", "strtoul", "strtoll", "strtoull"])
        x = self.declare("long long", f"(long long){kind}({a}, &end, {base})")
        return self.random.choice([f"(int){x}", f"(int)({x} >> 32)", f"(int)(end - {a})"])

    def quotient(self):
        kind, field = self.random.choice(["div", "ldiv", "lldiv"]), self.random.choice(["quot", "rem"])
        return f"(int){kind}({self.one_of('int', NUMBERS)}, {self.random.choice(['3', '-2', '7'])}).{field}"

    def copied(self):
        a, b = self.string(), self.declare("char", "0")
        buffer = b + "b"
        self.before.append(f"char {buffer}[32] = \"{self.random.choice(['', 'q', 'xyz'])}\";")
        n = self.random.randrange(4)
        self.before.append(self.random.choice([
            f"strcpy({buffer}, {a});", f"strncpy({buffer}, {a}, {n});", f"strcat({buffer}, {a});",
            f"strncat({buffer}, {a}, {n});", f"memmove({buffer} + 1, {buffer}, 3);", f"memset({buffer}, 'm', {n});",
            f"{{ char *d = strdup({a}); strcpy({buffer}, d); free(d); }}"]))
        return f"{buffer}[{self.random.randrange(4)}]"

    def printed(self):
        buffer, n = self.name() + "b", self.name() + "n"
        form, value = self.random.choice([("%d", "int"), ("%5d|", "int"), ("%x", "int"), ("%-4u.", "int"), ("%s", "string"),
                                          ("%.2s!", "string"), ("%c%c", "letters"), ("%+d", "int"), ("%03o", "int")])
        given = {"int": lambda: self.one_of("int", NUMBERS), "string": self.string, "letters": lambda: "'u', 'v'"}[value]()
        self.before.append(f"char {buffer}[16] = \"??????\"; int {n} = snprintf({buffer}, {self.random.choice([16, 16, 3, 1])}, "
                           f"\"{form}\", {given});")
        return self.random.choice([n, f"{buffer}[{self.random.randrange(4)}]"])

    def split(self):
        buffer, part = self.name() + "b", self.name() + "p"
        self.before.append(f"char {buffer}[16]; strcpy({buffer}, {self.string()});")
        self.before.append(f"char *{part} = strtok({buffer}, \", a\");")
        if self.random.random() < 0.5:
            self.before.append(f"if ({part}) {part} = strtok(0, \",b\");")
        return f"({part} ? (int)strlen({part}) + 8 * (int)({part} - {buffer}) : -1)"

    def array(self, count):
        name = self.name() + "a"
        values = [self.one_of("int", ["1", "12", "5", "19", "-3"]) for _ in range(count)]
        self.before.append(f"int {name}[{count}] = {{{', '.join(values)}}};")
        return name

    def sorted(self):
        count = self.random.choice([2, 3])
        a = self.array(count)
        compare = self.random.choice(["up", "up", "counted", "tens"])
        self.before.append(f"qsort({a}, {count}, sizeof(int), {compare});")
        if compare == "counted" and self.random.random() < 0.5:
            return self.open("calls")
        value = f"{a}[{self.random.randrange(count)}]"
        return self.open(value) if compare == "tens" else value

    def searched(self):
        name, found, key = self.name() + "a", self.name() + "p", self.name() + "k"
        values = sorted(self.random.choices([1, 2, 3, 4], k=3))
        self.before.append(f"int {name}[3] = {{{', '.join(map(str, values))}}}, {key} = {self.one_of('int', ['1', '2', '3', '4'])};")
        compare = self.random.choice(["up", "counted"])
        self.before.append(f"int *{found} = bsearch(&{key}, {name}, 3, sizeof(int), {compare});")
        self.is_open = self.is_open or len(set(values)) < 3
        if compare == "counted" and self.random.random() < 0.5:
            return self.open("calls")
        return f"({found} ? (int)({found} - {name}) : -1)"

    def drawn(self):
        first, second = self.random.choice([(7, 7), (7, 8)])
        a = self.name() + "d"
        self.before.append(f"srand({first}); int {a} = rand(); srand({second});")
        return f"{a} - rand()" if first == second else self.open(f"{a} == rand()")

    def allocated(self):
        p = self.name() + "p"
        kind = self.random.choice(["malloc", "calloc", "realloc"])
        size = self.one_of("int", ["0", "4", "8", "1"])
        call = {"malloc": f"malloc({size})", "calloc": f"calloc({size}, 1)", "realloc": f"realloc(0, {size})"}[kind]
        self.before.append(f"char *{p} = {call};")
        if kind == "calloc" and self.random.random() < 0.5:
            return f"({size} > 0 ? {p}[0] : 5)"
        return self.open(f"{p} != 0")

    def resized(self):
        p, q = self.name() + "p", self.name() + "q"
        self.before.append(f"int *{p} = malloc(8); {p}[0] = 3; {p}[1] = 4;")
        self.before.append(f"int *{q} = realloc({p}, {self.random.choice([4, 8, 16])}); {q}[0] += 2;")
        return self.random.choice([f"{q}[0]", self.open(f"{q} == {p}")]) if self.random.random() < 0.5 else f"{q}[0]"

    def error(self):
        call, is_open = self.random.choice([
            (f"strtol({self.random.choice(STRINGS)}, 0, 10)", True), ("strlen(\"ab\")", False), ("isdigit('3')", False),
            ("fopen(\"no-such-file\", \"r\")", True), ("abs(-3)", False)])
        self.before.append(f"errno = 0; (void){call};")
        return self.open("errno") if is_open else "errno"

    def rounded(self):
        function = self.random.choice(["floor", "ceil", "trunc", "round", "fabs"])
        return f"(int){function}({self.one_of('int', ['1', '-3', '5', '-7', '8'])} / 2.0)"

    def exits(self):
        """A handler that is registered and not run before r is."""
        return self.random.choice(["atexit(abort) != 0", "at_quick_exit(abort)"]).replace("abort", "(void (*)(void))clock")


class Memory:
    """A program that may do wrong with memory inside of library calls: AddressSanitizer says whether it does."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.inputs = 1
        size, steps = self.random.choice([1, 2, 3]), []
        text = self.random.choice(['"a"', '"ab"', '"abc"', '""'])
        other = self.random.choice(['"b"', '"bc"', '""'])
        place = self.random.choice([f"char *p = malloc({size});", f"char q[{size}]; char *p = q;",
                                    f"char *p = malloc({size} + n);", f"static char q[{size}]; char *p = q;"])
        heap = "malloc" in place
        steps.append(place + (f" memset(p, 0, {size});" if self.random.random() < 0.7 else " p[0] = 0;"))
        for _ in range(self.random.choice([1, 2])):
            steps.append(self.random.choice([
                f"strcpy(p, n ? {text} : {other});", f"strncpy(p, {text}, n + 1);", f"strcat(p, {other});",
                f"memcpy(p, {text}, n);", f"memset(p, 'x', n + 1);", "puts(p);", 'printf("%s\\n", p);', "if (strlen(p) > 5) return 1;",
                f"if (memcmp(p, {text}, n) == 0) return 0;", f"if (strcmp(p, {text}) > 0) return 0;",
                f"strncat(p, {text}, n);", 'fputs(p, stdout);', f"snprintf(p, n + 1, {text});", f"sprintf(p, \"%s\", {other});",
                "if (strchr(p, 'q')) return 0;", "fwrite(p, 1, n, stdout);", "if (memchr(p, 'a', n + 1)) return 0;"]))
            if heap and self.random.random() < 0.25:
                steps.append("if (n == 1) free(p);")
        if heap and self.random.random() < 0.5:
            steps.append("free(p);")
        self.steps = steps

    def text(self, _end):
        return HEAD + "int main(void) {\n  int n = input(3);\n  " + "\n  ".join(self.steps) + "\n  return 0;\n}\n"
