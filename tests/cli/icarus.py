"""Runs the test bench of a trace in Icarus Verilog and compares its waveform with ours, value by value."""
import pathlib
import re
import subprocess

STEP = 10  # time units of a step, as in src/writer/vcd.h


def read_vcd(path, top):
    """Values of every bit-vector by hierarchical name below `top`: {name: [(time, bits), ...]}."""
    names, scopes, changes, time = {}, [], {}, 0
    tokens = iter(pathlib.Path(path).read_text().split("\n"))
    for line in tokens:
        words = line.split()
        if not words:
            continue
        if words[0] == "$scope":
            scopes.append(words[2])
        elif words[0] == "$upscope":
            scopes.pop()
        elif words[0] == "$var" and words[1] not in ("string", "parameter", "real"):
            full = ".".join([*scopes, words[4]])
            if full.startswith(top + "."):
                names.setdefault(words[3], []).append((full[len(top) + 1:], int(words[2])))
        elif words[0][0] == "#":
            time = int(words[0][1:])
        elif words[0][0] == "b" and len(words) == 2:
            changes.setdefault(words[1], []).append((time, words[0][1:]))
        elif words[0][0] in "01xz" and len(words) == 1:
            changes.setdefault(words[0][1:], []).append((time, words[0][0]))
    out = {}
    for code, signals in names.items():
        for name, width in signals:
            out[name] = [(at, extend(bits.lower(), width)) for at, bits in changes.get(code, [])]
    return out


def extend(bits, width):
    """Leading zeros may be left out, and leading x and z stand for all before them."""
    return (bits[0] if bits[0] in "xz" else "0") * (width - len(bits)) + bits


def at(changes, time):
    value = None
    for when, bits in changes:
        if when > time:
            break
        value = bits
    return value


def simulate(folder, bench, files, switches=()):
    """The waveform that Icarus makes of a bench."""
    run = pathlib.Path(folder) / "icarus.out"
    subprocess.run(["iverilog", "-g2012", "-s", "tb", *switches, "-o", run, bench, *files], check=True,
                   capture_output=True, text=True, timeout=60)
    ended = subprocess.run(["vvp", run, "+vcd"], cwd=folder, check=True, capture_output=True, text=True, timeout=60)
    assert "lemmata: step" in ended.stdout, ended.stdout
    return read_vcd(pathlib.Path(folder) / "tb.vcd", "tb.dut"), ended.stdout


def differences(ours, theirs, steps, ignore_x=False):
    """Signals that differ at some step: (name, step, our value, Icarus' value); and how many agree."""
    wrong, same = [], 0
    for name, changes in sorted(ours.items()):
        if name not in theirs:
            continue
        for step in range(steps):
            # In the middle of the first half: after the edge and what it caused.
            mine, other = at(changes, STEP * step + 4), at(theirs[name], STEP * step + 4)
            if mine == other or ignore_x and other is not None and len(mine) == len(other) and all(
                    o in ("x", m) for m, o in zip(mine, other)):
                same += 1
            else:
                wrong.append((name, step, mine, other))
    return wrong, same


def steps_of(vcd):
    last = re.findall(r"^#(\d+)$", pathlib.Path(vcd).read_text(), re.M)[-1]
    return int(last) // STEP
