#!/usr/bin/env python3
"""Deliberate faults, one at a time: does a test notice?

Every NNN-name.patch in this folder is one fault in src/ with a header:

  What: simple path compares only the latches that the claim names
  Tests: unit_check SimplePath.*          a test program and a filter; one line for each program
  Compile: tests/unit/engine/x_test.cpp   for faults in headers: what is compiled with the fault
  Equivalent: why no test can notice      instead of Tests, if that is so

`make mutants` takes test programs that are built already and sees that their tests pass. Then, for
each patch: it copies the files that the patch names to a folder of its own, applies the patch there,
compiles those files, links the test program once more with them in place of the good ones, and runs
the named tests. Neither the user's files nor the build are touched, and a mutant costs one file to
compile. It is caught if a named test fails, crashes or hangs; one that does not compile is a mistake.
Answers are kept: --resume skips what was caught before. `--check` only asks whether every patch still
applies and every filter still names tests, and is part of `make test`.
"""
import argparse
import concurrent.futures
import fnmatch
import hashlib
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FEWEST = 60
MEMORY = 8 << 30  # bytes of address space of a test: a mutant may ask for anything


class Mutant:
    def __init__(self, path):
        self.path = path
        self.name = path.stem
        text = path.read_text()
        self.hash = hashlib.sha256(text.encode()).hexdigest()
        head = text.split("\n--- a/")[0]
        field = lambda key: re.findall(rf"^{key}: (.+)$", head, re.M)
        self.what = " ".join(field("What"))
        self.equivalent = " ".join(field("Equivalent"))
        self.tests = [line.split() for line in field("Tests")]
        self.files = re.findall(r"^\+\+\+ b/(\S+)$", text, re.M)
        self.compiled = field("Compile") or [file for file in self.files if file.endswith(".cpp")]

    def problems(self):
        if not re.fullmatch(r"\d{3}-[a-z0-9-]+", self.name):
            yield "the name is not NNN-name"
        if not self.what:
            yield "no line 'What: '"
        if bool(self.tests) == bool(self.equivalent):
            yield "either 'Tests: ' or 'Equivalent: ' is wanted"
        if any(len(test) != 2 for test in self.tests):
            yield "'Tests: ' wants a program and a filter"
        if not self.files or any(not file.startswith("src/") for file in self.files):
            yield "a mutant changes files of src/"
        if not self.compiled:
            yield "a fault in a header wants a line 'Compile: '"


def apply(folder, patch, *options):
    """What git apply has to say; nothing if it went well. A repository around does not count."""
    env = dict(os.environ, GIT_CEILING_DIRECTORIES=str(folder.parent))
    if folder != ROOT:
        env["GIT_DIR"] = str(folder / "no-repository")
    done = subprocess.run(["git", "apply", *options, str(patch)], cwd=folder, env=env,
                          capture_output=True, text=True)
    return done.stderr.strip() or "git apply fails" if done.returncode else ""


def run_test(program, pattern, seconds):
    """(whether all of them passed, else what happened). The limit is on processor time, so that a
    busy machine makes nothing hang; whoever sleeps gets twenty times as much."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    command = [str(program), f"--gtest_filter={pattern}", "--gtest_fail_fast"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                              timeout=20 * seconds, preexec_fn=limit, cwd=program.parent)
        out, code, end = done.stdout, done.returncode, "fails"
        if code in (-signal.SIGXCPU, -signal.SIGKILL):
            end = "hangs"
    except subprocess.TimeoutExpired as stopped:
        out, code, end = (stopped.stdout or b"").decode(errors="replace"), 1, "hangs"
    if code == 0:
        none = "[  PASSED  ] 0 tests" in out
        return not none, f"no test {pattern}" if none else ""
    failed = re.findall(r"^\[  FAILED  \] ([\w/.]+)", out, re.M)
    begun = re.findall(r"^\[ RUN      \] ([\w/.]+)", out, re.M)
    if end == "fails" and not failed:
        end = "crashes"
    return False, f"{failed[0] if failed else (begun or [program.name])[-1]} {end}"


def used_by_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Build:
    """How the good program is compiled and linked, and how one with other objects is."""

    def __init__(self, folder):
        self.folder = folder.resolve()
        entries = json.loads((self.folder / "compile_commands.json").read_text())
        self.compile = {entry["file"]: entry["command"] for entry in entries}
        self.links = {}

    def object_of(self, file, source, headers, target):
        """Compiles `source`, which stands for the project's `file`. Quickly: it runs once."""
        command = [word for word in shlex.split(self.compile[str(ROOT / file)])
                   if not re.fullmatch(r"-O.|-W.*", word)]
        old = command[command.index("-o") + 1]
        command[command.index("-o") + 1] = str(target)
        command[command.index("-c") + 1] = str(source)
        command[1:1] = [f"-I{headers}", "-O0"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        return old, "" if done.returncode == 0 else done.stderr[-2000:]

    def link(self, program, objects, target):
        """`objects`: by the good object's name. One of an archive goes before all archives, so that
        nothing asks the archive for it."""
        if program not in self.links:
            listed = subprocess.run(["ninja", "-C", str(self.folder), "-t", "commands", program],
                                    check=True, capture_output=True, text=True).stdout
            parts = listed.splitlines()[-1].split(" && ")
            self.links[program] = next(part for part in parts if f"-o tests/{program} " in part)
        command = [objects.get(word, word) for word in shlex.split(self.links[program])]
        command[command.index("-o") + 1] = str(target)
        command[1:1] = [made for made in objects.values() if made not in command]
        if shutil.which("ld.lld"):
            command[1:1] = ["-fuse-ld=lld"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        return "" if done.returncode == 0 else done.stderr[-2000:]


class Runner:
    def __init__(self, args):
        self.args = args
        self.build = Build(args.build)
        self.results = args.scratch / "results.json"
        args.scratch.mkdir(parents=True, exist_ok=True)
        self.known = json.loads(self.results.read_text()) if self.results.exists() else {}

    def see_them_pass(self, mutants):
        """Whatever fails without a fault says nothing about one."""
        self.seconds = {}
        for program, pattern in sorted({tuple(test) for mutant in mutants for test in mutant.tests}):
            before = used_by_children()
            passed, what = run_test(self.build.folder / "tests" / program, pattern, 1800)
            self.seconds[program, pattern] = used_by_children() - before
            if not passed:
                sys.exit(f"mutants: without a fault, {program}: {what}")

    def judge(self, mutant):
        """(outcome, by what)"""
        folder = self.args.scratch / mutant.name
        shutil.rmtree(folder, ignore_errors=True)
        try:
            return self.judge_in(folder, mutant)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def judge_in(self, folder, mutant):
        for file in mutant.files:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, folder / file)
        if trouble := apply(folder, mutant.path):
            return "broken", f"does not apply: {trouble}"
        objects = {}
        for i, file in enumerate(mutant.compiled):
            source = folder / file if file in mutant.files else ROOT / file
            made = folder / f"{i}.o"
            old, trouble = self.build.object_of(file, source, folder / "src", made)
            if trouble:
                return "broken", f"does not compile\n{trouble}"
            objects[old] = str(made)
        for program, pattern in mutant.tests:
            if trouble := self.build.link(program, objects, folder / program):
                return "broken", f"does not link\n{trouble}"
            patience = 20 + 10 * int(self.seconds[program, pattern])
            passed, what = run_test(folder / program, pattern, patience)
            if not passed:
                return "caught", f"{program} {what}"
        return "missed", "every named test passes"

    def run(self, mutants):
        todo = [each for each in mutants if not each.equivalent]
        if self.args.resume:
            todo = [each for each in todo if self.known.get(each.name[4:], {}).get("hash") != each.hash
                    or self.known[each.name[4:]]["outcome"] != "caught"]
        self.see_them_pass(todo)
        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            running = {pool.submit(self.judge, mutant): mutant for mutant in todo}
            for done in concurrent.futures.as_completed(running):
                mutant, (outcome, what) = running[done], done.result()
                self.known[mutant.name[4:]] = {"hash": mutant.hash, "outcome": outcome, "what": what}
                self.results.write_text(json.dumps(self.known, indent=1, sort_keys=True) + "\n")
                print(f"{outcome:7} {mutant.name}: {what}", flush=True)
        return self.table(mutants)

    def table(self, mutants):
        print(f"\n{'mutant':46} outcome     by")
        count = {"caught": 0, "equivalent": 0, "missed": 0, "broken": 0}
        for mutant in mutants:
            known = self.known.get(mutant.name[4:], {"outcome": "missed", "what": "not run"})
            outcome, what = known["outcome"], known["what"].split("\n")[0]
            if mutant.equivalent:
                outcome, what = "equivalent", mutant.equivalent
            count[outcome] += 1
            print(f"{mutant.name:46} {outcome:10}  {what}")
        print(f"\n{len(mutants)} mutants: " + ", ".join(f"{n} {what}" for what, n in count.items()))
        return 1 if count["missed"] or count["broken"] else 0


def check(mutants, build):
    """Cheap: nothing is built or run but the test programs' lists of their tests."""
    trouble = []
    if len(mutants) < FEWEST:
        trouble.append(f"{len(mutants)} mutants, at least {FEWEST} are wanted")
    numbers = [mutant.name[:3] for mutant in mutants]
    trouble += [f"two mutants have the number {n}" for n in sorted(set(numbers)) if numbers.count(n) > 1]
    tests = {}
    for mutant in mutants:
        trouble += [f"{mutant.name}: {problem}" for problem in mutant.problems()]
        if wrong := apply(ROOT, mutant.path, "--check"):
            trouble.append(f"{mutant.name} does not apply any more; make it again: {wrong}")
        for program, pattern in mutant.tests if build else []:
            if program not in tests:
                tests[program] = names_in(build / "tests" / program)
            if not any(fnmatch.fnmatchcase(name, each) for name in tests[program]
                       for each in pattern.split(":")):
                trouble.append(f"{mutant.name}: {program} has no test {pattern}")
    for each in trouble:
        print(f"mutants: {each}", file=sys.stderr)
    if not trouble:
        equivalent = sum(bool(mutant.equivalent) for mutant in mutants)
        print(f"mutants: {len(mutants)} patches apply, {equivalent} of them equivalent")
    return 1 if trouble else 0


def names_in(program):
    listed = subprocess.run([str(program), "--gtest_list_tests"], capture_output=True, text=True)
    names, suite = [], ""
    for line in listed.stdout.splitlines():
        word = line.split("#")[0].rstrip()
        if word.startswith("  "):
            names.append(suite + word.strip())
        elif word.endswith("."):
            suite = word
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("only", nargs="*", help="names of mutants, or parts of them; all by default")
    parser.add_argument("--build", type=Path, help="where the test programs were built")
    parser.add_argument("--check", action="store_true", help="only whether patches still apply")
    parser.add_argument("--scratch", type=Path, default=ROOT / "build-mutants")
    parser.add_argument("--jobs", type=int, default=1, help="mutants at a time")
    parser.add_argument("--resume", action="store_true", help="skip what was caught before")
    parser.add_argument("--list", action="store_true", help="what they are, and nothing more")
    args = parser.parse_args()
    args.scratch = args.scratch.resolve()
    mutants = [Mutant(path) for path in sorted(HERE.glob("*.patch"))]
    if args.check:
        return check(mutants, args.build)
    if args.only:
        mutants = [each for each in mutants if any(part in each.name for part in args.only)]
    if args.list:
        for mutant in mutants:
            print(f"{mutant.name:46} {mutant.what}")
        return 0
    if not mutants:
        sys.exit("mutants: no such mutant")
    args.build = args.build or ROOT / "build"
    return Runner(args).run(mutants)


if __name__ == "__main__":
    sys.exit(main())
