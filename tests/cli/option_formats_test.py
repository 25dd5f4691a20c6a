#!/usr/bin/env python3
"""Options that a format has no use for are refused, in every command: a table of options by formats.
usage: option_formats_test.py [--build FOLDER] [TestClass.test_name]"""
import re
import shutil
import subprocess
import unittest

import support
from support import SAFE, ProgramTest

NODE = "node {0}(x: bool) returns (ok: bool); let ok = {1}; --%PROPERTY ok;\ntel\n"
C = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\nint f(int a) { return a; }\n" \
    "int main(void) { if (f(1) == 2) reach_error(); return 0; }\n"

# A safe model of each format, by its extension.
MODELS = {
    ".aag": SAFE,
    ".btor2": "1 sort bitvec 1\n2 zero 1\n3 state 1\n4 init 1 3 2\n5 next 1 3 3\n6 bad 3\n",
    ".vmt": "(declare-fun x () Bool)\n(declare-fun xn () Bool)\n(define-fun .n () Bool (! x :next xn))\n"
            "(define-fun .i () Bool (! (not x) :init true))\n(define-fun .t () Bool (! (= xn x) :trans true))\n"
            "(define-fun .p () Bool (! (not x) :invar-property 0))\n",
    ".smt2": "(set-logic HORN)\n(declare-fun p (Int) Bool)\n(assert (forall ((x Int)) (=> (= x 0) (p x))))\n"
             "(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))\n(check-sat)\n",
    ".lus": NODE.format("top", "x or not x"),
    ".st": "PROGRAM p\nVAR_INPUT a : BOOL; END_VAR\nVAR b : BOOL; END_VAR\nb := a;\n//#ASSERT b = a\nEND_PROGRAM\n",
    ".sv": "module m(input clk, input a); reg q = 0; always @(posedge clk) q <= q & a;\n"
           "always @(posedge clk) assert (q == 0); endmodule\n",
    ".c": C,
}
ALL = set(MODELS)
FORMATS_OF = {  # .i, .ll and .bc are in a test of their own
    ("--check", "bounds"): {".c", ".st"},
    ("--entry", "main"): {".c", ".st", ".lus"},
    ("--top", "m"): {".sv", ".lus"},
    ("--parameter", "a"): {".sv", ".st"},
    ("-I", "."): {".c", ".sv"},
    ("-D", "X=1"): {".c", ".sv"},
    ("-U", "X"): {".c"},
    ("--include", "h.h"): {".c"},
    ("--compile-commands", "compile_commands.json"): {".c"},
    ("--svcomp",): {".c"},
    ("--undefined", "nondet"): {".c"},
    ("--device-memory",): {".c"},
    ("--pointer-size", "2"): {".c"},
    ("--pointer-depth", "2"): {".c"},
    ("--globals", "initial"): {".c"},
    ("--native", "never"): {".c"},
    ("--time", "fixed:10"): {".st"},
    ("--assume", "a"): {".c", ".st"},
    ("--require", "assertion: b = a"): {".st"},
    ("--requirements", "r.yml"): {".st"},
    ("--retain", "any"): {".st"},
    ("--hwmcc",): {".aag", ".btor2"},
    # For every format: scripts give them to every file.
    ("--data-model", "LP64"): ALL,
    ("--arith", "int"): ALL,
    ("--timeout", "60"): ALL,
    ("--memory", "4000"): ALL,
    ("--engine", "portfolio"): ALL,
    ("--depth", "2"): ALL,
    ("--stats",): ALL,
    ("--no-certify",): ALL,
    ("--no-progress",): ALL,
    ("-q",): ALL,
    ("-v",): ALL,
    ("--json", "out.json"): ALL,
    ("--report", "out.html"): ALL,
    ("--sarif", "out.sarif"): ALL,
    ("--junit", "out.xml"): ALL,
    ("--certificate", "evidence/"): ALL,
    ("--witness", "evidence/"): ALL,
    ("--format", "gcc"): ALL,
    ("--stream",): ALL,
    ("--each",): ALL,
    ("--places",): ALL,
    ("--set", "bmc.step=1"): ALL,
    ("--property", "*"): ALL,
}
# --as is for standard input, --on for clusters (slurm_test.py).
APART = {"--as", "--on", "--help", "-h"}
REFUSED = "is of no use here: it is for"


class OptionTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.models = {}
        for extension, text in MODELS.items():
            self.models[extension] = self.write("m" + extension, text).name
        self.write("h.h", "")
        self.write("r.yml", "requirements: []\n")
        self.write("compile_commands.json", '[{"directory": ".", "file": "m.c", "command": "cc -c m.c"}]')

    def refused(self, *arguments, **more):
        code, out, err = self.run_program(*arguments, **more)
        self.assertEqual((code, out), (64, ""), f"{arguments}: {err}")
        self.assertIn(REFUSED, err)
        return err

    def accepted(self, *arguments, **more):
        """Whatever the answer is."""
        code, _, err = self.run_program(*arguments, **more)
        self.assertNotIn(REFUSED, err, f"{arguments}")
        return code


class Check(OptionTest):
    def test_every_option_by_every_format(self):
        for option, fit in FORMATS_OF.items():
            for extension, model in self.models.items():
                if extension == ".sv" and shutil.which("yosys") is None:
                    continue
                if fit == ALL and extension not in (".aag", ".lus"):
                    continue  # of what is for all, two will do
                with self.subTest(option=option, extension=extension):
                    if extension in fit:
                        self.accepted("check", model, *option)
                    else:
                        err = self.refused("check", model, *option)
                        self.assertTrue(err.startswith(f"{model}: error: {option[0]} is of no use"), err)

    def test_the_table_has_every_option(self):
        """A new option must say which formats it is for."""
        script = self.run_program("completion", "bash")[1]
        names = set(re.search(r"(?m)^ +check\) words='(.*)'", script).group(1).split())
        self.assertEqual(names - {option[0] for option in FORMATS_OF}, APART)

    def test_code_that_is_preprocessed_takes_no_macros(self):
        self.write("m.i", C)
        subprocess.run(["clang-14", "-S", "-emit-llvm", "-O0", "m.c", "-o", "m.ll"], cwd=self.folder, check=True)
        for option in (["-D", "X"], ["-I", "."], ["-U", "X"], ["--include", "h.h"],
                       ["--compile-commands", "compile_commands.json"]):
            for model in ("m.i", "m.ll"):
                self.refused("check", model, *option)
        for option in (["--entry", "f"], ["--native", "never"], ["--undefined", "nondet"], ["--svcomp"]):
            for model in ("m.i", "m.ll"):
                self.accepted("check", model, *option)

    def test_what_scripts_give_to_every_file(self):
        for model in self.models.values():
            self.assertEqual(self.accepted("check", model, "--data-model", "LP64", "--arith", "int", "-q"), 0, model)

    def test_attached_and_equals_forms(self):
        for words in (["--check=bounds"], ["--entry=main"], ["-DX"], ["-I."]):
            self.refused("check", self.models[".aag"], *words)

    def test_a_program_of_several_files_takes_what_one_of_them_takes(self):
        self.write("g.i", "int g(void) { return 1; }\n")
        self.assertEqual(self.accepted("check", "m.c", "g.i", "-D", "X"), 0)

    def test_each_of_several_models_must_take_it(self):
        self.refused("check", "m.c", "m.lus", "--check", "bounds")
        self.refused("check", "m.st", "m.lus", "--time", "fixed:10")
        self.assertEqual(self.accepted("check", "m.c", "m.st", "--check", "bounds"), 0)
        self.assertEqual(self.accepted("check", "m.c", "m.lus", "--data-model", "LP64"), 0)

    def test_standard_input_has_the_format_that_is_said_or_guessed(self):
        for words in (["--as", "lus"], []):
            run = subprocess.run([support.ARGS.build / "lemmata", "check", "-", *words, "--check", "overflow"],
                                 input=MODELS[".lus"], capture_output=True, text=True, cwd=self.folder)
            self.assertEqual((run.returncode, run.stdout), (64, ""))
            self.assertTrue(run.stderr.startswith("-: error: --check is of no use here"), run.stderr)

    def test_a_file_of_no_format_says_so(self):
        self.write("m.xyz", "")
        code, _, err = self.run_program("check", "m.xyz", "--check", "bounds")
        self.assertEqual(code, 64)
        self.assertIn("unknown file extension", err)

    def test_on_a_cluster_too(self):
        self.refused("check", "m.lus", "--on", "slurm:2", "--check", "bounds")


class OtherCommands(OptionTest):
    def test_properties_and_convert(self):
        for option, fit in FORMATS_OF.items():
            if option[0] not in ("--check", "--entry", "--top", "-D", "--assume", "--time", "--svcomp"):
                continue
            for extension, model in self.models.items():
                if extension in fit or extension == ".sv":
                    continue
                self.refused("properties", model, *option)
                self.refused("convert", model, "-o", "out.vmt", *option)
        self.assertEqual(self.accepted("properties", "m.lus", "--data-model", "LP64"), 0)

    def test_validate_and_explain(self):
        self.run_program("check", "m.lus", "--certificate", "p.smt2")
        for command, program in ((["validate"], "lemmata"), (["explain"], "lemmata"), ([], "lemmata-validate")):
            for option in (["--check", "bounds"], ["--native", "never"], ["--assume", "x"], ["-D", "X"]):
                self.refused(*command, "m.lus", "--certificate", "p.smt2", *option, program=program)
            code = self.accepted(*command, "m.lus", "--certificate", "p.smt2", "--arith", "int", program=program)
            self.assertEqual(code, 0)

    def test_campaigns_say_it_before_anything_runs(self):
        for words in ("[--check, bounds]", "[--check=bounds]", "[-DX]"):
            self.write("plan.yml", f"inputs: ['*.lus']\nconfigurations:\n- {{name: a, arguments: {words}}}\n")
            code, out, err = self.run_program("campaign", "plan.yml", "--db", "c.db")
            self.assertEqual((code, out), (64, ""), err)
            self.assertIn("configuration 'a': ", err)
            self.assertFalse((self.folder / "c.db").exists())
        self.write("plan.yml", "inputs: ['*.lus']\nconfigurations:\n- {name: a, arguments: [--data-model, LP64]}\n")
        self.assertEqual(self.run_program("campaign", "plan.yml", "--db", "c.db")[0], 0)

    def test_formats_lists_them_and_so_do_the_docs(self):
        rows = re.findall(r"(?m)^  (--?\w[\w-]*) +(\..*?)  +(\S.*)$", self.run_program("formats")[1])
        self.assertIn(("--time", ".st .scl .xml .TcPOU", "how much time a cycle takes"), rows)
        docs = (support.ROOT / "docs" / "formats.md").read_text()
        for option, extensions, purpose in rows:
            names = " ".join(f"`{one}`" for one in extensions.split())
            self.assertIn(f"| `{option}` | {names} | {purpose} |\n", docs)


class EvidenceByFormat(OptionTest):
    def test_forms_that_a_format_does_not_have(self):
        for extension, option, name in ((".smt2", "--witness", "w.vcd"), (".lus", "--witness", "w.vcd"),
                                        (".vmt", "--witness", "w.vcd"), (".st", "--witness", "w.vcd"),
                                        (".c", "--witness", "w.vcd"), (".aag", "--witness", "w.json"),
                                        (".lus", "--certificate", "p.aag"), (".c", "--certificate", "p.smt2"),
                                        (".smt2", "--certificate", "p.btor2"), (".aag", "--certificate", "p.smt2"),
                                        (".st", "--certificate", "p.smt2")):
            with self.subTest(extension, name=name):
                code, out, err = self.run_program("check", self.models[extension], option, name)
                self.assertEqual((code, out), (64, ""), err)
                self.assertIn("has another form", err)
                self.assertFalse((self.folder / name).exists())


class MainNodes(OptionTest):
    TWO = NODE.format("bad", "x") + NODE.format("good", "x or not x")

    def check_node(self, *options):
        return self.run_program("check", "two.lus", *options)[:2]

    def setUp(self):
        super().setUp()
        self.write("two.lus", self.TWO)

    def test_entry_and_top_choose_the_node(self):
        self.assertEqual(self.run_program("check", "two.lus")[0], 65)  # which one is not said
        for option in ("--entry", "--top"):
            self.assertEqual(self.check_node(option, "bad"), (1, "unsafe ok\n"))
            self.assertEqual(self.check_node(option, "good"), (0, "safe ok\n"))
        self.assertEqual(self.check_node("--entry", "bad", "--top", "bad"), (1, "unsafe ok\n"))
        self.assertEqual(self.check_node("--entry", "bad", "--top", "good")[0], 64)

    def test_it_goes_before_the_mark_in_the_file(self):
        self.write("two.lus", self.TWO.replace("let ok = x or not x;", "let ok = x or not x; --%MAIN;\n"))
        self.assertEqual(self.check_node(), (0, "safe ok\n"))
        self.assertEqual(self.check_node("--entry", "bad"), (1, "unsafe ok\n"))

    def test_a_called_node_can_be_the_main_one(self):
        self.write("two.lus", "node inner(x: int) returns (y: int);\n(*@contract assume x > 0; guarantee y > 1; *)\n"
                              "let y = x; tel\nnode outer(x: int) returns (y: int); let y = inner(if x > 2 then x "
                              "else 3); check y > 2; tel\n")
        self.assertEqual(self.check_node()[0], 0)
        self.assertEqual(self.check_node("--entry", "inner")[0], 1)

    def test_no_such_node(self):
        for option in ("--entry", "--top"):
            for command in (["check"], ["properties"], ["convert", "-o", "o.vmt"]):
                code, out, err = self.run_program(*command, "two.lus", option, "goof")
                self.assertEqual((code, out), (64, ""))
                self.assertIn("two.lus: error: there is no node 'goof'; near it: good", err)

    def test_evidence_is_about_that_node(self):
        self.assertEqual(self.check_node("--entry", "good", "--certificate", "p.smt2", "--report", "r.html")[0], 0)
        self.assertEqual(self.run_program("validate", "two.lus", "--entry", "good", "--certificate", "p.smt2")[0], 0)
        self.assertNotEqual(self.run_program("validate", "two.lus", "--entry", "bad", "--certificate", "p.smt2")[0], 0)

    def test_contracts_and_constants_are_no_nodes(self):
        self.write("two.lus", "const k: int = 1;\ncontract c(x: int) returns (y: int); let guarantee y = x; tel\n"
                   + self.TWO)
        for name in ("c", "k", "x", ""):
            self.assertIn(self.check_node("--entry", name)[0], (64, 65))


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    support.main()
