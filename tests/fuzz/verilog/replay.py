"""Runs a test bench that lemmata wrote with the design for Icarus, whose checkers must show the failure. The
bench changes inputs and clock at the start of a step of 10 time units, so values have settled just before
the next step; the last step gets its edge as well, since clocked assertions are executed there."""
import re

from judge import NoJudgement, run

# Samples one time unit before the next edge.
SAMPLER = ("module judge;\nreg pre = 0, start = 0, phase = 0, leak = 0, any_start = 0, first = 1, settle = 0;\n"
           "initial begin #8 start = 1; #1 start = 0; #1 first = 0; end\n"
           "initial forever begin #9 pre = 1; #1 pre = 0; end\nendmodule\n")


def with_last_edge(bench, clock, active):
    """The bench with one more edge before it stops."""
    return re.sub(r"(?m)^(\s*\$finish)", f"    {clock} = {active}; #5;\n\\1", bench, count=1)


def replayed(folder, design, prop):
    """What is wrong, or nothing."""
    bench = (folder / "tb.v").read_text(encoding="utf-8")
    active = 1 if design.edge == "posedge" else 0
    bench = with_last_edge(bench, design.top.clock, active)
    # The text for Icarus has names for blocks without one; what is in them is written before it is read.
    bench = re.sub(r"(?m)^ *(?:force|release) dut\S*\.genblk\d.*;$", "", bench)
    name = re.search(r"(?m)^module (\S+);", bench)[1]
    shown = f"if (fail_{prop.number}[0] || fail_{prop.number}[1]) $display(\"SHOWN\");"
    sim = (folder / "sim.sv").read_text(encoding="utf-8")
    sim = sim.replace(f"initial $display(\"PROP %m {prop.number} {prop.kind}\");",
                      f"always @(fail_{prop.number}) {shown}")
    (folder / "replay.sv").write_text(SAMPLER + sim, encoding="utf-8")
    (folder / "replay_tb.v").write_text(bench, encoding="utf-8")
    try:
        run(["iverilog", "-g2012", "-s", name, "-s", "judge", "-o", "replay.out", "replay_tb.v", "replay.sv"], folder)
        out = run(["vvp", "-n", "replay.out"], folder)
    except NoJudgement as reason:
        return str(reason)
    return None if "SHOWN" in out else "Icarus does not show the failure"
