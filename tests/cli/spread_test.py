#!/usr/bin/env python3
"""`lemmata check FILE --on slurm:N` with stand-ins for Slurm's commands, which start the tasks on this machine: what the
submitting side makes of their answers. slurm_test.py has a real cluster, where there is one."""
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from support import HARD, MIXED, SAFE, UNSAFE, ProgramTest, counter, main

# They leave notes in $SPOOL, which the thread below reads: what a command starts would end with it.
COMMANDS = {
    "sinfo": "echo 'main* 0/2/0/2'\n",
    "scontrol": "echo 'MaxArraySize = 1001'\n",
    "sbatch": 'cat > "$SPOOL/script"\npwd > "$SPOOL/place"\nfor word; do case $word in --job-name=*|--array=*) echo "${word#--*=}";; esac; done '
              '> "$SPOOL/new"\nmv "$SPOOL/new" "$SPOOL/job"\necho 7\n',
    "squeue": 'cat "$SPOOL/queue"\n',
    "scancel": 'for word; do : > "$SPOOL/cancel.$word"; done\n',
}


class StandIn:
    """One array of tasks at a time; its number is 7."""

    def __init__(self, folder):
        self.spool = folder / "spool"
        self.spool.mkdir()
        (self.spool / "queue").write_text("")
        for name, text in COMMANDS.items():
            path = folder / name
            path.write_text("#!/bin/sh\n" + text)
            path.chmod(0o755)
        self.environment = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}", SPOOL=str(self.spool))
        self.tasks, self.name, self.over = {}, "", False
        self.around = None  # what a task does before and after the run, which works on $FOLDER.copy
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def serve(self):
        while not self.over:
            if (self.spool / "job").exists():
                self.submit()
            for note in self.spool.glob("cancel.*"):
                index = note.name.partition("_")[2]
                self.cancel([int(index)] if index else list(self.tasks))
                note.unlink()
            alive = [i for i, task in self.tasks.items() if task.poll() is None]
            (self.spool / "queue.new").write_text("".join(f"{self.name}|7|{i}|RUNNING|None\n" for i in alive))
            (self.spool / "queue.new").rename(self.spool / "queue")
            time.sleep(0.02)
        self.cancel(list(self.tasks))

    def submit(self):
        self.name, array = (self.spool / "job").read_text().split()
        (self.spool / "job").unlink()
        if self.around:
            script = (self.spool / "script").read_text()
            folder = shlex.split(script.splitlines()[1])[4]
            script = script.replace("exec ", f"FOLDER={folder}\n{self.around[0]}").replace(f"'{folder}'", f"'{folder}.copy'")
            (self.spool / "script").write_text(script + self.around[1])
        (self.spool / "script").chmod(0o755)
        place = (self.spool / "place").read_text().strip()
        self.tasks = {i: subprocess.Popen([self.spool / "script"], start_new_session=True, cwd=place,
                                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                          env=dict(os.environ, SLURM_ARRAY_TASK_ID=str(i)))
                      for i in range(int(array.partition("-")[2]) + 1)}

    def cancel(self, indices):
        for index in indices:
            if self.tasks[index].poll() is None:
                os.killpg(self.tasks[index].pid, signal.SIGTERM)
                self.tasks[index].wait()

    def stop(self):
        self.over = True
        self.thread.join()


class Spread(ProgramTest):
    def setUp(self):
        super().setUp()
        place = pathlib.Path(tempfile.mkdtemp(prefix="lemmata-spread-"))
        self.addCleanup(shutil.rmtree, place, ignore_errors=True)
        self.cluster = StandIn(place)
        self.addCleanup(self.cluster.stop)

    def start(self, *arguments, **more):
        return super().start(*arguments, env=self.cluster.environment, **more)

    def check(self, code, lines, *arguments):
        self.expect(code, lines, "check", *arguments)
        self.assertEqual(list(self.folder.glob("lemmata-run-*")), [])

    def test_verdicts_evidence_and_json_are_as_here(self):
        self.write("safe.aag", SAFE)
        self.write("unsafe.aag", UNSAFE)
        self.check(0, "safe o0\n", "safe.aag", "--on", "slurm:2", "--certificate", "proof.aag")
        self.expect(0, "accepted o0\n", "validate", "safe.aag", "--certificate", "proof.aag")
        self.check(1, "unsafe o0\n", "unsafe.aag", "--on", "slurm:2", "--witness", "bug.wit", "--json", "j.json")
        self.expect(0, "accepted o0\n", "validate", "unsafe.aag", "--witness", "bug.wit")
        document = json.loads((self.folder / "j.json").read_text())
        row = document["results"][0]
        self.assertEqual((row["property"], row["verdict"], row["reason"], row["certified"], row["evidence"]),
                         ("o0", "unsafe", None, True, "bug.wit"))
        self.assertTrue(row["host"] and row["engine"])
        self.assertEqual((document["tool"], document["file"], document["format"]), ("lemmata", "unsafe.aag", "aiger"))
        self.expect(1, "unsafe o0\n", "check", "unsafe.aag", "--json", "here.json")
        here = json.loads((self.folder / "here.json").read_text())
        self.assertEqual([*here], [*document])
        self.assertLessEqual(set(here["results"][0]), set(row))

    def test_properties_are_spread_and_printed_in_input_order(self):
        self.write("m.aag", MIXED)
        self.check(1, "safe stays\nunsafe rises\n", "m.aag", "--on", "slurm:2")
        self.check(1, "safe stays\nunsafe rises\n", "m.aag", "--on", "slurm:1", "--witness", "w/")
        self.assertEqual([p.name for p in (self.folder / "w").iterdir()], ["rises.wit"])
        out, errors = self.start("check", "m.aag", "--on", "slurm:2", "--json", "-", "--engine", "ic3").communicate()
        self.assertEqual([row["verdict"] for row in json.loads(out)["results"]], ["safe", "unsafe"])
        self.assertEqual(errors, "safe stays\nunsafe rises\n")

    def test_unknown_has_the_reason_of_the_tasks_or_of_the_limit(self):
        self.write("m.aag", SAFE.replace("2 2", "2 0 2"))  # any initial value: refuted at once
        self.check(1, "unsafe o0\n", "m.aag", "--on", "slurm:1", "--engine", "bmc")
        self.write("deep.aag", counter(6, 40))
        bounded = ["--engine", "bmc", "--set", "bmc.max-depth=1"]
        self.check(2, "unknown b0: bound reached\n", "deep.aag", "--on", "slurm:1", *bounded, "--json", "j.json")
        row = json.loads((self.folder / "j.json").read_text())["results"][0]
        self.assertEqual((row["verdict"], row["reason"], row["certified"], row["host"]),
                         ("unknown", "bound reached", False, ""))
        self.write("hard.aag", HARD)
        self.check(2, "unknown b0: timeout\n", "hard.aag", "--on", "slurm:1", "--timeout", "2")

    def test_evidence_that_does_not_hold_is_not_believed(self):
        """The task sees another model under the same name; its answer comes when the right one is back."""
        model = self.write("m.aag", UNSAFE)
        self.cluster.around = (
            f"printf '{SAFE}' > {model}\ncp -r $FOLDER $FOLDER.copy\n",
            f"printf '{UNSAFE}' > {model}\ncp -r $FOLDER.copy/evidence $FOLDER\ncp $FOLDER.copy/journals/* $FOLDER/journals\n"
            "rm -r $FOLDER.copy\n")
        errors = self.expect(2, "unknown o0: no task has an answer\n", "check", "m.aag", "--on", "slurm:1", "--engine", "ic3")
        self.assertIn("evidence of a task is not accepted", errors)


if __name__ == "__main__":
    main()
