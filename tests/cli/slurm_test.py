#!/usr/bin/env python3
"""Campaigns and single files on a Slurm cluster: a real one with two nodes on this machine."""
import json
import pathlib
import shutil
import signal
import sqlite3
import tempfile

import unittest

import cluster
from support import HARD, MIXED, ROOT, SAFE, UNSAFE, ProgramTest, counter, main, pipeline

WHY_NOT = cluster.why_not()


@unittest.skipIf(WHY_NOT, WHY_NOT)
class SlurmTest(ProgramTest):
    """One cluster for all tests of a class."""

    @classmethod
    def setUpClass(cls):
        cls.place = pathlib.Path(tempfile.mkdtemp(prefix="lemmata-slurm-"))
        cls.place.chmod(0o755)  # munged has a user of its own
        cls.addClassCleanup(shutil.rmtree, cls.place, ignore_errors=True)
        cls.cluster = cluster.Cluster(cls.place / "cluster")
        cls.addClassCleanup(cls.cluster.stop)

    def start(self, *arguments, **more):
        return super().start(*arguments, env=self.cluster.environment, **more)

    def rows(self, database, columns="file, verdict"):
        if not (self.folder / database).exists():
            return []
        connection = sqlite3.connect(self.folder / database)
        try:
            return connection.execute(f"SELECT {columns} FROM runs ORDER BY id").fetchall()
        except sqlite3.OperationalError:  # the table is not there yet
            return []
        finally:
            connection.close()

    def wait_for_rows(self, database, count):
        self.cluster.wait(lambda: len(self.rows(database)) >= count, f"row {count}", 60)

    def assert_queue_is_empty(self):
        """Tasks of a lost node leave the queue when the controller has noticed."""
        try:
            self.cluster.wait(lambda: not self.cluster.queue(), "the end of all jobs", 15)
        except TimeoutError:
            self.fail("\n".join(self.cluster.queue()))

    def sixty_examples(self):
        shutil.copytree(ROOT / "examples", self.folder / "models")
        examples = [p for p in (self.folder / "models").rglob("*") if p.stem.endswith(("_safe", "_unsafe"))]
        for i in range(60 - len(examples)):
            word = "safe" if i % 2 else "unsafe"
            self.write(f"models/m{i:03}_{word}.aag", counter(6, 5 + i, 4 if i % 2 else None))


class Campaigns(SlurmTest):
    def test_lost_node_and_killed_submitter_lose_nothing(self):
        self.sixty_examples()
        first = self.start("campaign", "models", "--db", "s.db", "--timeout", "60", "--on", "slurm:main")
        self.wait_for_rows("s.db", 5)
        self.cluster.lose("n1")
        self.wait_for_rows("s.db", 12)
        first.kill()
        first.communicate()
        before = self.rows("s.db", "id, finished, evidence_hash")
        self.assertLess(len(before), 60)
        self.cluster.start_node("n1")
        summary = "60 of 60 runs: 30 safe, 30 unsafe, 0 unknown, 0 errors, 0 wrong\n"
        self.expect(0, summary, "campaign", "models", "--db", "s.db", "--timeout", "60", "--on", "slurm:main")
        after = self.rows("s.db", "id, finished, evidence_hash")
        self.assertEqual([row[0] for row in after], list(range(1, 61)))
        self.assertEqual([row for row in after if row in before], before)  # none was run again
        self.assertEqual({host for host, in self.rows("s.db", "host")}, {"n0", "n1"})
        self.assert_queue_is_empty()
        # The same here: the same verdicts.
        self.expect(0, summary, "campaign", "models", "--db", "l.db", "--timeout", "60", "--on", "local")
        self.assertEqual(self.rows("l.db"), self.rows("s.db"))

    def test_ctrl_c_cancels_the_jobs(self):
        for i in range(8):
            self.write(f"m{i}.aag", HARD)
        process = self.start("campaign", ".", "--db", "c.db", "--on", "slurm")
        self.cluster.wait(lambda: any("RUNNING" in line for line in self.cluster.queue()), "a task")
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=20)
        self.assertEqual((process.returncode, out), (2, "0 of 8 runs: 0 safe, 0 unsafe, 0 unknown, 0 errors, 0 wrong\n"))
        self.assertIn("`lemmata campaign --db c.db` goes on", errors)
        self.assertEqual(self.cluster.queue(), [])
        # A cancelled run did not lose its node.
        for i in range(8):
            self.write(f"m{i}.aag", SAFE)
        self.expect(0, "8 of 8 runs: 8 safe, 0 unsafe, 0 unknown, 0 errors, 0 wrong\n", "campaign", "--db", "c.db", "--on",
                    "slurm")
        self.assertEqual({attempts for attempts, in self.rows("c.db", "attempts")}, {1})

    def test_a_run_that_kills_its_worker_twice_is_reported(self):
        """The contender kills the worker above it, as an exhausted node would."""
        self.write("a.aag", SAFE)
        self.write("killer.sh", 'p=$$; while [ "$(cat /proc/$p/comm)" != slurmstepd ]; do l=$p; '
                                'p=$(cut -d" " -f4 /proc/$p/stat); done; kill -9 $l; sleep 20\n')
        self.write("plan.yml", "inputs: a.aag\nconfigurations: [ic3]\ncontenders:\n"
                               f"- {{name: killer, command: 'sh {self.folder}/killer.sh {{file}}'}}\nslurm: {{bundle: 2}}\n")
        self.expect(2, "2 of 2 runs: 1 safe, 0 unsafe, 0 unknown, 1 errors, 0 wrong\n", "campaign", "plan.yml", "--db",
                    "k.db", "--on", "slurm")
        row = self.rows("k.db", "configuration, verdict, reason, attempts")[1]
        self.assertEqual(row, ("killer", "error", "its node was lost 2 times while it ran", 2))

    def test_what_the_plan_says_about_the_cluster_is_kept(self):
        for i in range(4):
            self.write(f"m{i}.aag", HARD)
        self.write("plan.yml", "inputs: '*.aag'\nslurm: {bundle: 4, arguments: [--comment=kept]}\n")
        process = self.start("campaign", "plan.yml", "--db", "w.db", "--on", "slurm")
        self.cluster.wait(lambda: any("RUNNING" in line for line in self.cluster.queue()), "a task")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        process = self.start("campaign", "--db", "w.db", "--on", "slurm")
        self.cluster.wait(self.cluster.queue, "a task")
        comments = self.cluster.run("squeue", "-h", "-r", "-o", "%k").split()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        self.assertEqual(comments, ["kept"])  # one bundle of four

    def test_going_on_here_takes_back_what_the_cluster_has(self):
        self.write("a.aag", SAFE)
        self.write("b.aag", HARD)
        first = self.start("campaign", ".", "--db", "l.db", "--on", "slurm")
        self.wait_for_rows("l.db", 1)
        first.kill()
        first.communicate()
        self.assertNotEqual(self.cluster.queue(), [])
        self.write("b.aag", UNSAFE)
        self.expect(0, "2 of 2 runs: 1 safe, 1 unsafe, 0 unknown, 0 errors, 0 wrong\n", "campaign", "--db", "l.db")
        self.assert_queue_is_empty()
        self.assertEqual(self.rows("l.db", "attempts"), [(1,), (1,)])

    def test_unknown_partition(self):
        self.write("a.aag", SAFE)
        self.assertIn("no partition 'moon'", self.expect(64, "", "campaign", ".", "--db", "u.db", "--on", "slurm:moon"))


class OneFile(SlurmTest):
    def test_verdicts_and_evidence_are_as_here(self):
        self.write("safe.aag", SAFE)
        self.write("unsafe.aag", UNSAFE)
        self.expect(0, "safe o0\n", "check", "safe.aag", "--on", "slurm:2", "--certificate", "proof.aag")
        self.expect(0, "accepted o0\n", "validate", "safe.aag", "--certificate", "proof.aag")
        self.expect(1, "unsafe o0\n", "check", "unsafe.aag", "--on", "slurm:2", "--witness", "bug.wit", "--json", "j.json")
        self.expect(0, "accepted o0\n", "validate", "unsafe.aag", "--witness", "bug.wit")
        row = json.loads((self.folder / "j.json").read_text())["results"][0]
        self.assertEqual((row["verdict"], row["certified"]), ("unsafe", True))
        self.assertIn(row["host"], ("n0", "n1"))
        self.assertEqual(list(self.folder.glob("lemmata-run-*")), [])

    def test_the_rest_is_cancelled_when_one_answers(self):
        """ic3 alone does not come to an end; k-induction, which is one of the four tasks, does at once."""
        self.write("m.aag", pipeline(24, 8))
        self.expect(0, "safe b0\n", "check", "m.aag", "--on", "slurm:4", "--timeout", "60")
        self.cluster.wait(lambda: not self.cluster.queue(), "the end of the other tasks", 2)

    def test_tasks_share_lemmas_if_they_are_told_to(self):
        """Four seeds of ic3 with a common folder; the model is as hard as it takes for one to read what others wrote."""
        self.write("m.aag", (ROOT / "bench" / "models" / "arbiter_safe.aag").read_text())
        self.expect(0, "safe b0\n", "check", "m.aag", "--engine", "ic3", "--on", "slurm:4", "--set", "portfolio.share=on",
                    "--timeout", "60")
        self.write("hard.aag", pipeline(24, 8))
        process = self.start("check", "hard.aag", "--engine", "ic3", "--on", "slurm:2", "--set", "portfolio.share=on")
        self.cluster.wait(lambda: len(list(self.folder.glob("lemmata-run-*/lemmas/*.lemmas"))) == 2, "lemmas of both", 30)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=10)

    def test_tasks_end_when_the_submitter_is_killed(self):
        self.write("m.aag", HARD)
        process = self.start("check", "m.aag", "--on", "slurm:2")
        self.cluster.wait(lambda: len([line for line in self.cluster.queue() if "RUNNING" in line]) == 2, "both tasks")
        process.kill()
        process.communicate()
        run, = self.folder.glob("lemmata-run-*")
        self.write("alive", "999 1\n").rename(run / "alive")  # a minute is too long for a test
        self.cluster.wait(lambda: not self.cluster.queue(), "the end of the tasks", 30)
        self.assertFalse(run.exists())

    def test_properties_are_spread(self):
        self.write("m.aag", MIXED)
        self.expect(1, "safe stays\nunsafe rises\n", "check", "m.aag", "--on", "slurm:2")
        self.expect(1, "safe stays\nunsafe rises\n", "check", "m.aag", "--on", "slurm:1", "--witness", "w/")
        self.assertEqual([p.name for p in (self.folder / "w").iterdir()], ["rises.wit"])

    def test_a_limit_of_time_and_ctrl_c(self):
        self.write("m.aag", HARD)
        self.expect(2, "unknown b0: timeout\n", "check", "m.aag", "--on", "slurm:2", "--timeout", "3")
        process = self.start("check", "m.aag", "--on", "slurm:2")
        self.cluster.wait(lambda: any("RUNNING" in line for line in self.cluster.queue()), "a task")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=10)
        self.assertEqual((process.returncode, out), (2, "unknown b0: interrupted\n"))
        self.cluster.wait(lambda: not self.cluster.queue(), "the end of the tasks", 5)
        self.assertEqual(list(self.folder.glob("lemmata-run-*")), [])

    def test_usage(self):
        self.write("a.aag", SAFE)
        for arguments, message in ((["--on", "slurm"], "--on slurm:N"), (["--on", "slurm:0"], "--on slurm:N"),
                                   (["--on", "slurm:2", "--witness", "x.vcd"], "the form that `lemmata validate` checks"),
                                   (["--on", "slurm:2", "--report", "x.html"], "does not go with")):
            with self.subTest(message):
                self.assertIn(message, self.expect(64, "", "check", "a.aag", *arguments))


if __name__ == "__main__":
    main()
