"""Contests by `lemmata campaign`: our configurations, and others' programs by their commands and the patterns of their
answers. Writes the same columns as contest.py, and what a run cost; the database and a page with plots stay beside the
table."""
import csv
import json
import shlex
import sqlite3
import subprocess

import contest

# ABC reads binary AIGER only: others are converted first, which takes milliseconds and is on the clock.
ABC = """f=$1; case $f in *.aig) ;; *) f=$(mktemp --suffix=.aig); trap 'rm -f "$f"' EXIT; "$2" convert "$1" -o "$f";; esac
berkeley-abc -c "read_aiger $f; logic; undc; strash; zero; fold; pdr\""""
PEERS = {
    "abc": {"command": f"sh -c {shlex.quote(ABC)} sh {{file}} {{lemmata}}", "safe": "Property proved",
            "unsafe": "was asserted in frame"},
    "z3": {"command": "z3 fp.engine=spacer -T:{seconds} {file}", "safe": "^sat", "unsafe": "^unsat"}}


def configuration(name, shown):
    """Of a command as it is shown: `lemmata check --engine ic3 --timeout {timeout} {file}`."""
    words = shlex.split(shown.replace("{arith}", "bv"))[2:]
    words.remove("{file}")
    made = {"name": name}
    for option in ("--timeout", "--engine"):
        if option in words:
            at = words.index(option)
            if option == "--engine":
                made["engine"] = words[at + 1]
            del words[at:at + 2]
    return {**made, "arguments": words} if words else made


def plan(chosen, options, models, table):
    """`chosen`: name -> (template or None for a peer, command as it is shown); `models`: (name, path, expected)."""
    ours = [configuration(name, shown) for name, (template, shown) in chosen.items() if template]
    peers = [{"name": name, **PEERS[name]} for name, (template, _) in chosen.items() if not template]
    return {"inputs": [str(path) for _, path, _ in models], "configurations": ours, "contenders": peers,
            "limits": {"seconds": options.timeout, "memory": contest.ADDRESS_SPACE >> 20}, "expected": str(table)}


def contest_by_campaign(chosen, options, models, target):
    """Runs the contest and writes its table; the number of files."""
    database, table = target.with_suffix(".db"), target.with_suffix(".expected.csv")
    database.unlink(missing_ok=True)
    subprocess.run(["rm", "-rf", f"{database}.files"], check=True)
    with open(table, "w", newline="", encoding="utf-8") as f:
        csv.writer(f).writerows([("file", "expected"), *((path, expected) for _, path, expected in models)])
    made = target.with_suffix(".yml")
    made.write_text(json.dumps(plan(chosen, options, models, table)), encoding="utf-8")
    lemmata = options.build / "lemmata"
    subprocess.run([lemmata, "campaign", made, "--db", database, "--on", f"local:{options.jobs}"], check=False)
    subprocess.run([lemmata, "campaign", "report", database, "-o", target.with_suffix(".html")], check=True)
    # The report has put a table there, in its own columns.
    names = {str(path): name for name, path, _ in models}
    connection = sqlite3.connect(database)
    with open(target, "w", newline="", encoding="utf-8") as f:
        rows = csv.writer(f)
        rows.writerow(contest.COLUMNS + ["peak_kb", "cpu_seconds"])
        for file, expected, *rest, reason, peak, cpu in connection.execute(
                "SELECT file, expected, configuration, verdict, printf('%.3f', seconds), reason, memory_kb, "
                "printf('%.2f', processor_seconds) FROM runs ORDER BY id"):
            message = reason if rest[1] == "error" else ""
            rows.writerow([names[file], expected or "unknown", *rest, message, peak, cpu])
    connection.close()
    return len(models)
