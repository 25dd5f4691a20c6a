#!/usr/bin/env python3
"""The scripts of tools/: what they find, what they let pass, and that set-up is idle when all is there."""
import importlib.util
import os
import subprocess
import sys
import types
import unittest
import unittest.mock

import support
from support import ROOT, ProgramTest

sys.path.insert(0, str(ROOT / "tools"))
import check_layers  # noqa: E402
import check_names  # noqa: E402
import check_sizes  # noqa: E402
import check_snippets  # noqa: E402
import check_walk  # noqa: E402

# Stands in for dpkg-query: every package is there but those in $MISSING.
DPKG = """#!/bin/sh
for last; do :; done
case " $MISSING " in *" $last "*) exit 1 ;; esac
printf 'install ok installed'
"""
RECORD = '#!/bin/sh\necho "$(basename "$0") $*" >> "$RECORD"\n'


class InstallDeps(ProgramTest):
    def install(self, missing):
        """Runs with stand-ins for the package tools; returns (output, recorded calls)."""
        for name, text in (("dpkg-query", DPKG), ("apt-get", RECORD), ("id", "#!/bin/sh\necho 0\n")):
            self.write(name, text).chmod(0o755)
        record = self.folder / "record"
        record.write_text("")
        environment = dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}", MISSING=missing,
                           RECORD=str(record))
        run = subprocess.run([ROOT / "tools/install_deps.sh", "build"], env=environment, check=True,
                             capture_output=True, text=True)
        return run.stdout, record.read_text().splitlines()

    def test_does_nothing_when_all_is_there(self):
        self.assertEqual(self.install(""), ("", []))

    def test_installs_and_names_just_what_is_missing(self):
        out, calls = self.install("libfmt-dev libcadical-dev")
        self.assertEqual(out, "install_deps: installing libcadical-dev libfmt-dev\n")
        self.assertEqual(len(calls), 2)
        self.assertIn("apt-get update", calls[0])
        self.assertTrue(calls[1].endswith("libcadical-dev libfmt-dev"), calls[1])


class Layers(unittest.TestCase):
    def test_allowed_includes_pass(self):
        for name, target in (("engine/bmc/bmc.cpp", "engine/parts/bits/unroller.h"),
                             ("engine/registry.cpp", "engine/bmc/search.h"),
                             ("run/selection.h", "engine/engine.h"),
                             ("run/open.h", "check/certify.h"),
                             ("check/certify.cpp", "sat/cadical.h"),
                             ("writer/json.h", "check/certify.h")):
            self.assertIsNone(check_layers.problem(name, target), f"{name} -> {target}")

    def test_forbidden_includes_are_found(self):
        for name, target in (("engine/bmc/bmc.cpp", "engine/kind/search.h"),
                             ("check/certify.cpp", "engine/engine.h"),
                             ("check/certify.cpp", "transform/transform.h"),
                             ("base/result.h", "model/aig.h"), ("writer/json.cpp", "sat/cadical.h"),
                             ("app/validate/validate.cpp", "engine/engine.h"),
                             ("app/validate/validate.cpp", "run/prove.h"),
                             ("app/check/pipeline.cpp", "engine/engine.h"),
                             ("engine/registry.cpp", "run/jobs.h"),
                             ("run/prove.cpp", "app/check/request.h"),
                             ("model/aig.h", "no/such/file.h")):
            self.assertIsNotNone(check_layers.problem(name, target), f"{name} -> {target}")


class Names(unittest.TestCase):
    def twice(self, *texts):
        return check_names.defined_twice({f"{i}.cpp": text for i, text in enumerate(texts)})

    def test_types_of_one_namespace_defined_twice_are_found(self):
        for one, other in (("struct A {};", "class A final : public B { int x; };"),
                           ("enum class A : int { One };", "using A = int;"),
                           ("namespace { struct A {}; }", "struct A;\nstruct A { A() {} };"),
                           ("using A = int;", "using A = long;")):
            found = self.twice(*(f"namespace lem::x {{\n{text}\n}}" for text in (one, other)))
            self.assertEqual(found, ["lem::x::A is defined in 0.cpp and in 1.cpp"], one)

    def test_other_namespaces_members_declarations_and_words_pass(self):
        a = "namespace lem { struct A { int x; }; }"
        for other in ("namespace lem::x { struct A {}; }", "namespace lem { struct A; }",
                      "namespace lem { struct B { struct A {}; }; }",
                      "namespace lem { void f() { struct A {}; } }",
                      'namespace lem { // struct A {\nauto s = "struct A {"; }'):
            self.assertEqual(self.twice(a, other), [], other)
        self.assertEqual(self.twice(*["namespace lem { using C = std::clock; }"] * 2), [])

    def test_the_project_passes(self):
        self.assertEqual(check_names.main(), 0)


class Sizes(unittest.TestCase):
    def test_functions_are_measured_with_their_heads(self):
        lines = ["int f(int a,", "      int b) {", *["  g();"] * 10, "}", "", "struct S {",
                 "  int h() {", "    return 1;", "  }", "};"]
        self.assertEqual(list(check_sizes.functions(lines)), [(0, 12), (15, 17)])

    def test_types_and_namespaces_are_no_functions(self):
        lines = ["namespace x {", "/// (words)", "class C {", " public:", "};", "}"]
        self.assertEqual(list(check_sizes.functions(lines)), [])


class Snippets(unittest.TestCase):
    SOURCE = "int a;\nint b;\nint c;\nint d;\n"

    def problems(self, block, name="x.h"):
        text = f"Words.\n<!-- from {name} -->\n{block}"
        return list(check_snippets.problems_of("P.md", text, {"x.h": self.SOURCE}.get))

    def test_lines_in_order_pass_with_dots_for_what_is_left_out(self):
        self.assertEqual(self.problems("```cpp\nint a;\nint b;\n...\nint d;\n```\n"), [])

    def test_stale_lines_gaps_other_orders_and_missing_files_are_found(self):
        for block, name in (("```cpp\nint z;\n```\n", "x.h"), ("```cpp\nint a;\nint c;\n```\n", "x.h"),
                            ("```cpp\nint c;\n...\nint a;\n```\n", "x.h"),
                            ("```cpp\nint a;\n```\n", "y.h"), ("no code\n", "x.h")):
            self.assertEqual(len(self.problems(block, name)), 1, block)


class Walk(unittest.TestCase):
    SOURCE = ("void last(int);\nvoid first() {\n  if (second(1)) { return; }\n}\n"
              "bool C::second(int x) const {\n  return work(x);\n}\nC::C(int x) : y_(f([&] { run(x); })) {}\n")

    def problems(self, *rows):
        table = "".join(f"| {i} | `{name}` | `x.cpp` | {by} | words |\n" for i, (name, by) in enumerate(rows, 1))
        return list(check_walk.problems_of("Walk", table, {"x.cpp": self.SOURCE}.get))

    def test_a_walk_along_calls_passes(self):
        self.assertEqual(self.problems(("first", "–"), ("C::second", "`first`")), [])
        self.assertEqual(self.problems(("first", "–"), ("C::second", "`first`"), ("C::C", "`C::second` as `work`")), [])
        self.assertIn("run(x)", check_walk.definition(self.SOURCE, "C::C"))

    def test_functions_that_are_not_there_and_calls_that_are_not_made_are_found(self):
        for rows, message in (((("first", "–"), ("third", "`first`")), "third is not defined"),
                              ((("first", "–"), ("last", "`first`")), "last is not defined"),
                              ((("C::second", "–"), ("first", "`C::second`")), "does not contain first"),
                              ((("first", "–"), ("C::second", "`first` as `work`")), "does not contain work"),
                              ((("first", "–"), ("C::second", "`main`")), "which no row before it has"),
                              ((("first", "–"), ("C::second", "–")), "nobody calls"),
                              ((("first", "–"), ("C::second", "first")), "can be read")):
            self.assertIn(message, "\n".join(self.problems(*rows)))
        self.assertIn("31 functions, at most 30", "\n".join(self.problems(*[("first", "–")] * 31)))


class BenchExec(ProgramTest):
    """contrib/benchexec/lemmata.py with stand-ins for the parts of BenchExec that it uses."""

    def setUp(self):
        super().setUp()
        template, result = types.ModuleType("template"), types.ModuleType("result")
        template.BaseTool2 = object
        for name, value in (("TRUE_PROP", "true"), ("FALSE_PROP", "false"), ("UNKNOWN", "unknown"), ("ERROR", "ERROR")):
            setattr(result, "RESULT_" + name, value)
        package, tools = types.ModuleType("benchexec"), types.ModuleType("benchexec.tools")
        package.result, package.tools, tools.template = result, tools, template
        modules = {"benchexec": package, "benchexec.result": result, "benchexec.tools": tools,
                   "benchexec.tools.template": template}
        with unittest.mock.patch.dict(sys.modules, modules):
            spec = importlib.util.spec_from_file_location("lemmata_tool", ROOT / "contrib/benchexec/lemmata.py")
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        self.tool = module.Tool()

    def result_of(self, *arguments):
        """What the module makes of a real run."""
        code, out, _ = self.run_program("check", *arguments)
        exit_code = types.SimpleNamespace(value=code)
        return self.tool.determine_result(
            types.SimpleNamespace(exit_code=exit_code, output=out.splitlines(), was_timeout=False))

    def test_results(self):
        self.assertEqual(self.result_of(self.write("s.aag", support.SAFE)), "true")
        self.assertEqual(self.result_of(self.write("u.aag", support.UNSAFE)), "false")
        self.assertEqual(self.result_of("u.aag", "--depth", "1"), "unknown")
        self.assertEqual(self.result_of(self.write("h.aag", support.HARD), "--timeout", "0.3"), "TIMEOUT")
        self.assertEqual(self.result_of(self.write("x.aag", "aag")), "ERROR(input)")
        self.assertEqual(self.result_of("none.aag"), "ERROR(file)")

    def test_command_line(self):
        task = types.SimpleNamespace(input_files_or_identifier=["a.c"], options={"data_model": "LP64"})
        limits = types.SimpleNamespace(cputime=60, memory=2_000_000_000)
        self.assertEqual(self.tool.cmdline("lemmata", ["--engine", "bmc"], task, limits),
                         ["lemmata", "check", "--engine", "bmc", "--timeout", "60", "--memory", "1800",
                          "--data-model", "LP64", "a.c"])


if __name__ == "__main__":
    support.main()
