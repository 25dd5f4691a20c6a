"""Our own configurations over a list of models, with their statistics or a limit of processor time, which campaigns
(campaigns.py) do not have; contests with others are campaigns. Writes the same columns: file, expected, contender,
verdict, seconds, message."""
import csv
import math
import os
import pathlib
import random
import re
import resource
import shlex
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = ["file", "expected", "contender", "verdict", "seconds", "message"]
ADDRESS_SPACE = 3 << 30
GRACE = 5  # seconds after the limit in which a contender may say that it timed out
SLOWEST = 30  # wall seconds that a processor second may take on a machine with other work


def models(endings=(".aag", ".aig")):
    """(name, path, expected) of the bundled models and of the folder LEM_BENCH_DIR."""
    found = []
    for folder in (ROOT / "examples", ROOT / "bench" / "models"):
        found += named(folder, ROOT, endings)
    extra = os.environ.get("LEM_BENCH_DIR")
    if extra:
        found += listed(pathlib.Path(extra), endings)
    return found


def named(folder, base, endings):
    """The models below `folder`, by names relative to `base`."""
    return [(p.relative_to(base).as_posix(), p, verdict_in_name(p))
            for p in sorted(folder.rglob("*")) if p.suffix in endings]


def listed(folder, endings):
    """By the folder's expected.csv (columns file, expected), else by the names of its files."""
    table = folder / "expected.csv"
    if not table.exists():
        return named(folder, folder, endings)
    with open(table, newline="", encoding="utf-8") as f:
        return [(row["file"], folder / row["file"], row["expected"])
                for row in csv.DictReader(f) if row["file"].endswith(endings)]


def pick(chosen, options):
    """A sample of `chosen` when one is wanted."""
    if not options.sample or options.sample >= len(chosen):
        return chosen
    return sorted(random.Random(options.seed).sample(chosen, options.sample))


def verdict_in_name(path):
    return next((word for word in ("unsafe", "safe") if path.stem.endswith("_" + word)), "unknown")


def processor_seconds():
    """Of all children so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def limited(command, wall, cpu=None):
    """(exit code or None when killed, stdout, stderr, seconds): wall seconds, or processor seconds
    when these are limited (`cpu`), which holds of one process at a time."""
    def limits():
        os.setsid()
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        if cpu:
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(cpu), math.ceil(cpu)))
    clock = processor_seconds if cpu else time.monotonic
    start = clock()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="replace", stdin=subprocess.DEVNULL, preexec_fn=limits) as process:
        try:
            out, err = process.communicate(timeout=wall)
            killed = cpu and process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
            return None if killed else process.returncode, out, err, clock() - start
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            return None, out, err, clock() - start


def fill(template, path, timeout, arith="bv"):
    words = {"{file}": str(path), "{timeout}": f"{timeout:g}", "{arith}": arith}
    parts = shlex.split(template)
    for word, meaning in words.items():
        parts = [part.replace(word, meaning) for part in parts]
    return parts


def judge(command, timeout, cpu=False):
    """(verdict, seconds, message, statistics) of one of our runs."""
    if cpu:
        code, out, err, seconds = limited(command, SLOWEST * timeout, timeout + 1)
    else:
        code, out, err, seconds = limited(command, timeout + GRACE)
    words = re.findall(r"^(safe|unsafe|unknown)\b", out, re.M)
    stats = statistics(err)
    if words:
        verdict = next((w for w in ("unsafe", "unknown") if w in words), "safe")
        return (verdict if seconds <= timeout + 1 else "unknown"), seconds, "", stats
    if code is None:
        return "unknown", seconds, "killed", stats
    return "error", seconds, f"exit {code}: " + err.strip().split("\n")[-1][:160], stats


def statistics(text):
    """What --stats prints: counters as integers, timers in seconds."""
    rows = re.findall(r"^([a-z0-9]+\.[\w.-]+) +(\d+|\d+\.\d+ s)$", text, re.M)
    return {name: float(value[:-2]) if value.endswith(" s") else int(value)
            for name, value in rows}


def contest(contenders, chosen, options, target, counters=(), arithmetic=None):
    """Contenders alternate file by file, so that noise hits all alike. `contenders`: name ->
    command template; `chosen`: models; `counters`: statistics kept as columns;
    `arithmetic`: of C programs by name, bv where it says nothing."""
    def play(template, name, path):
        arith = (arithmetic or {}).get(name, "bv")
        cpu = getattr(options, "cpu", False)
        said = options.timeout * (SLOWEST if cpu else 1)
        return judge(fill(template, path, said, arith), options.timeout, cpu)

    def job(model):
        name, path, expected = model
        rows = []
        for contender, template in contenders.items():
            verdict, seconds, message, stats = play(template, name, path)
            rows.append([name, expected, contender, verdict, f"{seconds:.3f}", message,
                         *(stats.get(counter, "") for counter in counters)])
        return rows

    with ThreadPoolExecutor(options.jobs) as pool, open(target, "w", newline="",
                                                        encoding="utf-8") as f:
        table = csv.writer(f)
        table.writerow([*COLUMNS, *counters])
        for rows in pool.map(job, chosen):
            table.writerows(rows)
            f.flush()
