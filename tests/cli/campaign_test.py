#!/usr/bin/env python3
"""`lemmata campaign` on this machine: verdicts, plans, resuming, Ctrl-C, reports."""
import csv
import hashlib
import json
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest
import xml.etree.ElementTree

from support import HARD, MIXED, SAFE, UNSAFE, ProgramTest, counter, main


class CampaignTest(ProgramTest):
    """A folder with models, and the rows of databases."""

    def rows(self, database="c.db", columns="file, configuration, seed, verdict"):
        connection = sqlite3.connect(self.folder / database)
        try:
            return connection.execute(f"SELECT {columns} FROM runs ORDER BY id").fetchall()
        except sqlite3.OperationalError:  # the table is not there yet
            return []
        finally:
            connection.close()

    def models(self, count, text=None):
        """Counters, every second one unsafe; named by their verdicts."""
        for i in range(count):
            word = "safe" if i % 2 else "unsafe"
            default = counter(4, 5 + i % 8, 4 if i % 2 else None)
            self.write(f"m{i:03}_{word}.aag", text or default)

    def wait_for_rows(self, count, database="c.db"):
        end = time.monotonic() + 60
        while len(self.rows(database) if (self.folder / database).exists() else []) < count:
            self.assertLess(time.monotonic(), end, "the campaign makes no progress")
            time.sleep(0.02)


class Verdicts(CampaignTest):
    def test_files_on_the_command_line(self):
        self.models(4)
        self.expect(0, "4 of 4 runs: 2 safe, 2 unsafe, 0 unknown, 0 errors, 0 wrong\n", "campaign", ".", "--db", "c.db")
        self.assertEqual(self.rows(), [(f"m{i:03}_{'safe' if i % 2 else 'unsafe'}.aag", "auto", -1,
                                        "safe" if i % 2 else "unsafe") for i in range(4)])

    def test_every_row_has_what_the_run_cost_and_its_evidence(self):
        self.models(2)
        self.expect(0, "2 of 2 runs: 1 safe, 1 unsafe, 0 unknown, 0 errors, 0 wrong\n", "campaign", ".", "--db", "c.db")
        wanted = "seconds, processor_seconds, memory_kb, engine, version, host, evidence, evidence_hash"
        for seconds, processor, memory, engine, version, host, evidence, digest in self.rows(columns=wanted):
            self.assertGreater(min(seconds, processor, memory), 0)
            self.assertTrue(engine and re.match(r"\d+\.\d+", version) and host)
            file = self.folder / "c.db.files" / evidence
            self.assertEqual(hashlib.sha256(file.read_bytes()).hexdigest(), digest)
        file, evidence = self.rows(columns="file, evidence")[1]
        self.expect(0, "accepted b0\n", "validate", file, "--certificate", f"c.db.files/{evidence}")

    def test_a_wrong_verdict_is_exit_code_1(self):
        self.write("m_safe.aag", UNSAFE)
        self.expect(1, "1 of 1 runs: 0 safe, 1 unsafe, 0 unknown, 0 errors, 1 wrong\n", "campaign", ".", "--db", "c.db")

    def test_a_run_that_fails_is_an_error_with_its_reason(self):
        self.write("bad.aag", "aag 1 0 x\n")
        self.write("good_safe.aag", SAFE)
        self.expect(2, "2 of 2 runs: 1 safe, 0 unsafe, 0 unknown, 1 errors, 0 wrong\n", "campaign", ".", "--db", "c.db")
        (reason,), _ = self.rows(columns="reason")
        self.assertIn("exit code 65", reason)
        self.assertIn("bad.aag:1", reason)

    def test_a_file_with_several_properties_has_them_in_its_row(self):
        self.write("m.aag", MIXED)
        self.expect(0, "1 of 1 runs: 0 safe, 1 unsafe, 0 unknown, 0 errors, 0 wrong\n", "campaign", "m.aag", "--db", "c.db")
        (properties,), = self.rows(columns="properties")
        self.assertEqual([(row["property"], row["verdict"]) for row in json.loads(properties)],
                         [("stays", "safe"), ("rises", "unsafe")])

    def test_a_limit_of_time_gives_unknown(self):
        self.write("m.aag", HARD)
        self.expect(0, "1 of 1 runs: 0 safe, 0 unsafe, 1 unknown, 0 errors, 0 wrong\n", "campaign", "m.aag", "--db",
                    "c.db", "--timeout", "0.5")
        self.assertEqual(self.rows(columns="verdict, reason"), [("unknown", "timeout")])

    NOTHING = "2 of 2 runs: 1 safe, 1 unsafe, 0 unknown, 0 errors, nothing was compared: no run has an expected verdict\n"

    def test_expected_verdicts_of_no_run_are_no_comparison(self):
        self.write("a.aag", SAFE)
        self.write("b.aag", UNSAFE)
        self.write("e.csv", "file,expected\nelsewhere/a.aag,safe\nc.aag,unsafe\n")
        errors = self.expect(2, self.NOTHING, "campaign", ".", "--db", "c.db", "--expected", "e.csv")
        self.assertIn("nothing was compared", errors)
        # Going on with the database says the same.
        self.expect(2, self.NOTHING, "campaign", "--db", "c.db")
        self.expect(2, self.NOTHING, "campaign", ".", "--db", "n.db", "--expected", "names", "-q")
        self.write("plan.yml", "inputs: ['*.aag']\nexpected: [e.csv, names]\n")
        self.expect(2, self.NOTHING, "campaign", "plan.yml", "--db", "p.db")

    def test_it_says_how_many_runs_were_compared(self):
        self.write("a.aag", SAFE)
        self.write("b_unsafe.aag", UNSAFE)
        line = "2 of 2 runs: 1 safe, 1 unsafe, 0 unknown, 0 errors, 0 wrong\n"
        errors = self.expect(0, line, "campaign", ".", "--db", "c.db")
        self.assertIn("1 of 2 runs were compared with an expected verdict", errors)
        self.assertEqual(self.expect(0, line, "campaign", ".", "--db", "q.db", "-q"), "")
        # Nobody asked for a comparison: it is no failure that there was none.
        (self.folder / "b_unsafe.aag").unlink()
        errors = self.expect(0, "1 of 1 runs: 1 safe, 0 unsafe, 0 unknown, 0 errors, 0 wrong\n", "campaign", "a.aag",
                             "--db", "d.db")
        self.assertIn("nothing was compared with an expected verdict", errors)
        # All of them: nothing more to say.
        self.write("a_safe.aag", SAFE)
        errors = self.expect(0, "1 of 1 runs: 1 safe, 0 unsafe, 0 unknown, 0 errors, 0 wrong\n", "campaign",
                             "a_safe.aag", "--db", "e.db")
        self.assertNotIn("compared", errors)

    def test_overhead_of_a_run_is_small(self):
        """What a run takes beyond its own process, on one core: under 30 ms."""
        for i in range(60):
            self.write(f"m{i}_safe.aag", SAFE)
        start = time.monotonic()
        self.run_program("campaign", ".", "--db", "c.db", "--engine", "ic3", "--on", "local:1")
        elapsed = time.monotonic() - start
        runs = sum(seconds for seconds, in self.rows(columns="seconds"))
        self.assertLess((elapsed - runs) / 60, 0.03)


class Plans(CampaignTest):
    def plan(self, text):
        return self.write("plan.yml", text)

    def test_matrix_seeds_expected_table_and_exclusion(self):
        self.models(3)
        self.write("expected.csv", "file,expected\nm000_unsafe.aag,unsafe\nm001_safe.aag,unsafe\n")
        self.plan("inputs: ['*.aag']\nexclude: ['m002*']\nexpected: expected.csv\nseeds: [3, 7]\n"
                  "matrix:\n  engine: [ic3, kind]\n  set: [[], ic3.ctg-depth=2]\n")
        self.expect(1, "16 of 16 runs: 8 safe, 8 unsafe, 0 unknown, 0 errors, 8 wrong\n", "campaign", "plan.yml", "--db",
                    "c.db")
        rows = self.rows(columns="file, configuration, seed, expected")
        self.assertEqual(len(set(rows)), 16)
        self.assertEqual({row[1] for row in rows},
                         {"ic3", "kind", "ic3 ic3.ctg-depth=2", "kind ic3.ctg-depth=2"})
        self.assertEqual({(row[0], row[3]) for row in rows},
                         {("m000_unsafe.aag", "unsafe"), ("m001_safe.aag", "unsafe")})

    def test_expected_from_another_campaign(self):
        self.write("m.aag", UNSAFE)
        self.run_program("campaign", "m.aag", "--db", "old.db")
        self.write("m.aag", SAFE)
        self.expect(1, "1 of 1 runs: 1 safe, 0 unsafe, 0 unknown, 0 errors, 1 wrong\n", "campaign", "m.aag", "--db",
                    "new.db", "--expected", "old.db")

    def test_contenders_answer_by_patterns(self):
        self.models(2)
        self.plan("inputs: ['*.aag']\nexpected: names\nconfigurations: [ic3]\nlimits: {seconds: 1}\ncontenders:\n"
                  "- {name: echo, command: 'sh -c \"echo answer for {file}\"', safe: 'for .*_safe', "
                  "unsafe: 'for .*_unsafe'}\n"
                  "- {name: slow, command: 'tail -f {file}', files: .aag}\n"
                  "- {name: mute, command: 'true {file}', safe: proved}\n"
                  "- {name: absent, command: 'no-such-program {file}'}\n")
        self.expect(2, "10 of 10 runs: 2 safe, 2 unsafe, 4 unknown, 2 errors, 0 wrong\n", "campaign", "plan.yml", "--db",
                    "c.db")
        rows = {row[0]: row[1:] for row in self.rows(columns="configuration, verdict, reason")[:5]}
        self.assertEqual(rows["echo"], ("unsafe", ""))
        self.assertEqual(rows["slow"], ("unknown", "timeout"))
        self.assertEqual(rows["mute"], ("unknown", "no answer, exit code 0"))
        self.assertEqual(rows["absent"], ("error", "could not be started"))

    def test_errors_have_their_place(self):
        self.models(1)
        for text, place, message in (
                ("inputs: x\nlimit: 3\n", "2:1", "unknown key 'limit'; near it: limits"),
                ("inputs: '*.aag'\nconfigurations: [ic3, nonsense]\n", "2:23", "unknown engine 'nonsense'"),
                ("inputs: '*.aag'\nconfigurations: [ic3, ic3]\n", "2:23", "two configurations are called 'ic3'"),
                ("inputs: '*.aag'\ncontenders: [{name: a, command: b}]\n", "2:33", "the command has no {file}"),
                ("inputs: [a\n", "2:1", "end of sequence"),
                ("limits: {seconds: 3}\n", "1:1", "a plan needs `inputs`"),
                ("inputs: a\nrepeat: many\n", "2:9", "expected a number from 1 to 1000")):
            with self.subTest(text):
                self.plan(text)
                errors = self.expect(65, "", "campaign", "plan.yml", "--db", "c.db")
                self.assertIn(f"plan.yml:{place}: error: ", errors)
                self.assertIn(message, errors)
                self.assertFalse((self.folder / "c.db").exists())

    def test_usage(self):
        self.models(1)
        for arguments, message in ((["."], "--db is required"), ([".", "--db", "c.db", "--on", "moon"], "--on local"),
                                   ([".", "--db", "c.db", "--on", "local:0"], "number of jobs"),
                                   ([".", "--db", "c.db", "--engine", "nonsense"], "unknown engine")):
            with self.subTest(message):
                self.assertIn(message, self.expect(64, "", "campaign", *arguments))
        self.expect(66, "", "campaign", "no*thing.aag", "--db", "c.db")
        self.expect(66, "", "campaign", "--db", "absent.db")
        self.write("text.db", "no database\n" * 100)
        self.expect(65, "", "campaign", ".", "--db", "text.db")


class Resume(CampaignTest):
    def start_campaign(self, *more, **options):
        return self.start("campaign", ".", "--db", "c.db", "--timeout", "20", *more, **options)

    def test_a_killed_campaign_goes_on_where_it_was(self):
        self.models(60)
        first = self.start_campaign("--on", "local:2")
        self.wait_for_rows(15)
        first.kill()
        first.communicate()
        before = self.rows(columns="id, finished, host, evidence")
        self.assertLess(len(before), 60)
        self.expect(0, "60 of 60 runs: 30 safe, 30 unsafe, 0 unknown, 0 errors, 0 wrong\n", "campaign", "--db", "c.db")
        after = self.rows(columns="id, finished, host, evidence")
        self.assertEqual(sorted(row[0] for row in after), list(range(1, 61)))
        self.assertEqual([row for row in after if row in before], before)  # none was run again
        self.assertEqual({attempts for attempts, in self.rows(columns="attempts")}, {1})
        ended = [json.loads(line)["end"] for journal in (self.folder / "c.db.files" / "journals").iterdir()
                 for line in journal.read_text().splitlines() if line.startswith('{"end"')]
        self.assertEqual(sorted(ended), list(range(1, 61)))

    def test_a_finished_campaign_runs_nothing(self):
        self.models(2)
        self.start_campaign().communicate()
        before = self.rows(columns="*")
        errors = self.expect(0, "2 of 2 runs: 1 safe, 1 unsafe, 0 unknown, 0 errors, 0 wrong\n", "campaign", ".", "--db",
                             "c.db", "--timeout", "20")
        self.assertIn("2 of 2 runs are there already", errors)
        self.assertEqual(self.rows(columns="*"), before)

    def test_other_runs_are_refused(self):
        self.models(2)
        self.start_campaign().communicate()
        errors = self.expect(64, "", "campaign", ".", "--db", "c.db", "--timeout", "21")
        self.assertIn("a campaign with other runs", errors)

    def test_ctrl_c_ends_it_and_its_runs(self):
        self.models(2)
        self.write("n_safe.aag", HARD)
        process = self.start_campaign("--on", "local:1", start_new_session=True)
        self.wait_for_rows(2)
        time.sleep(0.3)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=20)
        self.assertLess(time.monotonic() - start, 3)
        self.assertEqual((process.returncode, out), (2, "2 of 3 runs: 1 safe, 1 unsafe, 0 unknown, 0 errors, 0 wrong\n"))
        self.assertIn("`lemmata campaign --db c.db` goes on", errors)
        left = subprocess.run(["pgrep", "-f", str(self.folder)], capture_output=True, text=True, check=False).stdout
        self.assertEqual(left, "")

    def test_jobs_on_a_cluster_that_is_out_of_reach(self):
        """A campaign that gave jobs to a cluster does not go on beside them."""
        self.models(2)
        self.write("n_safe.aag", HARD)
        process = self.start_campaign("--on", "local:1")
        self.wait_for_rows(2)
        process.kill()
        process.communicate()
        connection = sqlite3.connect(self.folder / "c.db")
        connection.execute("INSERT INTO jobs VALUES(0, 0, 1, 17)")
        connection.commit()
        connection.close()
        errors = self.expect(64, "", "campaign", "--db", "c.db", "-q", env={"PATH": "/nonexistent"})
        self.assertIn("jobs of this campaign may still be on a cluster", errors)

    def test_two_at_a_time_are_refused(self):
        self.write("m.aag", HARD)
        first = self.start_campaign()
        end = time.monotonic() + 20
        while not list(self.folder.glob("c.db.files/journals/*")) and time.monotonic() < end:
            time.sleep(0.02)
        self.assertIn("another `lemmata campaign`", self.expect(64, "", "campaign", ".", "--db", "c.db"))
        first.send_signal(signal.SIGINT)
        first.communicate()


class Tasks(CampaignTest):
    """What a cluster starts, without the cluster."""

    def bundle(self, *command):
        run = {"id": 0, "file": "m", "configuration": "x", "seed": -1, "expected": "", "ours": False,
               "command": list(command), "safe": "yes", "unsafe": "", "seconds": 0, "memory_mb": 0, "lost": 0}
        for part in ("bundles", "journals", "evidence", "logs"):
            (self.folder / "run" / part).mkdir(parents=True)
        self.write("run/bundles/0.jsonl", json.dumps(run) + "\n")

    def test_ends_when_the_submitter_is_gone(self):
        """The submitting side writes a number now and then; here nobody does. Silence of two seconds is the end."""
        self.bundle("sleep", "600")
        self.write("run/alive", "7 2\n")
        start = time.monotonic()
        self.expect(0, "", "campaign", "work", "run", "0", timeout=60)
        self.assertGreater(time.monotonic() - start, 1.9)
        self.assertFalse((self.folder / "run").exists())

    def test_a_folder_that_is_not_of_a_run_stays(self):
        (self.folder / "run").mkdir()
        self.write("run/alive", "7 -1e300\n")
        self.write("run/letter", "dear reader\n")
        self.run_program("campaign", "work", "run", "0", timeout=60)
        self.assertTrue((self.folder / "run" / "letter").exists())

    def test_goes_on_while_the_submitter_lives(self):
        self.bundle("sleep", "4")
        self.write("run/alive", "0 2\n")
        task = self.start("campaign", "work", "run", "0")
        number = 0
        while task.poll() is None:
            number += 1
            self.write("run/new", f"{number} 2\n").rename(self.folder / "run" / "alive")
            time.sleep(0.2)
        task.communicate()
        journal, = (self.folder / "run" / "journals").iterdir()
        self.assertIn('"end"', journal.read_text())

    def test_without_a_heartbeat_nobody_is_missed(self):
        """Tasks of a campaign go on when its session is killed."""
        self.bundle("echo", "yes")
        self.expect(0, "", "campaign", "work", "run", "0")
        journal, = (self.folder / "run" / "journals").iterdir()
        self.assertIn('"safe"', journal.read_text())


class Reports(CampaignTest):
    def data(self, page="out.html"):
        text = (self.folder / page).read_text()
        self.assertNotRegex(text, r"(src|href)=.https?:")
        return json.loads(re.search(r"^const data = (.*);$", text, re.M).group(1))

    def test_page_table_and_junit(self):
        self.models(3)
        self.write("x_safe.aag", UNSAFE)
        self.write("y<!--<script>.aag", "nonsense")
        self.run_program("campaign", ".", "--db", "c.db", "--engine", "ic3", "--engine", "bmc", "--set",
                         "bmc.max-depth=20")
        self.expect(0, "", "campaign", "report", "c.db", "-o", "out.html")
        data = self.data()
        self.assertEqual(len(data["rows"]), 10)
        with open(self.folder / "out.csv", newline="", encoding="utf-8") as f:
            table = list(csv.DictReader(f))
        self.assertEqual([row["file"] for row in table if row["wrong"] == "1"], ["x_safe.aag"] * 2)
        for row in table:
            if row["evidence"]:
                self.assertTrue((self.folder / "c.db.files" / row["evidence"]).exists())
        links = [row[12] for row in data["rows"] if row[12]]
        self.assertTrue(links and all((self.folder / link).exists() for link in links))
        suite = xml.etree.ElementTree.parse(self.folder / "out.xml").getroot()
        self.assertEqual([suite.get(name) for name in ("tests", "failures", "errors", "skipped")],
                         ["10", "2", "2", "1"])

    def test_changes_against_another_campaign(self):
        self.write("a.aag", SAFE)
        self.write("b.aag", HARD)
        self.write("c.aag", UNSAFE)
        self.run_program("campaign", ".", "--db", "old.db", "--timeout", "0.4")
        self.write("a.aag", UNSAFE)
        self.write("b.aag", SAFE)
        self.write("c.aag", HARD)
        self.write("d.aag", SAFE)
        self.run_program("campaign", ".", "--db", "new.db", "--timeout", "0.4")
        self.expect(0, "", "campaign", "report", "new.db", "-o", "out.html", "--against", "old.db")
        comparison = self.data()["comparison"]
        self.assertEqual((comparison["common"], comparison["added"], comparison["removed"]), (3, 1, 0))
        self.assertEqual([(change[0], change[1]) for change in comparison["changes"]],
                         [("contradicted", "a.aag"), ("lost", "c.aag"), ("new", "b.aag")])

    def many_runs(self, database, files):
        """The database of a campaign with four configurations, as if it had been run."""
        self.write("m.aag", SAFE)
        self.run_program("campaign", "m.aag", "--db", database)
        connection = sqlite3.connect(self.folder / database)
        chance = random.Random(1)
        rows = []
        for i in range(4 * files):
            verdict = chance.choice(["safe", "safe", "unsafe", "unknown"])
            rows.append((i + 2, f"suite{i % 13}/design{i // 4}.aig", f"c{i % 4}", verdict, "timeout" if verdict == "unknown" else "",
                         chance.expovariate(0.2), f"node{i % 1000}"))
        connection.executemany(
            "INSERT INTO runs SELECT ?, ?, ?, seed, 'safe', ?, ?, ?, processor_seconds, memory_kb, engine, version, ?, evidence, "
            "evidence_hash, attempts, finished, properties FROM runs WHERE id = 1", rows)
        connection.commit()
        connection.close()

    @unittest.skipUnless(shutil.which("chromium"), "no Chromium")
    def test_a_page_of_20000_runs_opens_and_filters_at_once(self):
        self.many_runs("big.db", 5000)
        self.expect(0, "", "campaign", "report", "big.db", "-o", "big.html")
        # A script at the end of the page does what a user would, and leaves the times in the page.
        measure = """<script>addEventListener("load", () => {
          const times = [performance.now()], counts = [];
          for (const text of ["design12", "suite3", "timeout", "node77", ""]) {
            byId("text").value = text;
            const start = performance.now();
            filter();
            byId("window").getBoundingClientRect();
            times.push(performance.now() - start);
            counts.push(shown.length);
          }
          drawCactus();
          const out = document.createElement("pre");
          out.textContent = "measured " + JSON.stringify({times, counts, paths: document.querySelectorAll("#cactus path").length});
          document.body.append(out);
        });</script></body>"""
        page = self.folder / "big.html"
        page.write_text(page.read_text().replace("</body>", measure))
        run = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.folder}/profile",
                              "--dump-dom", page.as_uri()],
                             capture_output=True, text=True, timeout=120, check=False)
        found = re.search(r"measured (\{.*?\})", run.stdout)
        self.assertTrue(found, run.stderr[-500:])
        measured = json.loads(found.group(1))
        opened, *filtered = measured["times"]
        self.assertEqual(measured["counts"][-1], 20001)
        self.assertLess(measured["counts"][0], 2000)
        self.assertGreater(measured["paths"], 4)
        self.assertLess(opened, 2000)
        self.assertLess(sorted(filtered)[2], 100)

    def test_errors(self):
        self.expect(66, "", "campaign", "report", "absent.db", "-o", "out.html")
        self.write("text.db", "no database\n" * 100)
        self.expect(65, "", "campaign", "report", "text.db", "-o", "out.html")
        self.assertEqual(list(self.folder.glob("out.*")), [])

    @unittest.skipUnless(shutil.which("node"), "no node")
    def test_the_script_of_the_page_is_well_formed(self):
        self.models(1)
        self.run_program("campaign", ".", "--db", "c.db")
        self.run_program("campaign", "report", "c.db", "-o", "out.html")
        script = re.search(r"<script>(.*)</script>", (self.folder / "out.html").read_text(), re.S).group(1)
        self.write("page.js", script)
        run = subprocess.run(["node", "--check", "page.js"], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, ""))


if __name__ == "__main__":
    main()
