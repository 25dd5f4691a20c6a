"""What the benchmark scripts share: the collection, a contest by its `score` or by a campaign, what
a run costs, the conditions it ran under, and where its page goes."""
import argparse
import csv
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import campaigns
import contest

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCORE = pathlib.Path("..") / "shared" / "tools" / "score"  # from the project's folder
SHARED = ROOT.parent / "shared" / "benchmarks"
# name -> (program, package, what prints its version, the command that is shown)
PEERS = {"abc": ("berkeley-abc", "berkeley-abc",
                 ["dpkg-query", "-W", "-f", "ABC ${Version}", "berkeley-abc"],
                 "berkeley-abc: logic; undc; strash; zero; fold; pdr"),
         "z3": ("z3", "z3", ["z3", "--version"], "z3 fp.engine=spacer {file}")}


def parser(text):
    """The options that every contest has."""
    ap = argparse.ArgumentParser(description=text,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--build", type=pathlib.Path, default=ROOT / "build",
                    help="folder with the program lemmata; results go to its folder bench")
    ap.add_argument("--jobs", type=int, default=1, help="files at a time (default 1)")
    ap.add_argument("--sample", type=int, metavar="N", help="N files drawn at random")
    ap.add_argument("--seed", type=int, default=1, help="of the sample (default 1)")
    ap.add_argument("--docs", type=pathlib.Path, help="folder of the page that is written")
    return ap


def results_folder(options):
    """BUILD/bench, made when absent; the build folder becomes absolute."""
    options.build = options.build.resolve()
    folder = options.build / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def docs_folder(options, partial):
    """A part of a campaign leaves the published page alone."""
    if options.docs:
        return options.docs
    return options.build / "bench" / "docs" if partial else ROOT / "docs"


def collection():
    """Rows of the shared collection (file, logic, expected, ...); none when it is absent."""
    table = SHARED / "expected.csv"
    if not table.exists():
        return []
    with open(table, newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


def have(peer):
    """Installs ABC when it can; a contest without a peer is still a contest."""
    program, package, _, _ = PEERS[peer]
    if not shutil.which(program) and peer == "abc":
        subprocess.run([ROOT / "tools" / "install_deps.sh", "bench"], check=False)
    if shutil.which(program):
        return True
    print(f"bench: {program} is not here and is left out; as root: apt-get install {package}",
          file=sys.stderr)
    return False


def make_wrapper(folder):
    """The program that notes peak memory; see peak.cpp."""
    source, target = ROOT / "bench" / "peak.cpp", folder / "peak"
    if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
        subprocess.run([os.environ.get("CXX", "g++"), "-std=c++20", "-O2", "-static", source, "-o",
                        target], check=True)
    return target


def contenders(names, ours, options):
    """name -> (template that runs, template that is shown) of `names`: peers, for which the first
    is None, and our own, whose arguments `ours` has."""
    folder = results_folder(options)
    wrapper = os.path.relpath(make_wrapper(folder), ROOT)
    log = os.path.relpath(folder / "memory.log", ROOT)
    lemmata = os.path.relpath(options.build / "lemmata", ROOT)
    chosen = {}
    for name in names:
        if name in ours:
            chosen[name] = (f"{wrapper} {log} {name} {{file}} {lemmata} {ours[name]}",
                            f"lemmata {ours[name]}")
        elif have(name):
            chosen[name] = (None, PEERS[name][3])
    return chosen


def run_score(chosen, options, prefixes, target):
    command = [sys.executable, SCORE, "--known", "--csv", target, "--show", "errors",
               "--timeout", f"{options.timeout:g}", "--jobs", str(options.jobs)]
    for prefix in prefixes:
        command += ["--only", prefix]
    if options.sample:
        command += ["--sample", str(options.sample), "--seed", str(options.seed)]
    for name, (template, _) in chosen.items():
        command += ["--run", f"{name}={template}" if template else name]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def add_costs(target, log):
    """Joins what the wrapper noted to the table: columns peak_kb and cpu_seconds."""
    costs = {}
    if log.exists():
        for line in log.read_text(encoding="utf-8").splitlines():
            contender, rest = line.split(",", 1)
            file, peak, cpu = rest.rsplit(",", 2)
            costs[contender, os.path.normpath(file)] = (peak, cpu)
    with open(target, newline="", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    for row in rows:
        ending = os.sep + os.path.normpath(row["file"])
        found = next((cost for (name, file), cost in costs.items()
                      if name == row["contender"] and (os.sep + file).endswith(ending)), ("", ""))
        row["peak_kb"], row["cpu_seconds"] = found
    with open(target, "w", newline="", encoding="utf-8") as f:
        table = csv.DictWriter(f, contest.COLUMNS + ["peak_kb", "cpu_seconds"])
        table.writeheader()
        table.writerows(rows)
    return len({row["file"] for row in rows})


def output(command):
    try:
        run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    except OSError:
        return ""
    return run.stdout.strip()


def environment(options, names):
    """The conditions of a contest between `names`."""
    info = pathlib.Path("/proc/cpuinfo")
    model = re.search(r"model name\s*:\s*(.*)", info.read_text() if info.exists() else "")
    commit = output(["git", "rev-parse", "--short", "HEAD"])
    version = output([options.build / "lemmata", "--version"]).removeprefix("lemmata ")
    peers = [output(PEERS[name][2]) or f"{name} of unknown version"
             for name in names if name in PEERS]
    return {"date": datetime.date.today().isoformat(),
            "cpu": model.group(1) if model else "unknown CPU",
            "cores": os.cpu_count(), "load": os.getloadavg()[0], "peers": ", ".join(peers),
            "version": version + (f" ({commit})" if commit else ""),
            "timeout": options.timeout, "jobs": options.jobs, "sample": options.sample or 0,
            "seed": options.seed}


def save_meta(target, meta):
    target.with_suffix(".json").write_text(json.dumps(meta, indent=2) + "\n", encoding="utf-8")


def play(chosen, options, prefixes, models, target):
    """The contest into `target`, its conditions beside it. The shared collection's files below
    `prefixes` when it is there, else `models`."""
    log = options.build / "bench" / "memory.log"
    log.unlink(missing_ok=True)
    target.unlink(missing_ok=True)
    meta = environment(options, chosen)
    if (ROOT / SCORE).exists():
        run_score(chosen, options, prefixes, target)
    else:
        print("bench: the shared collection is not here; our own models instead")
        meta["files"] = campaigns.contest_by_campaign(chosen, options, contest.pick(models, options), target)
    if not target.exists():
        sys.exit("bench: the contest left no results")
    if (ROOT / SCORE).exists():
        meta["files"] = add_costs(target, log)
    meta["commands"] = {name: shown for name, (_, shown) in chosen.items()}
    save_meta(target, meta)


def compare(title, templates, chosen, options, target, counters, arithmetic=None, **conditions):
    """Configurations of one engine in turn, file by file; the conditions they ran under."""
    lemmata = options.build / "lemmata"
    meta = environment(options, list(templates))
    meta.update(files=len(chosen), commands={n: f"lemmata {t}" for n, t in templates.items()},
                **conditions)
    print(f"{title}: {len(chosen)} files, {len(templates)} configurations", flush=True)
    contest.contest({name: f"{lemmata} {template}" for name, template in templates.items()},
                    lemmata, chosen, options, target, counters, arithmetic)
    save_meta(target, meta)
    return meta
