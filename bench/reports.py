#!/usr/bin/env python3
"""`make bench NAME=reports`: a report of each of 40 models, of all formats, safe and unsafe, opened in headless Chromium.
A page must have no error on its console, ask for nothing from the network, fit a screen of 1280 and of 320 pixels,
have enough contrast in both themes, and show its verdict and the reason on the first screen; a counterexample of a
program must show its line and values there too. tests/cli/report_test.py opens some of them in `make test`.
Exit code 1 when a page fails, 2 when there is no browser.
usage: reports.py [--build DIR] [--pictures DIR] [--timeout S] [--only NAME]..."""
import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/cli"))
import browser  # noqa: E402

BUG = ["-D", "BUG"]
# Name of the page: the files under the root of the project, further arguments.
MODELS = {
    "aiger_arbiter": (["examples/aiger/arbiter_safe.aag"], []),
    "aiger_peterson": (["examples/aiger/peterson_safe.aag"], ["--engine", "ic3"]),
    "aiger_fifo": (["bench/models/fifo_safe.aag"], ["--engine", "ic3"]),
    "aiger_mutex": (["examples/aiger/mutex_race_unsafe.aag"], []),
    "aiger_stations": (["bench/models/stations_unsafe.aag"], []),
    "aiger_input_is_bad": (["tests/regress/aiger/input_is_bad_unsafe.aag"], []),
    "btor2_ring_buffer": (["examples/btor2/ring_buffer_safe.btor2"], []),
    "btor2_division": (["tests/regress/btor2/signed_division_safe.btor2"], []),
    "btor2_average": (["examples/btor2/average_unsafe.btor2"], []),
    "btor2_array": (["tests/regress/btor2/uninitialised_array_unsafe.btor2"], []),
    "btor2_two": (["tests/regress/btor2/two_properties.btor2"], []),
    "vmt_bakery": (["examples/vmt/bakery_safe.vmt"], ["--engine", "ic3ia"]),
    "vmt_reals": (["tests/regress/vmt/real_bounds_safe.vmt"], []),
    "vmt_thermostat": (["examples/vmt/thermostat_unsafe.vmt"], []),
    "vmt_free_next": (["tests/regress/vmt/free_next_unsafe.vmt"], []),
    "chc_two_loops": (["examples/chc/two_loops_safe.smt2"], ["--engine", "ic3ia"]),
    "chc_parity": (["tests/regress/chc/parity_safe.smt2"], []),
    "chc_overflow": (["examples/chc/overflow_unsafe.smt2"], []),
    "chc_boolean": (["tests/regress/chc/boolean_argument_unsafe.smt2"], []),
    "lustre_counter": (["examples/lustre/counter_safe.lus"], []),
    "lustre_stopwatch": (["examples/lustre/stopwatch_contract_safe.lus"], []),
    "lustre_counter_bug": (["examples/lustre/counter_unsafe.lus"], []),
    "lustre_machine": (["examples/lustre/machine_integers_unsafe.lus"], []),
    "c_gcd": (["examples/c/gcd_safe.c"], []),
    "c_lock": (["examples/c/lock_safe.c"], []),
    "c_overflow": (["examples/c/overflow_unsafe.c"], []),
    "c_bubble": (["examples/c/bubble_unsafe.c"], []),
    "c_calls": (["tests/reports/calls_unsafe.c"], []),
    "c_bounds": (["tests/reports/bounds_unsafe.c"], ["--check", "bounds", "--engine", "bmc"]),
    "c_float": (["tests/reports/sensor_float_unsafe.c"], []),
    "c_device": (["tests/reports/device_unsafe.c"], []),
    "c_two_files": (["tests/reports/queue_main.c", "tests/reports/queue_part.c"], []),
    "st_traffic_light": (["examples/st/traffic_light_safe.st"], []),
    "st_pump": (["examples/st/pump_requirements_safe.st"], []),
    "st_wrap": (["examples/st/counter_wrap_unsafe.st"], []),
    "st_danger": (["examples/st/danger_range_unsafe.st"], []),
    "st_tank": (["examples/st/tank_unsafe.scl"], []),
    "verilog_fifo": (["examples/verilog/fifo_safe.sv"], []),
    "verilog_arbiter": (["examples/verilog/arbiter_unsafe.sv"], []),
    "verilog_handshake": (["tests/verilog/handshake.sv"], BUG),
}


def verdict_of(file):
    stem = pathlib.Path(file).stem
    return "unsafe" if stem.endswith("unsafe") else "safe" if stem.endswith("safe") else None


def make_page(options, folder, name):
    """The verdicts of the run that makes the page NAME.html; None and what it says if there is none."""
    files, arguments = MODELS[name]
    run = subprocess.run([options.build / "lemmata", "check", *(ROOT / file for file in files), "--report",
                          folder / f"{name}.html", "--timeout", str(options.timeout), "-q", *arguments],
                         capture_output=True, text=True, timeout=options.timeout + 60)
    words = {line.split(" ")[0] for line in run.stdout.splitlines()}
    wanted = verdict_of(files[-1])
    if not (folder / f"{name}.html").exists() or "unknown" in words or (wanted and wanted not in words):
        return None, (run.stdout + run.stderr).strip()
    return words, ""


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    ap.add_argument("--pictures", type=pathlib.Path, help="keeps screenshots")
    ap.add_argument("--timeout", type=float, default=60, help="seconds for each check (default 60)")
    ap.add_argument("--only", action="append", choices=list(MODELS))
    options = ap.parse_args()
    options.build = options.build.resolve()
    found, missing = browser.find_browser()
    if found is None:
        print(f"reports.py: {missing}")
        return 2
    start = time.monotonic()
    wrong = []
    words = set()
    with tempfile.TemporaryDirectory(prefix="lemmata-reports-") as made:
        folder = pathlib.Path(made)
        for name in options.only or MODELS:
            verdicts, says = make_page(options, folder, name)
            if verdicts is None:
                wrong.append(f"{name}: no report with a verdict: {says}")
            words |= verdicts or set()
        checked = time.monotonic()
        if options.pictures:
            options.pictures.mkdir(parents=True, exist_ok=True)
        seen = browser.visit(found, folder, options.pictures)
        for name, page in seen.items():
            wrong += [f"{name}: {what}" for what in browser.faults(page)]
    print(f"{len(seen)} pages ({', '.join(sorted(words))}), {checked - start:.0f} s to check, "
          f"{time.monotonic() - checked:.0f} s to look at: {len(wrong)} faults")
    for what in wrong:
        print(what)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
