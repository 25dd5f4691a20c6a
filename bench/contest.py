"""What run.py uses when the shared `score` is absent: the same contest over our own lists. Writes
the same columns: file, expected, contender, verdict, seconds, message."""
import csv
import os
import pathlib
import random
import re
import resource
import shlex
import signal
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = ["file", "expected", "contender", "verdict", "seconds", "message"]
ADDRESS_SPACE = 3 << 30
GRACE = 5  # seconds after the limit in which a contender may say that it timed out


def models():
    """(name, path, expected) of the bundled models and of the folder LEM_BENCH_DIR."""
    found = []
    for folder in (ROOT / "examples", ROOT / "bench" / "models"):
        found += [(p.relative_to(ROOT).as_posix(), p, verdict_in_name(p))
                  for p in sorted(folder.rglob("*.a[ai]g"))]
    extra = os.environ.get("LEM_BENCH_DIR")
    if extra:
        found += listed(pathlib.Path(extra))
    return found


def listed(folder):
    """By the folder's expected.csv (columns file, expected), else by the names of its files."""
    table = folder / "expected.csv"
    if table.exists():
        with open(table, newline="", encoding="utf-8") as f:
            return [(row["file"], folder / row["file"], row["expected"])
                    for row in csv.DictReader(f) if row["file"].endswith((".aag", ".aig"))]
    return [(p.relative_to(folder).as_posix(), p, verdict_in_name(p))
            for p in sorted(folder.rglob("*.a[ai]g"))]


def verdict_in_name(path):
    return next((word for word in ("unsafe", "safe") if path.stem.endswith("_" + word)), "unknown")


def limited(command, wall):
    """(exit code or None when killed, stdout, stderr, wall seconds)."""
    def limits():
        os.setsid()
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    start = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="replace", stdin=subprocess.DEVNULL, preexec_fn=limits) as process:
        try:
            out, err = process.communicate(timeout=wall)
            return process.returncode, out, err, time.monotonic() - start
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            return None, out, err, time.monotonic() - start


def run_abc(path, timeout, lemmata):
    """ABC reads binary AIGER only, so that `lemmata convert` writes one (not on the clock)."""
    with tempfile.TemporaryDirectory() as folder:
        binary = path
        if path.suffix == ".aag":
            binary = pathlib.Path(folder) / "model.aig"
            made = subprocess.run([lemmata, "convert", path, "-o", binary], capture_output=True,
                                  text=True)
            if made.returncode != 0:
                return "error", 0.0, "convert: " + made.stderr.strip()
        script = f"read_aiger {binary}; logic; undc; strash; zero; fold; pdr"
        _, out, _, seconds = limited(["berkeley-abc", "-c", script], timeout)
    if "was asserted in frame" in out:
        return "unsafe", seconds, ""
    return ("safe" if "Property proved" in out else "unknown"), seconds, ""


def run_command(template, path, timeout):
    command = [part.replace("{file}", str(path)).replace("{timeout}", str(timeout))
               for part in shlex.split(template)]
    code, out, err, seconds = limited(command, timeout + GRACE)
    words = re.findall(r"^(safe|unsafe|unknown)\b", out, re.M)
    if words:
        verdict = next((w for w in ("unsafe", "unknown") if w in words), "safe")
        return (verdict if seconds <= timeout + 1 else "unknown"), seconds, ""
    if code is None:
        return "unknown", seconds, "killed"
    return "error", seconds, f"exit {code}: " + err.strip().split("\n")[-1][:160]


def contest(contenders, lemmata, options, target):
    """Contenders alternate file by file, so that noise hits all alike.
    `contenders`: name -> command template, None for ABC."""
    chosen = [m for m in models()
              if not options.only or any(m[0].startswith(p) for p in options.only)]
    if options.sample and options.sample < len(chosen):
        chosen = sorted(random.Random(options.seed).sample(chosen, options.sample))

    def job(model):
        name, path, expected = model
        rows = []
        for contender, template in contenders.items():
            verdict, seconds, message = (
                run_abc(path, options.timeout, lemmata) if template is None
                else run_command(template, path, options.timeout))
            rows.append([name, expected, contender, verdict, f"{seconds:.3f}", message])
        return rows

    with ThreadPoolExecutor(options.jobs) as pool, open(target, "w", newline="",
                                                        encoding="utf-8") as f:
        table = csv.writer(f)
        table.writerow(COLUMNS)
        for rows in pool.map(job, chosen):
            table.writerows(rows)
