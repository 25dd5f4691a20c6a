#!/usr/bin/env python3
"""Lemmata in the place of other engines: the conversations that sby has with them, HWMCC's command line, --depth."""
import os
import re
import signal
import subprocess
import time

from support import ARGS, HARD, MIXED, SAFE, UNSAFE, ProgramTest, counter, main

# A counter of 3 bits; two bad states: 5 is reached at step 5, 9 never.
BTOR2 = """1 sort bitvec 4
2 zero 1
3 state 1 count
4 init 1 3 2
5 one 1
6 constd 1 7
7 sort bitvec 1
8 eq 7 3 6
9 add 1 3 5
10 ite 1 8 2 9
11 next 1 3 10
12 constd 1 5
13 eq 7 3 12
14 bad 13 five
15 constd 1 9
16 eq 7 3 15
17 bad 16 nine
"""
ONE_BAD = BTOR2.replace("17 bad 16 nine\n", "")
SAFE_BTOR2 = BTOR2.replace("14 bad 13 five\n", "")


def sby_aiger(output, bounded):
    """What sby's aiger engine makes of the output: (status, lines of trace.aiw). Follows sby_engine_aiger.py:
    one status line, then everything up to the dot."""
    status, trace, inside = None, [], False
    for line in output.splitlines():
        if status is not None:
            if inside:
                trace.append(line)
                inside = line != "."
            continue
        if line.startswith("u"):
            int(line[1:])  # sby does this, and dies of anything else
        elif line in ("0", "1", "2"):
            status = {"0": "PASS", "1": "FAIL", "2": "PASS" if bounded else "UNKNOWN"}[line]
            inside = True
    return status or "ERROR", trace


def sby_btor(output, pono=False, cover=False):
    """The same for sby_engine_btor.py: (status, witnesses)."""
    expected, witnesses, status, current = 1, [], None, None
    for line in output.splitlines():
        match = re.search(r"calling BMC on ([0-9]+) properties", line)
        if match and cover:
            expected = int(match.group(1))
        if current is not None:
            current.append(line)
            if line == ".":
                witnesses.append(current)
                current = None
        elif line == "sat":
            status, current = "sat", [line]
        elif pono and line == "unknown" or not pono and "deleting model checker:" in line:
            status = status or "unsat"
    if status is None:
        return "ERROR", witnesses
    if cover:
        return "PASS" if len(witnesses) == expected else "FAIL", witnesses
    return "FAIL" if status == "sat" else "PASS", witnesses


class Sby(ProgramTest):
    def ask(self, name, *arguments, code=0):
        """Runs as that engine; returns what sby reads, which is both streams together."""
        got, out, errors = self.run_program("sby", "--as", name, *arguments)
        self.assertEqual(got, code, out + errors)
        self.assertEqual(errors, "")
        return out


class Aiger(Sby):
    def test_recorded_conversations(self):
        safe, unsafe = self.write("s.aag", SAFE), self.write("u.aag", UNSAFE)
        mixed = self.write("m.aag", MIXED)
        for name, before in (("suprove", []), ("avy", ["--cex", "-"]), ("rIC3", ["--witness"])):
            self.assertEqual(self.ask(name, *before, safe), "0\nb0\n.\n")
            self.assertEqual(self.ask(name, *before, unsafe), "1\nb0\n0\n\n\n.\n")
            self.assertEqual(self.ask(name, *before, mixed), "1\nb1\n00\n\n\n.\n")
        self.assertEqual(self.ask("suprove", "+simple_liveness", safe), "0\nb0\n.\n")

    def test_bounds(self):
        model = self.write("c.aag", counter(4, 6))
        for name, arguments in (("aigbmc", lambda k: [k]), ("rIC3", lambda k: ["--bmc-max-k", k, "-e", "bmc", "-v", "0",
                                                                              "--witness"])):
            for last, status in ((0, "PASS"), (5, "PASS"), (6, "FAIL"), (20, "FAIL")):
                got, trace = sby_aiger(self.ask(name, *arguments(last), model), True)
                self.assertEqual(got, status, (name, last))
                if status == "FAIL":
                    self.assertEqual(len(trace), 2 + 7 + 1)  # b0, latches, seven steps, dot

    def test_a_bound_of_no_step(self):
        model = self.write("z.aag", "aag 1 0 1 1 0\n2 2 1\n2\n")  # bad at once
        self.assertEqual(sby_aiger(self.ask("aigbmc", 0, model), True)[0], "FAIL")
        self.assertEqual(sby_aiger(self.ask("aigbmc", 0, self.write("u.aag", UNSAFE)), True)[0], "PASS")

    def test_the_trace_is_a_witness(self):
        model = self.write("c.aag", counter(4, 6))
        _, trace = sby_aiger(self.ask("suprove", model), False)
        self.write("c.wit", "\n".join(["1", *trace]) + "\n")
        self.expect(0, "accepted b0\n", "validate", model, "--witness", "c.wit")

    def test_no_pass_without_an_answer(self):
        """Refused input, and a run that is ended before the bound: never 0, never 2."""
        cut = self.write("l.aag", "aag 1 0 1 0 0 0 0 1\n2 2\n9\n2\n")
        self.assertEqual(self.ask("suprove", cut, code=65), "")
        self.assertEqual(self.ask("suprove", self.folder / "none.aag", code=66), "")
        self.assertEqual(self.ask("suprove", self.write("n.aag", "aag 1 0 1 0 0\n2 2\n"), code=64), "")
        for arguments, prints in ((("aigbmc", 100000), ""), (("suprove",), None)):
            process = self.start("sby", "--as", *arguments, self.write("h.aag", HARD))
            time.sleep(1)
            process.send_signal(signal.SIGTERM)
            out, errors = process.communicate(timeout=20)
            self.assertEqual(errors, "")
            if prints is not None:
                self.assertEqual(out, prints)
                self.assertNotEqual(process.returncode, 0)
            self.assertNotIn(sby_aiger(out, False)[0], ("PASS", "FAIL"))

    def test_a_link_is_enough(self):
        link = self.folder / "suprove"
        os.symlink(ARGS.build / "lemmata", link)
        done = subprocess.run([link, self.write("s.aag", SAFE)], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "0\nb0\n.\n", ""))

    def test_usage(self):
        self.assertEqual(self.run_program("sby", "--as", "nobody", "x.aig")[0], 64)
        self.assertEqual(self.run_program("sby", "--as", "aigbmc", self.write("s.aag", SAFE))[0], 64)
        self.assertEqual(self.run_program("sby", "--as", "btormc", "-kmax", "x", "m.btor")[0], 64)
        self.assertEqual(self.run_program("sby", "--as", "suprove")[0], 64)


class Btor(Sby):
    def btormc(self, last, text, stop_first=1):
        return self.ask("btormc", "--stop-first", stop_first, "-v", "1", "-kmax", last, self.write("m.btor", text))

    def pono(self, last, text):
        return self.ask("pono", "--witness", "-v", "1", "-e", "bmc", "-k", last, self.write("m.btor", text))

    def test_recorded_conversations(self):
        self.assertEqual(self.pono(4, ONE_BAD), "unknown\n")
        witness = "sat\nb0\n#0\n0 0000 count#0\n@0\n" + "".join(f"#{k}\n@{k}\n" for k in range(1, 6)) + ".\n"
        self.assertEqual(self.pono(9, ONE_BAD), "at bound 5\n" + witness)
        self.assertEqual(self.btormc(4, ONE_BAD), "[btormc] calling BMC on 1 properties\n"
                                                  "[btormc] deleting model checker: 1 properties\n")
        self.assertEqual(self.btormc(9, ONE_BAD),
                         "[btormc] calling BMC on 1 properties\n[btormc] at bound k = 5\n" + witness +
                         "[btormc] deleting model checker: 1 properties\n")

    def test_as_sby_reads_it(self):
        for last, status in ((4, "PASS"), (5, "FAIL")):
            self.assertEqual(sby_btor(self.btormc(last, BTOR2))[0], status)
            self.assertEqual(sby_btor(self.pono(last, ONE_BAD), pono=True)[0], status)
        self.assertEqual(sby_btor(self.btormc(8, SAFE_BTOR2))[0], "PASS")

    def test_covers(self):
        status, witnesses = sby_btor(self.btormc(9, BTOR2, stop_first=0), cover=True)
        self.assertEqual((status, len(witnesses)), ("FAIL", 1))  # nine is never reached
        both = BTOR2.replace("15 constd 1 9", "15 constd 1 6")
        status, witnesses = sby_btor(self.btormc(9, both, stop_first=0), cover=True)
        self.assertEqual((status, [w[1] for w in sorted(witnesses)]), ("PASS", ["b0", "b1"]))

    def test_refusals(self):
        self.assertEqual(self.ask("pono", "-k", "3", self.write("bad.btor", "1 sort\n"), code=65), "")
        self.assertEqual(self.ask("btormc", "-kmax", "3", self.write("a.aag", SAFE), code=64), "")


class Hwmcc(ProgramTest):
    def test_answers_and_certificates(self):
        safe, unsafe = self.write("s.aag", SAFE), self.write("u.aag", UNSAFE)
        self.expect(1, "sat\n", "check", "--hwmcc", unsafe, "c.sat", "c.aag")
        self.assertFalse((self.folder / "c.aag").exists())
        self.expect(0, "accepted o0\n", "validate", unsafe, "--witness", "c.sat")
        self.expect(0, "unsat\n", "check", "--hwmcc", safe, "d.sat", "d.aig")
        self.assertTrue((self.folder / "d.aig").read_bytes().startswith(b"aig "))
        self.assertFalse((self.folder / "d.sat").exists())
        self.expect(0, "accepted o0\n", "validate", safe, "--certificate", "d.aig")
        self.expect(0, "unsat\n", "check", "--hwmcc", safe, "e.sat", "e.aag")
        self.assertTrue((self.folder / "e.aag").read_bytes().startswith(b"aag "))

    def test_btor2(self):
        self.expect(1, "sat\n", "check", "--hwmcc", self.write("m.btor2", ONE_BAD), "c.sat")
        self.expect(0, "accepted five\n", "validate", "m.btor2", "--witness", "c.sat")
        self.expect(0, "unsat\n", "check", "--hwmcc", self.write("n.btor2", SAFE_BTOR2), "c.sat", "c.btor2")
        self.expect(0, "accepted nine\n", "validate", "n.btor2", "--certificate", "c.btor2")

    def test_unknown_and_refusals(self):
        self.expect(2, "unknown\n", "check", "--hwmcc", self.write("h.aag", HARD), "c.sat", "--timeout", "0.5")
        mixed = self.write("m.aag", MIXED)
        self.assertEqual(self.run_program("check", "--hwmcc", mixed, "c.sat")[0], 64)
        self.expect(1, "sat\n", "check", "--hwmcc", mixed, "c.sat", "--property", "rises")
        self.assertEqual(self.run_program("check", "--hwmcc", mixed, "a", "b", "c")[0], 64)


class Depth(ProgramTest):
    def test_counts_steps(self):
        model = self.write("c.aag", counter(4, 6))
        self.expect(2, "unknown b0: bound reached\n", "check", model, "--depth", "6")
        self.expect(1, "unsafe b0\n", "check", model, "--depth", "7")
        self.expect(2, "unknown o0: bound reached\n", "check", self.write("u.aag", UNSAFE), "--depth", "1")
        self.expect(1, "unsafe o0\n", "check", self.write("z.aag", "aag 1 0 1 1 0\n2 2 1\n2\n"), "--depth", "1")
        self.expect(2, "unknown five: bound reached\n", "check", self.write("m.btor2", ONE_BAD), "--depth", "5")
        self.expect(1, "unsafe five\n", "check", "m.btor2", "--depth", "6")

    def test_only_bmc_has_one(self):
        code, _, errors = self.run_program("check", self.write("s.aag", SAFE), "--depth", "3", "--engine", "ic3")
        self.assertEqual(code, 64)
        self.assertIn("--depth", errors)
        self.assertEqual(self.run_program("check", "s.aag", "--depth", "0")[0], 64)


if __name__ == "__main__":
    main()
