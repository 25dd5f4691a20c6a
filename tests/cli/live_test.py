#!/usr/bin/env python3
"""Justice properties from the command line: verdicts, lassos as files, what is refused."""
from support import ROOT, SAFE, ProgramTest, main

REGRESS = ROOT / "tests/regress"
STICKY = REGRESS / "aiger/sticky_justice_unsafe.aag"
FAIR = REGRESS / "aiger/sticky_fairness_safe.aag"
TOGGLES = REGRESS / "btor2/toggles_justice_unsafe.btor2"
RECURS = REGRESS / "vmt/recurs_unsafe.vmt"


class Live(ProgramTest):
    def test_every_method_gives_the_verdict(self):
        for method in ("l2s", "l2s:constant", "klive", "klive:Claessen12", "rlive", "auto"):
            with self.subTest(method=method):
                self.expect(1, "unsafe j0\n", "check", STICKY, "--engine", method)
                self.expect(0, "safe j0\n", "check", FAIR, "--engine", method)

    def test_lassos_are_written_and_accepted(self):
        for model, name in ((STICKY, "j0"), (TOGGLES, "j0"), (RECURS, "p0")):
            with self.subTest(model=model.name):
                lasso = self.folder / "lasso.txt"
                self.expect(1, f"unsafe {name}\n", "check", model, "--witness", lasso)
                self.expect(0, f"accepted {name}\n", "validate", model, "--witness", lasso)

    def test_an_aiger_lasso_names_its_property_and_must_close(self):
        lasso = self.folder / "lasso.wit"
        self.run_program("check", STICKY, "--witness", lasso)
        lines = lasso.read_text().splitlines()
        self.assertEqual(lines[:3], ["1", "j0", "0"])
        opened = self.write("open.wit", "1\nj0\n0\n1\n.\n")
        code, out, _ = self.run_program("validate", STICKY, "--witness", opened)
        self.assertEqual(code, 70, out)
        self.assertIn("no state comes back after the last step", out)

    def test_a_table_says_from_where_on_it_goes_on_for_ever(self):
        table = self.folder / "lasso.txt"
        self.run_program("check", RECURS, "--witness", table)
        self.assertIn("on, for ever: after the last step comes step", table.read_text())

    def test_both_kinds_of_property_are_listed_and_answered(self):
        model = self.write("both.aag", "aag 1 1 0 0 0 1 0 1\n2\n0\n1\n2\n")
        code, out, _ = self.run_program("properties", model)
        self.assertEqual(code, 0)
        self.assertRegex(out, r"b0 +bad")
        self.assertRegex(out, r"j0 +justice")
        self.expect(1, "safe b0\nunsafe j0\n", "check", model)

    def test_what_is_for_the_other_kind_is_refused(self):
        code, _, err = self.run_program("check", STICKY, "--engine", "ic3")
        self.assertEqual(code, 64)
        self.assertIn("engine 'ic3' works on safety properties, 'j0' is a justice property", err)
        code, _, err = self.run_program("check", self.write("safe.aag", SAFE), "--engine", "klive")
        self.assertEqual(code, 64)
        self.assertIn("engine 'klive' works on justice properties, 'o0' is a safety property", err)
        code, _, err = self.run_program("convert", STICKY, "-o", self.folder / "out.btor2")
        self.assertEqual(code, 64)

    def test_aiger_and_btor2_keep_justice_and_fairness(self):
        for model, suffix, code in ((FAIR, ".aig", 0), (STICKY, ".aag", 1), (TOGGLES, ".btor2", 1)):
            with self.subTest(model=model.name):
                copy = self.folder / ("copy" + suffix)
                self.assertEqual(self.run_program("convert", model, "-o", copy)[0], 0)
                self.assertEqual(self.run_program("check", copy)[0], code)

    def test_suprove_answers_for_mode_live(self):
        for model, first in ((STICKY, "1\nj0\n"), (FAIR, "0\nj0\n.\n")):
            _, out, err = self.run_program("sby", "--as", "suprove", "+simple_liveness", model)
            self.assertTrue(out.startswith(first), out + err)


if __name__ == "__main__":
    main()
