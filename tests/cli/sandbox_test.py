#!/usr/bin/env python3
"""The program under analysis and the compiler that reads it do nothing outside their sandbox, and leave
nothing behind however a run ends: as the user who runs this, and as an ordinary one if that is root.
usage: sandbox_test.py [--build FOLDER] [TestClass.test_name]"""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time
import unittest

import support
from support import ROOT, ProgramTest

NOBODY = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
HEAD = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n"
MAIN = "int main(void) { if (__VERIFIER_nondet_int() == 5) reach_error(); return 0; }\n"

# What is executed before main, or compiled in by another compiler alone.
ESCAPES = {
    "system": "extern int system(const char *);\n__attribute__((constructor)) static void a(void)"
              ' { system("touch OUT/a /tmp/lemmata_escape; sleep 30 &"); }\n',
    "another compiler": '#ifndef __clang__\nextern int system(const char *);\n'
                        '__attribute__((constructor)) static void a(void) { system("touch OUT/b"); }\n#endif\n',
    "daemon": "extern int fork(void), setsid(void), system(const char *), usleep(unsigned);\n"
              "__attribute__((constructor)) static void a(void) { if (fork() == 0) { setsid(); "
              'usleep(200000); system("touch OUT/c"); } }\n',
    "fork bomb": "extern int fork(void);\n__attribute__((constructor)) static void a(void)"
                 " { for (;;) fork(); }\n",
    "memory": "extern void *malloc(unsigned); extern void *memset(void *, int, unsigned);\n"
              "__attribute__((constructor)) static void a(void)"
              " { for (;;) memset(malloc(1 << 26), 1, 1 << 26); }\n",
    "own write": "extern int system(const char *);\nlong write(int f, const void *t, unsigned long n)"
                 ' { system("touch OUT/d"); return n; }\n',
    "raw call": '__attribute__((constructor)) static void a(void) { static const char p[] = "OUT/e";\n'
                'int r; __asm__ volatile("int $0x80" : "=a"(r) : "a"(8), "b"(p), "c"(0666)); }\n',
}
# Clang is busy with it for longer than anyone waits, the second one with a growing memory.
SLOW = "#if __INCLUDE_LEVEL__ < 60\n#include __FILE__\n#include __FILE__\n#endif\n"
LARGE = "#define X0 1+1+1+1+1+1+1+1+\n" + "".join(
    f"#define X{i + 1} X{i} X{i} X{i} X{i}\n" for i in range(20)) + "int x = X20 1;\n" + HEAD + MAIN


def processes_of(folder):
    """Those that have the folder's name among their arguments; this one has not."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if str(folder).encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            pass
    return found


class SandboxTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)
        # The user's programs, home and temporary files; all may be written to by anyone.
        self.places = {}
        for name in ("project", "home", "tmp", "out"):
            self.places[name] = self.folder / name
            self.places[name].mkdir()
            self.places[name].chmod(0o777)
        self.program = self.folder / "lemmata"
        shutil.copy(support.ARGS.build / "lemmata", self.program)
        self.program.chmod(0o755)
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(self.places["home"]),
                            "TMPDIR": str(self.places["tmp"]), "SECRET": "xyzzy"}

    def users(self):
        """Prefixes of commands: as we are, and as nobody if we may."""
        return [[], NOBODY] if os.geteuid() == 0 else [[]]

    def begin(self, user, *arguments):
        return subprocess.Popen([*user, self.program, *map(str, arguments)], env=self.environment,
                                cwd=self.places["project"], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                errors="replace")

    def lemmata(self, user, *arguments):
        process = self.begin(user, *arguments)
        out, err = process.communicate(timeout=120)
        return process.returncode, out, err

    def model(self, text, name="t.c"):
        path = self.places["project"] / name
        path.write_text(text.replace("OUT", str(self.places["out"])))
        path.chmod(0o644)
        return path

    def expect_no_trace(self, keep=()):
        """No process and no file is left."""
        end = time.monotonic() + 5
        while processes_of(self.folder) and time.monotonic() < end:
            time.sleep(0.02)
        self.assertEqual(processes_of(self.folder), [])
        for name in ("home", "tmp", "out"):
            self.assertEqual(list(self.places[name].iterdir()), [], name)
        self.assertFalse(pathlib.Path("/tmp/lemmata_escape").exists())
        left = {path.name for path in self.places["project"].iterdir()}
        self.assertLessEqual(left, {"t.c", *keep})


class Escapes(SandboxTest):
    def test_checking_runs_nothing_outside(self):
        for name, text in ESCAPES.items():
            for user in self.users():
                with self.subTest(name, user=user[:1]):
                    model = self.model(text + HEAD + MAIN)
                    # Refused, found and confirmed, not confirmed, or proved (an endless constructor: main never
                    # starts): all are answers.
                    self.assertIn(self.lemmata(user, "check", model, "--timeout", 60)[0], (0, 1, 2, 65))
                    time.sleep(0.3)
                    self.expect_no_trace()

    def test_validating_runs_nothing_outside(self):
        """The witness of a harmless program, with the hash of the other."""
        witness = self.places["project"] / "w.yml"
        harmless = self.model(HEAD + MAIN)
        self.assertEqual(self.lemmata([], "check", harmless, "--witness", witness)[0], 1)
        text, before = witness.read_text(), self.digest(harmless)
        for name, escape in ESCAPES.items():
            # One line, so that the places in the witness stay right.
            escape = escape if escape.startswith("#") else escape.replace("\n", " ")
            model = self.model((HEAD + MAIN).rstrip("\n") + " " + escape + "\n"
                               if not escape.startswith("#") else HEAD + MAIN + escape)
            witness.write_text(text.replace(before, self.digest(model)))
            witness.chmod(0o644)
            for user in self.users():
                with self.subTest(name, user=user[:1]):
                    code = self.lemmata(user, "validate", model, "--witness", witness)[0]
                    self.assertIn(code, (0, 2, 65, 70))
                    time.sleep(0.3)
                    self.expect_no_trace(keep=("w.yml",))

    def digest(self, path):
        return subprocess.run(["sha256sum", path], capture_output=True, text=True).stdout.split()[0]

    def test_code_for_another_compiler_is_no_code(self):
        model = self.model("extern void reach_error(void); int x;\n"
                           "#ifndef __clang__\n__attribute__((constructor)) static void a(void) { x = 1; }\n"
                           "#endif\n" + HEAD + "int main(void) { if (x == 1) reach_error(); return 0; }\n")
        self.assertEqual(self.lemmata([], "check", model)[:2], (0, "safe unreach-call\n"))
        for user in self.users():
            model = self.model(ESCAPES["another compiler"] + HEAD + MAIN)
            self.assertEqual(self.lemmata(user, "check", model)[:2], (1, "unsafe unreach-call\n"))
            self.expect_no_trace()

    def test_the_compiler_sees_the_folder_and_no_more(self):
        secret = self.places["home"] / "secret.h"
        secret.write_text("xyzzy\n")
        for name in ("/etc/passwd", secret, "../home/secret.h"):
            for user in self.users():
                with self.subTest(name, user=user[:1]):
                    model = self.model(f'#include "{name}"\n' + HEAD + MAIN)
                    code, out, err = self.lemmata(user, "check", model)
                    self.assertEqual((code, out), (65, ""))
                    self.assertIn(f"t.c:1:10: error: clang: '{name}' file not found", err)
                    self.assertNotIn("xyzzy", err)
                    self.assertNotIn("root", err.replace(str(self.folder), ""))
        self.model("#define FIVE 5\n", "five.h")
        model = self.model('#include "five.h"\n' + HEAD + MAIN.replace("5", "FIVE"))
        self.assertEqual(self.lemmata([], "check", model)[:2], (1, "unsafe unreach-call\n"))
        self.assertEqual(self.lemmata([], "check", "t.c")[:2], (1, "unsafe unreach-call\n"))
        self.assertEqual(self.lemmata([], "check", "../project/t.c")[:2], (1, "unsafe unreach-call\n"))

    def test_places_are_as_the_user_wrote_them(self):
        self.model("int main(void) { return x; }\n")
        for name in ("t.c", "./t.c", "../project/t.c", self.places["project"] / "t.c"):
            err = self.lemmata([], "check", name)[2]
            self.assertTrue(err.startswith(f"{name}:1:25: error: clang:"), err)


class Leftovers(SandboxTest):
    """However a run ends while clang is at work, nothing is left."""

    def slow_run(self, user, *options, text=SLOW):
        model = self.model(text + HEAD + MAIN)
        process = self.begin(user, "check", model, *options)
        end = time.monotonic() + 30
        while not any(self.is_compiler(pid) for pid in processes_of(self.folder)):
            self.assertLess(time.monotonic(), end, "clang never started")
            time.sleep(0.01)
        return process

    def is_compiler(self, pid):
        try:
            return pathlib.Path(f"/proc/{pid}/exe").readlink().name.startswith("clang")
        except OSError:
            return False

    def ends(self, process, code, line):
        start = time.monotonic()
        out, _ = process.communicate(timeout=30)
        self.assertEqual((process.returncode, out), (code, line))
        self.expect_no_trace()
        return time.monotonic() - start

    def test_timeout(self):
        for user in self.users():
            process = self.slow_run(user, "--timeout", 1.5)
            self.assertLess(self.ends(process, 2, f"unknown {self.places['project']}/t.c: timeout\n"), 6)

    def test_interrupts(self):
        for stop in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for user in self.users():
                process = self.slow_run(user)
                process.send_signal(stop)
                self.ends(process, 2, f"unknown {self.places['project']}/t.c: interrupted\n")

    def test_kill(self):
        for user in self.users():
            for command in ("check", "convert"):
                model = self.model(SLOW)
                process = self.slow_run(user) if command == "check" else self.begin(
                    user, "convert", model, "-o", self.places["project"] / "t.smt2")
                time.sleep(0.3)
                process.kill()
                self.ends(process, -signal.SIGKILL, "")

    def test_memory(self):
        """What the compiler uses counts."""
        for user in self.users():
            process = self.slow_run(user, "--memory", 300, "--timeout", 60, text=LARGE)
            self.ends(process, 2, f"unknown {self.places['project']}/t.c: memory\n")

    def test_kill_at_any_time(self):
        model = self.model(HEAD + MAIN)
        for i in range(12):
            process = self.begin([], "check", model, "--engine", "bmc")
            time.sleep(0.04 * i)
            process.kill()
            process.communicate()
            self.expect_no_trace()


class Bitcode(SandboxTest):
    def bitcode(self, *flags):
        model = self.model(HEAD + MAIN)
        return subprocess.run(["clang-14", "-O1", "-Xclang", "-disable-llvm-passes", "-g", *flags,
                               "-emit-llvm", "-c", model, "-o", "-"], capture_output=True, check=True).stdout

    def test_llvm_code_is_run_natively(self):
        for flags in (["-m32"], ["-m64"]):
            for name in ("p.bc", "p.ll"):
                path = self.places["project"] / name
                path.write_bytes(self.bitcode(*flags, *(["-S"] if name == "p.ll" else [])))
                path.chmod(0o644)
                code, out, err = self.lemmata([], "check", path, "-v")
                self.assertEqual((code, out), (1, "unsafe unreach-call\n"), err)
                self.assertIn("evidence accepted", err)
        self.expect_no_trace(keep=("p.bc", "p.ll"))

    def test_damaged_code_is_refused_without_a_crash(self):
        whole = self.bitcode("-m32")
        path = self.places["project"] / "p.bc"
        chance = random.Random(241)
        for i in range(241):
            code = bytearray(whole)
            for _ in range(chance.choice((1, 1, 2, 8))):
                code[chance.randrange(len(code))] = chance.randrange(256)
            path.write_bytes(code[:chance.randrange(len(code))] if i % 8 == 0 else code)
            with self.subTest(i):
                exit_code, out, err = self.lemmata([], "check", path, "--timeout", 30)
                self.assertIn(exit_code, (0, 1, 2, 64, 65), err)
                self.assertNotIn("internal", err)
                if exit_code == 65:
                    self.assertTrue(err.startswith(f"{path}:"), err)
        self.expect_no_trace(keep=("p.bc",))


class WithoutSandbox(SandboxTest):
    """A bubblewrap that does not work stands for a machine without."""

    def setUp(self):
        super().setUp()
        programs = self.folder / "bin"
        programs.mkdir()
        (programs / "bwrap").write_text("#!/bin/sh\necho 'bwrap: no permissions' >&2\nexit 1\n")
        (programs / "bwrap").chmod(0o755)
        self.environment["PATH"] = f"{programs}:{os.environ['PATH']}"

    def test_nothing_of_the_program_is_run(self):
        model = self.model(ESCAPES["another compiler"] + HEAD + MAIN)
        code, out, err = self.lemmata([], "check", model, "--json", self.places["project"] / "r.json")
        self.assertEqual((code, out), (1, "unsafe unreach-call\n"), err)
        self.assertIn("note: unreach-call is certified by replay", err)
        self.assertIn('"certified": "replay"', (self.places["project"] / "r.json").read_text())
        self.expect_no_trace(keep=("r.json",))

    def test_never(self):
        del self.environment["PATH"]
        self.environment["PATH"] = os.environ["PATH"]
        model = self.model(HEAD + MAIN)
        code, out, err = self.lemmata([], "check", model, "--native", "never", "--json", "-")
        self.assertEqual((code, err), (1, "unsafe unreach-call\n"))
        self.assertIn('"certified": "replay"', out)
        self.assertEqual(self.lemmata([], "check", model, "--native", "always")[0], 64)


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    if shutil.which("clang-14") is None:
        print("0 passed, 0 failed, 1 skipped")  # no C here
    else:
        support.main()
