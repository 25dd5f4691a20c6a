#!/usr/bin/env python3
"""Bad luck of all kinds: full disks, closed streams, limits, signals. Whatever happens, the exit code
and a message say so, and nothing is left behind. `make stress` is the long form of `Leftovers`."""
import contextlib
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import threading
import time
import unittest

import support
from support import HARD, MIXED, SAFE, UNSAFE, ProgramTest

sys.path.insert(0, str(support.ROOT / "tests" / "stress"))
from models import EASY_C_SAFE, EASY_C_UNSAFE, HARD_C  # noqa: E402
from run_once import SmallDisk  # noqa: E402
from stress import stress  # noqa: E402

NOBODY = 65534


def limited(which, amount):
    return lambda: resource.setrlimit(which, (amount, amount))


class Robust(ProgramTest):
    def setUp(self):
        super().setUp()
        self.tmp = self.folder / "tmp"
        self.tmp.mkdir()
        self.environment = {**os.environ, "TMPDIR": str(self.tmp)}

    def run_with(self, *arguments, stdout=subprocess.PIPE, close=(), timeout=60,
                 program="lemmata", before=None, user=None, tmp=None):
        """Like run_program, with standard streams as they come."""
        def prepare():
            for number in close:
                os.close(number)
            if before:
                before()
        process = subprocess.Popen(
            [str(support.ARGS.build / program), *map(str, arguments)], stdout=stdout,
            stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, cwd=self.folder,
            preexec_fn=prepare, user=user, env={**self.environment, "TMPDIR": str(tmp or self.tmp)})
        try:
            out, err = process.communicate(timeout=timeout)
        finally:
            process.kill()
        return process.returncode, out, err

    def files(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*"))

    def small_disk(self, kilobytes=4):
        """A full file system, or nothing where it cannot be made: then a limit has to do."""
        disk = SmallDisk(self.folder / "disk", kilobytes)
        self.addCleanup(disk.close)
        if disk.mounted:
            (disk.folder / "filler").write_bytes(b"x" * 1024 * kilobytes)
        return disk


class LostOutput(Robust):
    def setUp(self):
        super().setUp()
        self.safe = self.write("safe.aag", SAFE)
        self.expect(0, "safe o0\n", "check", self.safe, "--certificate", "cert.aag")

    def commands(self):
        yield ["check", self.safe]
        yield ["check", self.safe, "--engine", "bmc", "--set", "bmc.max-depth=3"]
        yield ["check", self.safe, "--json", "-"]
        yield ["validate", self.safe, "--certificate", "cert.aag"]
        for command in ("--help", "--version", "engines", "formats", "options"):
            yield [command]

    @contextlib.contextmanager
    def broken_pipe(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        yield write_end
        os.close(write_end)

    def validations(self):
        """Of the program that only validates."""
        yield [self.safe, "--certificate", "cert.aag"]
        yield ["--help"]

    def lost(self, command, **more):
        with self.subTest(command=command):
            code, _, err = self.run_with(*command, **more)
            self.assertEqual(code, 70, err)
            self.assertRegex(err, r"error: cannot write to standard output: \w+")

    def test_full_device(self):
        with open("/dev/full", "w") as full:
            for command in self.commands():
                self.lost(command, stdout=full)
            for command in self.validations():
                self.lost(command, stdout=full, program="lemmata-validate")

    def test_closed(self):
        for command in self.commands():
            self.lost(command, close=[1])
        for command in self.validations():
            self.lost(command, close=[1], program="lemmata-validate")

    def test_reader_that_went_away(self):
        for command in self.commands():
            with self.broken_pipe() as pipe:
                self.lost(command, stdout=pipe)
        for command in self.validations():
            with self.broken_pipe() as pipe:
                self.lost(command, stdout=pipe, program="lemmata-validate")

    def test_an_unsafe_verdict_is_lost_as_well(self):
        unsafe = self.write("unsafe.aag", UNSAFE)
        self.lost(["check", unsafe, "--witness", "out.cex"], close=[1])

    def test_timeout_with_a_lost_verdict(self):
        self.lost(["check", self.write("hard.aag", HARD), "--timeout", "0.3"], close=[1])

    def test_without_any_stream_files_are_whole(self):
        code, _, _ = self.run_with("check", self.safe, "--json", "out.json", "--certificate",
                                   "own.aag", close=[0, 1])
        self.assertEqual(code, 70)
        self.assertEqual((self.folder / "own.aag").read_text(),
                         (self.folder / "cert.aag").read_text())
        code, _, _ = self.run_with("convert", self.safe, "-o", "copy.aag", close=[0, 1, 2])
        self.assertEqual(code, 0)
        self.expect(0, "safe o0\n", "check", "copy.aag")

    def test_standard_output_by_name(self):
        with open("/dev/full", "w") as full:
            for more in ({"stdout": full}, {"close": [1]}):
                code, _, err = self.run_with("check", self.safe, "--json", "/dev/stdout", **more)
                self.assertEqual(code, 70, err)
                self.assertIn("error: ", err)

    def test_a_stuck_reader_does_not_stop_the_clock(self):
        rows = MIXED.split("\n")
        many = 8000  # lines that no pipe holds
        model = "\n".join([f"aag 2 0 2 0 0 {many}", *rows[1:3], *["4"] * many]) + "\n"
        read_end, write_end = os.pipe()
        start = time.monotonic()
        code, _, err = self.run_with("check", self.write("many.aag", model), "--engine", "bmc",
                                     "--timeout", "5", stdout=write_end)
        self.assertEqual(code, 70, err)
        self.assertIn("cannot write to standard output", err)
        self.assertLess(time.monotonic() - start, 15)
        os.close(read_end)
        os.close(write_end)


class FullDisk(Robust):
    OUTPUTS = {"--json": "out.json", "--report": "out.html", "--certificate": "out.aag"}

    def test_outputs_on_a_full_disk(self):
        disk = self.small_disk()
        safe = self.write("safe.aag", SAFE)
        before = None if disk.mounted else limited(resource.RLIMIT_FSIZE, 0)
        for option, name in self.OUTPUTS.items():
            with self.subTest(option=option):
                code, _, err = self.run_with("check", safe, option, disk.folder / name,
                                             before=before)
                self.assertEqual(code, 70, err)
                self.assertRegex(err, rf"{name}: error: writing failed: \w+")
        code, _, err = self.run_with("convert", safe, "-o", disk.folder / "x.aig", before=before)
        self.assertEqual(code, 70, err)
        self.assertLessEqual({path.name for path in disk.folder.iterdir()}, {"filler"})

    def test_file_size_limits(self):
        safe = self.write("safe.aag", SAFE)
        for size in (0, 50):
            for option, name in self.OUTPUTS.items():
                with self.subTest(option=option, size=size):
                    code, _, err = self.run_with("check", safe, option, name,
                                                 before=limited(resource.RLIMIT_FSIZE, size))
                    self.assertEqual(code, 70, err)
                    self.assertRegex(err, rf"{name}: error: writing failed: File too large")
        self.assertEqual(self.files(), ["safe.aag", "tmp"])

    def test_standard_output_under_a_file_size_limit(self):
        safe = self.write("safe.aag", SAFE)
        with open(self.folder / "out.txt", "w") as out:
            code, _, err = self.run_with("check", safe, stdout=out,
                                         before=limited(resource.RLIMIT_FSIZE, 3))
        self.assertEqual(code, 70, err)
        self.assertIn("cannot write to standard output: File too large", err)


class TemporaryFiles(Robust):
    """Whatever is wrong with the place for temporary files: a right answer or a message."""

    def check(self, tmp, **more):
        for name, text, verdict in (("safe.c", EASY_C_SAFE, (0, "safe unreach-call\n")),
                                    ("unsafe.c", EASY_C_UNSAFE, (1, "unsafe unreach-call\n"))):
            with self.subTest(program=name):
                code, out, err = self.run_with("check", self.write(name, text), tmp=tmp, **more)
                if code == 70:
                    self.assertRegex(err, r"error: .+")
                elif code == 2:
                    self.assertRegex(out, r"^unknown unreach-call: .+\n$")
                else:
                    self.assertEqual((code, out), verdict, err)

    def test_missing(self):
        self.check(self.folder / "missing")

    def test_a_file(self):
        self.check(self.write("file", ""))


class Overwriting(Robust):
    def refused(self, *arguments):
        before = {path: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}
        code, out, err = self.run_program(*arguments)
        self.assertEqual((code, out), (64, ""), f"{arguments}: {err}")
        self.assertRegex(err, r"^error: .* would overwrite .*\n$")
        for path, content in before.items():
            self.assertEqual(path.read_bytes(), content)

    def test_the_input(self):
        model = self.write("x.aag", SAFE)
        (self.folder / "link.aag").symlink_to("x.aag")
        os.link(model, self.folder / "hard.aag")
        for name in ("x.aag", "./x.aag", "tmp/../x.aag", model, "link.aag", "hard.aag"):
            for option in ("--json", "--witness", "--certificate", "--report"):
                self.refused("check", model, option, name)
            self.refused("convert", model, "-o", name)
        self.refused("convert", "link.aag", "-o", "x.aag")

    def test_each_other(self):
        model = self.write("x.aag", SAFE)
        options = ("--json", "--witness", "--certificate", "--report")
        for first in options:
            for second in options:
                if first != second:
                    self.refused("check", model, first, "out.aag", second, "./out.aag")
        self.assertFalse((self.folder / "out.aag").exists())

    def test_names_made_from_properties(self):
        self.write("x.rises.aag", MIXED)
        self.refused("check", "x.rises.aag", "--witness", "x.aag")
        self.refused("check", "x.rises.aag", "--witness", "y.aag", "--json", "y.rises.aag")
        self.refused("check", "x.rises.aag", "--witness", "y.aag", "--certificate", "y.aag")

    def test_what_a_standard_stream_goes_to(self):
        model = self.write("x.aag", SAFE)
        for option in ("--json", "--certificate"):
            with open(self.folder / "out.aag", "w") as out:
                code, _, err = self.run_with("check", model, option, "out.aag", stdout=out)
            self.assertEqual(code, 64)
            self.assertIn("would overwrite standard output", err)

    def test_devices_may_be_named_twice(self):
        self.expect(0, "safe o0\n", "check", self.write("x.aag", SAFE), "--json", "/dev/null",
                    "--report", "/dev/null")


class FewResources(Robust):
    def setUp(self):
        super().setUp()
        # An ordinary user: nothing limits the processes of root.
        self.user = NOBODY if os.geteuid() == 0 else None
        self.folder.chmod(0o755)
        self.tmp.chmod(0o777)

    def test_no_thread(self):
        code, out, err = self.run_with("check", self.write("x.aag", SAFE), user=self.user,
                                       before=limited(resource.RLIMIT_NPROC, 1))
        self.assertEqual((code, out), (70, ""))
        self.assertRegex(err, r"^error: cannot start a thread: [^\n]*\n$")

    def test_no_workers(self):
        if self.user is None:  # other processes of the user count: no number is the right one
            return
        for text, code, out in ((SAFE, 0, "safe o0\n"), (UNSAFE, 1, "unsafe o0\n"),
                                (MIXED, 1, "safe stays\nunsafe rises\n")):
            got = self.run_with("check", self.write("x.aag", text), user=self.user,
                                before=limited(resource.RLIMIT_NPROC, 2))
            self.assertEqual(got, (code, out, ""))

    def test_few_descriptors(self):
        for number in (4, 5, 6, 8, 12):
            got = self.run_with("check", self.write("x.aag", UNSAFE),
                                before=limited(resource.RLIMIT_NOFILE, number))
            self.assertEqual(got, (1, "unsafe o0\n", ""), number)

    def test_small_address_space(self):
        model = self.write("x.aag", UNSAFE)
        for megabytes in (90, 100, 120, 150, 200, 400):
            with self.subTest(megabytes=megabytes):
                code, out, err = self.run_with("check", model,
                                               before=limited(resource.RLIMIT_AS, megabytes << 20))
                self.assertIn(code, (1, 2, 70, 127), err)  # 127: libraries do not fit
                self.assertTrue(out or err)
                self.assertNotIn("invalid memory access", err)


class EndlessInput(Robust):
    @contextlib.contextmanager
    def endless(self, name, chunk):
        """A pipe of that name with a writer that never ends."""
        path = self.folder / name
        os.mkfifo(path)
        over = threading.Event()

        def feed():
            with contextlib.suppress(BrokenPipeError, OSError):
                with open(path, "wb", buffering=0) as pipe:
                    while not over.is_set():
                        pipe.write(chunk * 1000)
        writer = threading.Thread(target=feed, daemon=True)
        writer.start()
        yield name
        over.set()
        with contextlib.suppress(OSError):  # a writer that still waits for its reader
            os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
        writer.join(10)
        path.unlink()

    def test_memory(self):
        for name, chunk in (("x.aag", b"0 " * 30), ("x.aig", b"\0" * 60), ("x.vmt", b"(a " * 20),
                            ("x.c", b"int x; ")):
            with self.subTest(name=name), self.endless(name, chunk):
                start = time.monotonic()
                code, out, err = self.run_with("check", name, "--memory", "100")
                self.assertEqual((code, out), (2, f"unknown {name}: memory\n"), err)
                self.assertEqual(err, f"{name}: memory while the file was read\n{name}: try --memory 200\n")
                self.assertLess(time.monotonic() - start, 30)

    def test_timeout(self):
        os.mkfifo(self.folder / "silent.aag")  # nobody ever writes
        for name in ("silent.aag",):
            code, out, err = self.run_with("check", name, "--timeout", "0.3")
            self.assertEqual((code, out), (2, f"unknown {name}: timeout\n"), err)
            self.assertEqual(err, f"{name}: timeout while the file was read\n{name}: try --timeout 1.2\n")


class Signals(Robust):
    def start_hard(self, *arguments, **more):
        process = self.start("check", self.write("hard.aag", HARD), *arguments, **more)
        time.sleep(0.5)
        return process

    def test_twice(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.start_hard("--json", "out.json")
            process.send_signal(number)
            time.sleep(0.02)
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(number)
            out, err = process.communicate(timeout=10)
            self.assertEqual((process.returncode, out), (2, "unknown b0: interrupted\n"), err)
            json.loads((self.folder / "out.json").read_text())

    def test_while_results_are_written(self):
        os.mkfifo(self.folder / "stuck")  # nobody reads: opening it takes for ever
        process = self.start("check", self.write("safe.aag", SAFE), "--json", "stuck")
        self.assertEqual(process.stdout.readline(), "safe o0\n")
        time.sleep(0.5)
        start = time.monotonic()
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=10)
        self.assertEqual((process.returncode, err),
                         (70, "error: interrupted while results were written\n"))
        self.assertLess(time.monotonic() - start, 5)

    def test_a_job_that_was_stopped_goes_on(self):
        process = self.start_hard("--timeout", "3", start_new_session=True)
        os.killpg(process.pid, signal.SIGTSTP)
        os.killpg(process.pid, signal.SIGSTOP)  # a session without a terminal heeds only this
        time.sleep(0.5)
        state = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        self.assertEqual(state, "T")
        os.killpg(process.pid, signal.SIGCONT)
        out, err = process.communicate(timeout=20)
        self.assertEqual((process.returncode, out), (2, "unknown b0: timeout\n"), err)

    def test_a_timeout_passes_while_the_job_is_stopped(self):
        process = self.start_hard("--timeout", "1", start_new_session=True)
        os.killpg(process.pid, signal.SIGSTOP)
        time.sleep(1.5)
        os.killpg(process.pid, signal.SIGCONT)
        out, err = process.communicate(timeout=20)
        self.assertEqual((process.returncode, out), (2, "unknown b0: timeout\n"), err)

    def test_the_live_line_is_wiped_at_every_end(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            master, slave = os.openpty()
            process = subprocess.Popen([str(support.ARGS.build / "lemmata"), "check",
                                        self.write("hard.aag", HARD)], stdout=subprocess.PIPE,
                                       stderr=slave, cwd=self.folder)
            os.close(slave)
            time.sleep(1)
            process.send_signal(number)
            painted = b""
            with contextlib.suppress(OSError):
                while chunk := os.read(master, 4096):
                    painted += chunk
            process.communicate(timeout=10)
            os.close(master)
            self.assertRegex(painted.decode(), r"\d+\.\d s +\d+ MB")
            line, _, advice = painted.decode().rpartition("\r\x1b[K")
            self.assertRegex(line, r" MB")
            self.assertNotRegex(advice, r" MB|\x1b", "the line is wiped before the advice is given")


class Leftovers(Robust):
    """Workers, compilers and folders end with the run, however it ends."""

    def test_many_runs_under_load(self):
        results = stress(support.ARGS.build, runs=40, jobs=8, load=2, seed=1)
        bad = [r for r in results if r["faults"] or r["orphans"] or r["leftovers"]]
        self.assertEqual(bad, [])

    def test_folders_of_a_killed_run_go(self):
        program = self.write("hard.c", HARD_C)
        for delay in (0.05, 0.15, 0.4):
            process = self.start("check", program, env=self.environment)
            time.sleep(delay)
            process.kill()
            process.communicate(timeout=20)
            deadline = time.monotonic() + 10
            while list(self.tmp.iterdir()) and time.monotonic() < deadline:
                time.sleep(0.05)
            self.assertEqual(list(self.tmp.iterdir()), [])

    def test_a_reader_of_the_output_does_not_wait_for_workers(self):
        process = self.start("check", self.write("hard.aag", HARD))
        time.sleep(0.5)
        process.kill()
        start = time.monotonic()
        process.communicate(timeout=20)  # until everybody closed standard output
        self.assertLess(time.monotonic() - start, 5)


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    support.main()
