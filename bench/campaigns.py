"""Contests by `lemmata campaign`: our configurations, and others' programs by their commands and the patterns of their
answers. Writes the same columns as contest.py, and what a run cost; the database and a page with plots stay beside the
table."""
import csv
import json
import shlex
import shutil
import sqlite3
import subprocess

import contest

# ABC reads binary AIGER only: others are converted first, which takes milliseconds and is on the clock. ABC itself removes the file
# that was made, as soon as it has read it: at the limit of time nobody is left who could.
ABC = """f=$1; done=; case $f in *.aig) ;; *) f=$(mktemp --suffix=.aig) && "$2" convert "$1" -o "$f" || exit 1; done="!rm -f $f;";; esac
exec berkeley-abc -c "read_aiger $f; $done logic; undc; strash; zero; fold; pdr\""""
PEERS = {
    "abc": {"command": f"sh -c {shlex.quote(ABC)} sh {{file}} {{lemmata}}", "safe": "Property proved",
            "unsafe": "was asserted in frame", "files": [".aig", ".aag"]},
    "z3": {"command": "z3 fp.engine=spacer {file}", "safe": "^sat", "unsafe": "^unsat", "files": [".smt2"]}}


def configuration(name, shown, arithmetic):
    """Of a command as it is shown: `lemmata check --engine ic3 --timeout {timeout} {file}`."""
    words = shlex.split(shown.replace("{arith}", arithmetic))[2:]
    words.remove("{file}")
    made = {"name": name}
    for option in ("--timeout", "--engine"):
        if option in words:
            at = words.index(option)
            if option == "--engine":
                made["engine"] = words[at + 1]
            del words[at:at + 2]
    return {**made, "arguments": words} if words else made


def plan(chosen, options, models, table, arithmetic):
    """`chosen`: name -> the command as it is shown; `models`: (name, path, expected)."""
    ours = [configuration(name, shown, arithmetic) for name, shown in chosen.items() if name not in PEERS]
    peers = [{"name": name, **PEERS[name]} for name in chosen if name in PEERS]
    return {"inputs": [str(path) for _, path, _ in models], "configurations": ours, "contenders": peers,
            "limits": {"seconds": options.timeout, "memory": contest.ADDRESS_SPACE >> 20}, "expected": str(table)}


def run(chosen, options, models, target, arithmetic):
    """One campaign into files beside `target`; rows of its table."""
    database, table = target.with_suffix(".db"), target.with_suffix(".expected.csv")
    database.unlink(missing_ok=True)
    shutil.rmtree(f"{database}.files", ignore_errors=True)
    with open(table, "w", newline="", encoding="utf-8") as f:
        csv.writer(f).writerows([("file", "expected"), *((path, expected) for _, path, expected in models)])
    made = target.with_suffix(".yml")
    made.write_text(json.dumps(plan(chosen, options, models, table, arithmetic)), encoding="utf-8")
    lemmata = options.build / "lemmata"
    subprocess.run([lemmata, "campaign", made, "--db", database, "--on", f"local:{options.jobs}"], check=False)
    subprocess.run([lemmata, "campaign", "report", database, "-o", target.with_suffix(".html")], check=True)
    names = {str(path): name for name, path, _ in models}
    connection = sqlite3.connect(database)
    rows = []
    for file, expected, *rest, reason, peak, cpu in connection.execute(
            "SELECT file, expected, configuration, verdict, printf('%.3f', seconds), reason, memory_kb, "
            "printf('%.2f', processor_seconds) FROM runs ORDER BY id"):
        message = reason if rest[1] == "error" else ""
        rows.append([names[file], expected or "unknown", *rest, message, peak, cpu])
    connection.close()
    return rows


def contest_by_campaign(chosen, options, models, target, arithmetic=None):
    """Runs the contest and writes its table; the number of files. `arithmetic`: of C programs by name where it is not
    that of words; programs over integers are a campaign of their own, with another argument."""
    def kind(model):
        return (arithmetic or {}).get(model[0], "bv")
    kinds = sorted({kind(model) for model in models})
    rows = []
    for each in kinds:
        beside = target if len(kinds) == 1 else target.with_name(f"{target.stem}-{each}.csv")
        rows += run(chosen, options, [model for model in models if kind(model) == each], beside, each)
    with open(target, "w", newline="", encoding="utf-8") as f:  # a report has put its own table there
        csv.writer(f).writerows([contest.COLUMNS + ["peak_kb", "cpu_seconds"], *rows])
    return len(models)
