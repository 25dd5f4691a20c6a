#!/usr/bin/env python3
"""Names of files and values of options are never options, lists of arguments, patterns or commands of another program.
usage: names_test.py [--build FOLDER] [TestClass.test_name]"""
import json
import os
import pathlib
import shutil
import subprocess
import unittest

import support
from support import ProgramTest

HEAD = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n"
# INJECT makes the program safe: it stands for any option that somebody else chose.
PROGRAM = HEAD + "int main(void) {\n#ifndef INJECT\n  if (__VERIFIER_nondet_int() == 5) reach_error();\n#endif\n" \
                 "  return 0;\n}\n"
HARMLESS = HEAD + "int main(void) { if (0) reach_error(); return 0; }\n"
DESIGN = "module {0}(input clk, input a); reg q = 0; always @(posedge clk) q <= {1};\n" \
         "always @(posedge clk) assert (!q); endmodule\n"
# Of files, without the extension. A program could take each of them for something else.
NAMES = ["@x", "@", "@@x", "-x", "--help", "-DINJECT", "a b", " a", "a'b", 'a"b', "a;b", "$(touch pwned)",
         "`touch pwned`", "a|b", "a&b", "*", "[ab]", "a?", "a\\b", "a\\", "~", "+x", "#x", "%x", "<x", "\u00e9", "a\nb",
         "a\tb", "\n", "x@file0@", "x@script.ys@", "=", "a,b", "a:b", "1:2: error: no"]


class NamesTest(ProgramTest):
    def check(self, *arguments, environment=None):
        code, out, err = self.run_program("check", *arguments, env=environment or os.environ)
        self.assertFalse((self.folder / "pwned").exists())
        return code, out, err

    def without_sandbox(self):
        """An environment whose bubblewrap does not work, and whose compiler writes down its arguments."""
        folder = self.folder / "bin"
        folder.mkdir(exist_ok=True)
        clang = shutil.which("clang-14")
        for name, text in (("bwrap", "exit 1"),
                           ("clang-14", f'printf "%s\\0" "$@" >> "{self.folder}/arguments"\nexec {clang} "$@"')):
            (folder / name).write_text(f"#!/bin/sh\n{text}\n")
            (folder / name).chmod(0o755)
        return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}

    def compiler_arguments(self):
        path = self.folder / "arguments"
        return path.read_bytes().decode().split("\0") if path.exists() else []


@unittest.skipIf(shutil.which("clang-14") is None, "no C here")
class Programs(NamesTest):
    def names(self):
        """With lists of arguments beside them, under every name that a list could have."""
        for name in ("x.c", "", "@x.c", ".c", "file0@.c", "x", "script.ys@.c"):
            if name and not (self.folder / name).exists():
                self.write(name, "good.c -DINJECT")
        return [name + ".c" for name in NAMES]

    def test_a_name_is_no_list_of_arguments(self):
        """The file of the issue: @x.c beside x.c."""
        self.write("x.c", "good.c -DINJECT")
        self.write("good.c", HARMLESS)
        self.write("@x.c", PROGRAM)
        for name in ("@x.c", "./@x.c", self.folder / "@x.c", "../" + self.folder.name + "/@x.c"):
            code, out, err = self.check(name)
            self.assertEqual((code, out), (1, "unsafe unreach-call\n"), err)

    def test_names_are_names(self):
        for name in self.names():
            with self.subTest(name=name):
                (self.folder / name).unlink(missing_ok=True)
                path = self.write(name, PROGRAM)
                self.assertEqual(self.check("--json", "r.json", "--", name)[:2], (1, "unsafe unreach-call\n"))
                result = json.loads((self.folder / "r.json").read_text())["results"][0]
                self.assertEqual(result["certified"], True, "the run is confirmed natively")
                path.unlink()
        for name in ("@x.c", "-x.c", "a;b.c"):
            self.write(name, HARMLESS)
            self.assertEqual(self.check(self.folder / name)[:2], (0, "safe unreach-call\n"))

    def test_places_are_right(self):
        for name in self.names():
            if any(c in name for c in "\n\t"):
                continue
            with self.subTest(name=name):
                (self.folder / name).unlink(missing_ok=True)
                self.write(name, "int main(void) { return\n  x; }\n")
                code, out, err = self.check("--", name)
                self.assertEqual((code, out), (65, ""))
                self.assertTrue(err.startswith(f"{name}:2:3: error: clang: use of undeclared"), err)
                self.write(name, PROGRAM)
                place = self.run_program("properties", "--json", "-", "--", name)[1]
                self.assertEqual(json.loads(place)["properties"][0]["line"], 5)
                self.assertEqual(json.loads(place)["properties"][0]["place"].split(":5")[0], name)
                (self.folder / name).unlink()

    def test_files_beside_are_found(self):
        self.write("h.h", "#define FIVE 5\n")
        text = '#include "h.h"\n' + PROGRAM.replace("5", "FIVE")
        for name in ("@x.c", "a;b.c", "a\nb.c", "-x.c"):
            self.write(name, text)
            self.assertEqual(self.check("--", name)[:2], (1, "unsafe unreach-call\n"), name)
            self.assertEqual(self.check(self.folder / name)[:2], (1, "unsafe unreach-call\n"), name)

    def test_a_second_file(self):
        self.write("y.c", "good.c -DINJECT")
        self.write("m.c", HEAD + "int f(void);\nint main(void) { if (f() == 5) reach_error(); return 0; }\n")
        self.write("@y.c", "extern int __VERIFIER_nondet_int(void);\n#ifdef INJECT\nint f(void) { return 0; }\n#else\n"
                           "int f(void) { return __VERIFIER_nondet_int(); }\n#endif\n")
        self.assertEqual(self.check("m.c", "@y.c")[:2], (1, "unsafe unreach-call\n"))

    def test_without_a_sandbox_too(self):
        environment = self.without_sandbox()
        for name in self.names()[:12]:
            with self.subTest(name=name):
                (self.folder / name).unlink(missing_ok=True)
                self.write(name, PROGRAM)
                code, out, err = self.check("--", name, environment=environment)
                self.assertEqual((code, out), (1, "unsafe unreach-call\n"), err)
                self.assertIn("warning: compiled without a sandbox", err)
                (self.folder / name).unlink()
        words = self.compiler_arguments()
        self.assertGreater(len(words), 20)
        self.assertEqual([word for word in words if word.startswith("@")], [])

    def test_values_of_options(self):
        self.write("m.c", PROGRAM)
        self.write("rsp", "-DINJECT")
        self.write("h.h", "-DINJECT")
        self.write("@h.h", "")
        (self.folder / "@rsp").mkdir()
        for option, value in (("-D", "@rsp"), ("-D", "-DINJECT"), ("-U", "@rsp"), ("-D", "X -DINJECT"), ("-D", ""),
                              ("-D", "A\nB"), ("-D", "=1"), ("-D", "1X"), ("-U", "-load"), ("-D", "--config=x")):
            code, out, err = self.check("m.c", f"{option}{value}" if value.startswith("-") else option,
                                        *([] if value.startswith("-") else [value]))
            self.assertEqual((code, out), (64, ""), f"{option} {value!r}: {err}")
        for words in (["-I", "@rsp"], ["-I@rsp"], ["-I", "@nowhere"], ["--include", "@h.h"], ["-D", "X=@rsp"],
                      ["-D", "f(x)=x"]):
            for environment in (None, self.without_sandbox()):
                code, out, err = self.check("m.c", *words, environment=environment)
                self.assertEqual((code, out), (1, "unsafe unreach-call\n"), f"{words}: {err}")
        self.assertEqual([word for word in self.compiler_arguments() if word.startswith("@")], [])


@unittest.skipIf(shutil.which("clang-14") is None, "no C here")
class CompileCommands(NamesTest):
    TRICKS = [["-fplugin=./evil.so"], ["-Xclang", "-load", "-Xclang", "./evil.so"], ["-B."], ["-B", "."], ["-specs=x"],
              ["--specs=x"], ["-wrapper", "touch,pwned"], ["--config", "x.cfg"], ["-fplugin-arg-x-y"], ["-o", "pwned"],
              ["-MD", "-MF", "pwned"], ["-save-temps"], ["-ivfsoverlay", "x"], ["-Xpreprocessor", "-DINJECT2"],
              ["-Wp,-MD,pwned"], ["-mllvm", "-load=./evil.so"], ["-fpass-plugin=./evil.so"], ["--sysroot=."],
              ["-resource-dir", "."], ["-fmodules", "-fmodule-file=x"], ["-include-pch", "x"][:1]]

    def commands(self, arguments, **more):
        entry = {"directory": str(self.folder), "file": "m.c", "arguments": ["cc", *arguments, "-c", "m.c"], **more}
        return self.write("compile_commands.json", json.dumps([entry]))

    def run_it(self, environment=None):
        return self.check("m.c", "--compile-commands", "compile_commands.json", environment=environment)

    def test_only_what_changes_the_meaning_is_taken(self):
        self.write("m.c", PROGRAM)
        self.write("x.cfg", "-DINJECT")
        for environment in (None, self.without_sandbox()):
            for trick in self.TRICKS[:-1]:
                with self.subTest(trick=trick, sandbox=environment is None):
                    self.commands(trick)
                    self.assertEqual(self.run_it(environment)[:2], (1, "unsafe unreach-call\n"))
        for word in self.compiler_arguments():
            for forbidden in ("evil", "pwned", "plugin", "-load", "specs", "wrapper", "config", "-B", "@", "overlay"):
                self.assertFalse(forbidden in word, word)

    def test_lists_of_arguments_are_refused(self):
        self.write("m.c", PROGRAM)
        self.write("rsp", "-DINJECT")
        for arguments in (["@rsp"], ["@nowhere"], ["-D", "@rsp"], ["-U", "@rsp"], ["-D@rsp"], ["-D", "-load"]):
            self.commands(arguments)
            for environment in (None, self.without_sandbox()):
                code, out, err = self.run_it(environment)
                self.assertEqual((code, out), (65, ""), arguments)
                self.assertTrue(err.startswith("compile_commands.json: error: "), err)
        entry = {"directory": str(self.folder), "file": "m.c", "command": "cc @rsp -c m.c"}
        self.write("compile_commands.json", json.dumps([entry]))
        self.assertEqual(self.run_it()[0], 65)

    def test_paths_are_paths(self):
        (self.folder / "@inc").mkdir()
        self.write("@inc/five.h", "#define FIVE 5\n")
        self.write("inc", "-DINJECT")
        self.write("@first.h", "#define SIX 6\n")
        self.write("m.c", '#include "five.h"\n' + PROGRAM.replace("5", "FIVE + SIX - SIX"))
        for arguments in (["-I@inc", "-include", "@first.h"], ["-I", "@inc", "-include@first.h"],
                          ["-iquote", "@inc", "-include", "@first.h"], ["-isystem@inc", "-include@first.h"],
                          ["-idirafter", "@inc", "-include@first.h"]):
            self.commands(arguments)
            self.assertEqual(self.run_it()[:2], (1, "unsafe unreach-call\n"), arguments)

    def test_the_project_is_not_the_rest_of_the_disk(self):
        outside = self.folder / "outside"
        project = self.folder / "project"
        for folder in (outside, project, project / "build", project / "inc"):
            folder.mkdir()
        (outside / "secret.h").write_text("xyzzy\n")
        (project / "link").symlink_to(outside)
        (project / "link.h").symlink_to(outside / "secret.h")
        (project / "inc" / "five.h").write_text("#define FIVE 5\n")
        (project / "m.c").write_text('#include "secret.h"\n' + PROGRAM)
        table = project / "build" / "compile_commands.json"

        def answer(arguments, *options):
            entry = {"directory": str(project / "build"), "file": "../m.c", "arguments": ["cc", *arguments]}
            table.write_text(json.dumps([entry]))
            return self.check(project / "m.c", "--compile-commands", table, *options)
        for arguments in (["-I", str(outside)], ["-I../../outside"], ["-I../link"], ["-include", "../link.h"],
                          ["-include", str(outside / "secret.h")], ["-I/"], ["-I/etc"], ["-include", "/etc/passwd"],
                          ["-isystem", str(pathlib.Path.home())]):
            code, out, err = answer(arguments)
            self.assertEqual((code, out), (65, ""), arguments)
            self.assertIn("outside of the project", err)
            self.assertNotIn("xyzzy", err)
        (project / "m.c").write_text('#include "five.h"\n' + PROGRAM.replace("5", "FIVE"))
        for arguments in (["-I../inc"], ["-I", str(project / "inc")], ["-I../inc", "-I/usr/include"],
                          ["-I../inc", "-I../nowhere"]):
            self.assertEqual(answer(arguments)[:2], (1, "unsafe unreach-call\n"), arguments)
        (project / "m.c").write_text('#include "secret.h"\n' + PROGRAM)
        (outside / "secret.h").write_text("\n")
        self.assertEqual(answer(["-I", str(outside)], "-I", outside)[:2], (1, "unsafe unreach-call\n"))


@unittest.skipIf(shutil.which("clang-14") is None or shutil.which("bwrap") is None, "no C or no sandbox here")
class Headers(NamesTest):
    """Nothing but the program's own folder is read into messages."""

    def setUp(self):
        super().setUp()
        self.secret = self.write("secret.txt", "xyzzy is the secret\n")
        self.home = self.folder / "home"
        self.home.mkdir()

    def message(self, path, *options, environment=None):
        code, out, err = self.check(path, *options, environment=environment)
        self.assertEqual((code, out), (65, ""), err)
        self.assertNotIn("xyzzy", err)
        self.assertIn("file not found", err)

    def test_links_out_of_a_shared_folder(self):
        for variable in ("HOME", "TMPDIR"):
            (self.home / "tmp").mkdir(exist_ok=True)
            place = self.home if variable == "HOME" else self.home / "tmp"
            environment = {**os.environ, variable: str(place)}
            for name, target in (("h.h", self.secret), ("i.h", "../secret.txt" if variable == "HOME" else
                                                        "../../secret.txt")):
                (place / name).symlink_to(target)
                (place / "m.c").write_text(f'#include "{name}"\n' + PROGRAM)
                self.message(place / "m.c", environment=environment)
            (place / "own.h").write_text("#define FIVE 5\n")
            (place / "alias.h").symlink_to("own.h")
            for name in ("own.h", "alias.h"):
                (place / "m.c").write_text(f'#include "{name}"\n' + PROGRAM.replace("5", "FIVE"))
                self.assertEqual(self.check(place / "m.c", environment=environment)[:2], (1, "unsafe unreach-call\n"))

    def test_paths_that_go_up_behind_a_link(self):
        inner = self.folder / "deep" / "inner"
        inner.mkdir(parents=True)
        (self.folder / "link").symlink_to(inner)
        (self.folder / "deep" / "five.h").write_text("#define FIVE 5\n")
        (self.folder / "deep" / "m.c").write_text('#include "five.h"\n' + PROGRAM.replace("5", "FIVE"))
        self.assertEqual(self.check(self.folder / "link" / ".." / "m.c")[:2], (1, "unsafe unreach-call\n"))

    def test_links_out_of_the_programs_folder(self):
        project = self.folder / "project"
        project.mkdir()
        (project / "h.h").symlink_to(self.secret)
        (project / "d").symlink_to(self.folder)
        for name in ("h.h", "d/secret.txt", "../secret.txt"):
            (project / "m.c").write_text(f'#include "{name}"\n' + PROGRAM)
            self.message(project / "m.c")

    def test_a_folder_of_headers_is_no_way_to_a_home(self):
        (self.home / "secret.txt").write_text("xyzzy\n")
        (self.home / ".ssh").mkdir()
        (self.home / ".ssh" / "key").write_text("xyzzy\n")
        project = self.home / "project"
        project.mkdir()
        environment = {**os.environ, "HOME": str(self.home)}
        for name in ("secret.txt", ".ssh/key"):
            (project / "m.c").write_text(f'#include "{name}"\n' + PROGRAM)
            self.message(project / "m.c", "-I", self.home, environment=environment)

    def test_a_folder_that_is_not_there_does_not_end_the_sandbox(self):
        for name in (str(self.secret), "/etc/passwd"):
            project = self.folder / "project"
            project.mkdir(exist_ok=True)
            (project / "m.c").write_text(f'#include "{name}"\n' + PROGRAM)
            self.message(project / "m.c", "-I", "/nowhere", "-I", "also/nowhere")
            code, _, err = self.check(project / "m.c", "--include", "/nowhere.h")
            self.assertEqual(code, 65)
            self.assertNotIn("root:", err)

    @unittest.skipIf(os.geteuid() != 0 or not os.access("/home", os.W_OK), "only root makes homes")
    def test_homes_of_others_without_home(self):
        place = pathlib.Path("/home/lemmata-names-test")
        place.mkdir()
        self.addCleanup(shutil.rmtree, place, ignore_errors=True)
        (place / "key").write_text("xyzzy\n")
        (place / "h.h").symlink_to("key")
        (place / "i.h").symlink_to(self.secret)
        environment = {key: value for key, value in os.environ.items() if key != "HOME"}
        for name in ("key", "i.h"):
            (place / "m.c").write_text(f'#include "{name}"\n' + PROGRAM)
            self.message(place / "m.c", environment=environment)


@unittest.skipIf(shutil.which("yosys") is None, "no Verilog here")
class Designs(NamesTest):
    def test_names_are_names(self):
        for name in ("a.v", "x.v", "script.ys@.v", "file0@.v"):  # what patterns and marks could mean
            self.write(name, DESIGN.format("m", "q"))
        for stem in NAMES:
            for extension in (".v", ".sv"):
                name = stem + extension
                with self.subTest(name=name):
                    if not (self.folder / name).exists():
                        self.write(name, DESIGN.format("m", "a"))
                    code, out, err = self.check("--", name)
                    if any(c in stem for c in '"\\\n\t'):
                        self.assertEqual((code, out), (64, ""))
                        self.assertIn("yosys takes no file", err)
                    else:
                        self.assertEqual((code, out.split()[:1]), (1, ["unsafe"]), err)
                    (self.folder / name).unlink()

    def test_values_of_options(self):
        self.write("m.v", DESIGN.format("m", "a"))
        for words in (["-D", "@script.ys@"], ["-D", "A;!touch pwned"], ["-D", "A\n!touch pwned"], ["--top", "m\n!touch pwned"],
                      ["--top", "m;!touch pwned"], ["--top", "@raw.il@"], ["--parameter", "A=1\n!touch pwned"],
                      ["--parameter", "A=@x@"], ["-I", "@x"]):
            code, out, err = self.check("m.v", *words)
            self.assertEqual((code, out), (64, ""), f"{words} {err}")

    def test_folders_with_patterns_in_their_names(self):
        for name in ("p[1]", "p1", "p*"):
            (self.folder / name).mkdir()
            self.write(f"{name}/m.v", DESIGN.format("m", "q" if name == "p1" else "a"))
        self.assertEqual(self.check("p[1]/m.v")[0], 1)
        self.assertEqual(self.check("p*/m.v")[0], 1)
        self.assertEqual(self.check("p1/m.v")[0], 0)

    def test_it_says_when_there_is_no_sandbox(self):
        self.write("m.v", DESIGN.format("m", "a"))
        code, _, err = self.check("m.v", environment=self.without_sandbox())
        self.assertEqual(code, 1)
        self.assertEqual(err.count("warning: read by yosys without a sandbox"), 1, err)


class Campaigns(NamesTest):
    def test_names_in_the_scripts_of_contenders(self):
        self.write("a;!touch pwned.aag", support.SAFE)
        self.write("plan.yml", "inputs: ['*.aag']\ncontenders:\n- {name: abc, command: 'sh -c \"echo {file}\"'}\n")
        code, out, err = self.run_program("campaign", "plan.yml", "--db", "c.db")
        self.assertEqual((code, out), (64, ""))
        self.assertIn("cannot stand in 'echo {file}' of 'abc'", err)
        self.write("plan.yml", "inputs: ['*.aag']\ncontenders:\n- {name: echo, command: 'echo {file}', safe: touch}\n")
        self.assertEqual(self.run_program("campaign", "plan.yml", "--db", "c.db")[0], 0)
        self.assertFalse((self.folder / "pwned").exists())

    def test_our_own_runs(self):
        for name in ("-x_safe.aag", "@x_safe.aag", "a b_safe.aag", "a\nb_safe.aag", "'; touch pwned '_safe.aag"):
            self.write(name, support.SAFE)
        code, out, err = self.run_program("campaign", ".", "--db", "c.db")
        self.assertEqual((code, out), (0, "5 of 5 runs: 5 safe, 0 unsafe, 0 unknown, 0 errors, 0 wrong\n"), err)
        self.assertFalse((self.folder / "pwned").exists())


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    support.main()
