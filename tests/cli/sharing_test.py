#!/usr/bin/env python3
"""Lemmas that runs on the same model leave for each other in a folder (ic3.lemmas, portfolio.share)."""
import json
import os
import random

from support import ROOT, ProgramTest, counter, main

ARBITER = ROOT / "bench" / "models" / "arbiter_safe.aag"


class Sharing(ProgramTest):
    def setUp(self):
        super().setUp()
        self.lemmas = self.folder / "lemmas"
        self.lemmas.mkdir()

    def check(self, model, *more, settings=(), verdict="safe"):
        """What the run counted about shared lemmas."""
        words = [word for setting in settings for word in ("--set", setting)]
        code, out, errors = self.run_program("check", model, "--json", "out.json", *more, *words)
        self.assertEqual((code, out.split(" ")[0]), (0 if verdict == "safe" else 1, verdict), errors)
        stats = json.loads((self.folder / "out.json").read_text())["stats"]
        return {name.removeprefix("ic3.shared-"): value for name, value in stats.items() if "shared" in name}

    def ic3(self, model, *settings, **more):
        return self.check(model, "--engine", "ic3", settings=[f"ic3.lemmas={self.lemmas}", *settings], **more)

    def test_runs_with_other_transforms_understand_each_other(self):
        """Without transforms the model has more latches, under other numbers."""
        off = [f"transform.{name}=off" for name in ("coi", "ternary", "latches", "sweep")]
        self.assertGreater(self.ic3(ARBITER)["sent"], 0)
        self.assertGreater(self.ic3(ARBITER, *off)["taken"], 0)
        for path in self.lemmas.iterdir():
            path.unlink()
        self.assertGreater(self.ic3(ARBITER, *off, "ic3.seed=3")["sent"], 0)
        self.assertGreater(self.ic3(ARBITER, "transform.fold=on")["taken"], 0)

    def test_words_are_shared_by_their_bits(self):
        model = self.write("m.btor2", "\n".join((
            "1 sort bitvec 1", "2 sort bitvec 8", "3 input 1 go", "4 state 2 x", "5 state 2 y", "6 zero 2", "7 one 2",
            "8 init 2 4 6", "9 init 2 5 6", "10 add 2 4 7", "11 constd 2 200", "12 ult 1 4 11", "13 and 1 3 12",
            "14 ite 2 13 10 4", "15 next 2 4 14", "16 ite 2 3 4 5", "17 next 2 5 16", "18 constd 2 201",
            "19 ugt 1 5 18", "20 bad 19")) + "\n")
        sent = self.ic3(model)["sent"]
        self.assertGreater(sent, 0)
        self.assertGreater(self.ic3(model, "ic3.seed=2")["received"], 0)

    def test_a_folder_full_of_lies_changes_no_verdict(self):
        """Lemmas of a model that is safe, given to one that is not; then all of them negated, cut and garbled."""
        safe = self.write("safe.aag", counter(6, 50, 40))
        unsafe = self.write("unsafe.aag", counter(6, 50))
        self.ic3(safe)
        text = "".join(path.read_text() for path in self.lemmas.iterdir())
        self.assertTrue(text)
        self.ic3(unsafe, verdict="unsafe")
        chance = random.Random(1)
        for i in range(10):
            lines = text.splitlines()
            chance.shuffle(lines)
            garbled = bytearray("\n".join(("inf " + line.split(" ", 1)[1]).replace(" !", " ") if k % 2 else line
                                          for k, line in enumerate(lines)).encode())
            for _ in range(i):
                garbled[chance.randrange(len(garbled))] = chance.randrange(256)
            (self.lemmas / f"liar{i}.lemmas").write_bytes(bytes(garbled[:chance.randrange(1, len(garbled) + 1)]))
            self.ic3(unsafe, verdict="unsafe")
            self.ic3(safe)

    def test_what_is_no_folder_is_no_obstacle(self):
        self.lemmas = self.write("file", "x")
        self.ic3(ARBITER)
        self.lemmas = self.folder / "absent"
        self.ic3(ARBITER)

    def test_a_portfolio_has_a_folder_of_its_own_and_removes_it(self):
        scratch = self.folder / "tmp"
        scratch.mkdir()
        os.environ["TMPDIR"] = str(scratch)
        self.addCleanup(os.environ.pop, "TMPDIR")
        self.check(ARBITER, settings=["portfolio.share=on"])
        self.assertEqual(list(scratch.iterdir()), [])
        self.check(ARBITER, settings=["portfolio.share=on", f"ic3.lemmas={self.lemmas}"])
        self.assertTrue(list(self.lemmas.iterdir()))


if __name__ == "__main__":
    main()
