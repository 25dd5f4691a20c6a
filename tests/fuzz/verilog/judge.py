"""What a design does, by exhaustive simulation in Icarus Verilog. Icarus elaborates the design first and tells
which registers, free values and properties there are; then a test bench visits every reachable state: it puts
a state into the registers, drives each combination of inputs and free values, looks at the checkers, ticks, and
reads the next state.

`must` has the properties that are hit in a step that all assumptions allow; `may` has also those that are hit only
when an initial value taken from an input is any value, or only by an asynchronous event between two edges,
where docs/verilog.md leaves the choice to Lemmata."""
import dataclasses
import pathlib
import subprocess

STATE_BITS, INPUT_BITS, STEPS = 15, 8, 20000

JUDGE = ("module judge;\nreg pre = 0, start = 0, phase = 1, leak = 0, first = 0, settle = 0;\n"
         "reg any_start = 0; initial if ($test$plusargs(\"any_start\")) any_start = 1;\nendmodule\n")


class NoJudgement(Exception):
    """The design is outside of what the judge can decide: the reason."""


@dataclasses.dataclass
class Judgement:
    instances: list  # (property number, path of its scope below the top module)
    must: set
    may: set
    steps: int


def run(command, folder, limit=60):
    try:
        done = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True,
                              timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        raise NoJudgement(f"{command[0]} takes too long") from None
    if done.returncode != 0:
        raise NoJudgement(f"{command[0]} fails: {(done.stderr + done.stdout).strip()[:300]}")
    return done.stdout


def reference(path, name):
    return f"{path}.{name}"


class Judge:
    def __init__(self, design, simulated, folder):
        """`simulated` is the design's text for Icarus."""
        self.design, self.folder = design, pathlib.Path(folder)
        self.top = design.top
        self.idle, self.active = ("0", "1") if design.edge == "posedge" else ("1", "0")
        (self.folder / "sim.sv").write_text(simulated, encoding="utf-8")

    def head(self):
        lines = [f"reg clock = {self.idle};"]
        lines += [f"reg [{v.width - 1}:0] in_{k} = 0;" for k, v in enumerate(self.top.inputs)]
        ports = [f".{self.top.clock}(clock)"]
        ports += [f".{v.name}(in_{k})" for k, v in enumerate(self.top.inputs)]
        return "\n".join(lines) + f"\ntop the_dut ({', '.join(ports)});\n"

    def compiled(self, name, text, arguments=()):
        (self.folder / f"{name}.sv").write_text(JUDGE + text, encoding="utf-8")
        run(["iverilog", "-g2012", "-s", "bench", "-s", "judge", "-o", f"{name}.out", f"{name}.sv",
             "sim.sv"], self.folder)
        return run(["vvp", "-n", f"{name}.out", *arguments], self.folder)

    def elaborated(self):
        """Reads what the design's own notes say: registers, free values, properties."""
        out = self.compiled("notes", "module bench;\n" + self.head() + "endmodule\n")
        self.registers, self.frees, self.properties, self.starts = [], [], [], False
        for line in out.splitlines():
            words = line.split()
            if words and words[0] in ("REG", "FREE"):
                target = self.registers if words[0] == "REG" else self.frees
                target.append((reference(words[1], words[2]), int(words[3])))
            elif words and words[0] == "PROP":
                self.properties.append((int(words[2]), words[1], words[3]))
            elif words and words[0] == "START":
                self.starts = True
        self.state_bits = sum(width for _, width in self.registers) or 1
        self.input_bits = sum(v.width for v in self.top.inputs) + sum(w for _, w in self.frees) or 1
        if self.state_bits > STATE_BITS or self.input_bits > INPUT_BITS:
            raise NoJudgement("too large")

    @staticmethod
    def slices(targets, source):
        """Assignments of consecutive bits of `source`."""
        text, low = "", 0
        for name, width in targets:
            text += f"    {name} = {source}[{low + width - 1}:{low}];\n"
            low += width
        return text

    def resets(self):
        """(input of the bench, active level)."""
        return [(f"in_{self.top.inputs.index(reset)}", level) for reset, level in self.top.resets]

    def put_inputs(self):
        """(data, resets): assignments of the bits of `value`."""
        resets = [name for name, _ in self.resets()]
        targets = [(f"in_{k}", v.width) for k, v in enumerate(self.top.inputs)] + self.frees
        lines = self.slices(targets, "value").splitlines(keepends=True)
        data = [line for line, (name, _) in zip(lines, targets) if name not in resets]
        return "".join(data), "".join(line for line, (name, _) in zip(lines, targets) if name in resets)

    def flags(self, kinds):
        return [(number, f"{path}.fail_{number}") for number, path, kind in self.properties if kind in kinds]

    def step(self):
        """The task that does one step from `state` under `value`."""
        quiet = "".join(f"    {name} = {1 - level};\n" for name, level in self.resets())
        put = self.slices(self.registers, "state")
        clear = "".join(f"    {flag} = 0;\n" for _, flag in self.flags(("assert", "assume", "cover")))
        data, resets = self.put_inputs()
        get = ", ".join(name for name, _ in reversed(self.registers)) or "1'b0"
        bad = " || ".join(f"{flag}[0]" for _, flag in self.flags(("assume",))) or "1'b0"
        report = "".join(
            f"    for (k = 0; k < 2; k = k + 1) if ({flag}[k] && !hit_{n}[k]) begin hit_{n}[k] = 1; "
            f"$display(\"HIT {n} %0d\", k); end\n"
            for n, (_, flag) in enumerate(self.flags(("assert", "cover"))))
        return (f"  task step(input first); begin\n    judge.phase = 1; judge.first = first;\n{quiet}{put}    #1;\n"
                f"    if (first) begin judge.settle = 1; #1; judge.settle = 0; end\n"
                f"    else begin\n{put}    end\n    #1;\n"
                f"{data}    #1;\n{clear}    judge.leak = 0;\n"
                "    if (first) begin judge.start = 1; #1; judge.start = 0; end\n"
                f"{resets}    #1;\n    judge.phase = 0; judge.pre = 1; #1; judge.pre = 0;\n"
                f"    clock = {self.active}; judge.phase <= 1; #1;\n"
                f"    next = {{{get}}}; ok = !({bad}); steps = steps + 1;\n    clock = {self.idle}; #1;\n"
                f"    if (judge.leak || ok === 1'bx || ^next === 1'bx) begin $display(\"LEAK\"); $finish; end\n"
                f"    if (ok) begin\n    valid = valid + 1;\n{report}"
                "    if (!seen[next]) begin seen[next] = 1; queue[tail] = next; tail = tail + 1; end\n    end\n"
                "  end endtask\n")

    def bench(self):
        bits, wide = self.state_bits, self.input_bits
        initial = ", ".join(name for name, _ in reversed(self.registers)) or "1'b0"
        hits = "".join(f"  reg [1:0] hit_{n} = 0;\n"
                       for n, _ in enumerate(self.flags(("assert", "cover"))))
        return (f"module bench;\n{self.head()}{hits}  reg [{bits - 1}:0] state, next, first, known;\n"
                f"  reg [{wide - 1}:0] value; reg ok; integer k, s, v, head = 0, tail = 0, steps = 0, valid = 0;\n"
                f"  reg seen [0:{(1 << bits) - 1}]; reg [{bits - 1}:0] queue [0:{(1 << bits) - 1}];\n"
                f"{self.step()}  initial begin\n"
                f"    for (s = 0; s < {1 << bits}; s = s + 1) seen[s] = 0;\n    #1;\n"
                f"    first = {{{initial}}}; known = 0;\n"
                f"    for (k = 0; k < {bits}; k = k + 1) if (first[k] === 1'bx) first[k] = 0; else known[k] = 1;\n"
                f"    for (s = 0; s < {1 << bits}; s = s + 1) if ((s & known) == first)\n"
                f"      for (v = 0; v < {1 << wide}; v = v + 1) if (steps < {STEPS}) begin\n"
                f"        state = s; value = v; step(1); end\n"
                f"    while (head < tail && steps < {STEPS}) begin\n      s = queue[head]; head = head + 1;\n"
                f"      for (v = 0; v < {1 << wide}; v = v + 1) begin\n"
                f"        state = s; value = v; step(0); end\n    end\n"
                f"    if (steps >= {STEPS}) $display(\"PARTIAL\");\n"
                f"    $display(\"DONE %0d %0d\", steps, valid); $finish;\n  end\nendmodule\n")

    def explored(self, arguments=()):
        """(hits in phase 0, hits in phase 1, complete, steps)."""
        out = self.compiled("bench", self.bench(), arguments)
        words = [line.split() for line in out.splitlines()]
        if ["LEAK"] in words:
            raise NoJudgement("an undefined value in the simulation")
        done = [word for word in words if word[:1] == ["DONE"]]
        if not done:
            raise NoJudgement("the simulation ends early")
        if int(done[0][2]) == 0:
            raise NoJudgement("no step satisfies the assumptions")
        hits = [{int(word[1]) for word in words if word[:1] == ["HIT"] and int(word[2]) == phase}
                for phase in (0, 1)]
        return hits[0], hits[1], ["PARTIAL"] not in words, int(done[0][1])

    def judge(self):
        self.elaborated()
        judged = [(number, path) for number, path, kind in self.properties if kind != "assume"]
        must, asynchronous, complete, steps = self.explored()
        may = must | asynchronous
        if self.starts:
            also, more, complete_too, _ = self.explored(["+any_start"])
            may, complete = may | also | more, complete and complete_too
        if not complete:
            may = set(range(len(judged)))
        return Judgement(judged, must, may, steps)
