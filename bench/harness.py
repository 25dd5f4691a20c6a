"""What the benchmark scripts share: the collection, a contest by a campaign, the conditions it ran
under, and where its page goes."""
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


def contenders(names, ours):
    """name -> the command as it is shown, of `names`: peers, and our own, whose arguments `ours` has."""
    shown = {name: f"lemmata {ours[name]}" if name in ours else PEERS[name][3] for name in names}
    return {name: command for name, command in shown.items() if name in ours or have(name)}


def known(prefixes):
    """Models of the shared collection with a known verdict, and the arithmetic of C programs."""
    rows = [row for row in collection() if row["file"].startswith(tuple(prefixes)) and row["expected"] in ("safe", "unsafe")]
    return ([(row["file"], SHARED / row["file"], row["expected"]) for row in rows],
            {row["file"]: "int" for row in rows if row["file"].startswith("c/") and row["logic"] == "int"})


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
    target.unlink(missing_ok=True)
    meta = environment(options, chosen)
    arithmetic = {}
    if collection():
        models, arithmetic = known(prefixes)
    else:
        print("bench: the shared collection is not here; our own models instead")
    meta["files"] = campaigns.contest_by_campaign(chosen, options, contest.pick(models, options), target, arithmetic)
    meta["commands"] = dict(chosen)
    save_meta(target, meta)


def compare(title, templates, chosen, options, target, counters, arithmetic=None, **conditions):
    """Configurations of one engine in turn, file by file; the conditions they ran under."""
    lemmata = options.build / "lemmata"
    meta = environment(options, list(templates))
    meta.update(files=len(chosen), commands={n: f"lemmata {t}" for n, t in templates.items()},
                **conditions)
    print(f"{title}: {len(chosen)} files, {len(templates)} configurations", flush=True)
    contest.contest({name: f"{lemmata} {template}" for name, template in templates.items()},
                    chosen, options, target, counters, arithmetic)
    save_meta(target, meta)
    return meta
