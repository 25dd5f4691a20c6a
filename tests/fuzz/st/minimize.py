"""Makes a program with a mismatch smaller: lines are left out, blocks lose their heads, brackets their contents,
as long as the same kind of mismatch remains."""
import dataclasses
import re

from judge import Mismatch, Skip, judge
from kinds import TypeFault
from syntax import SyntaxFault

MOST_TRIALS = 1500


def kind_of(message):
    """What must stay the same: the words without names and numbers."""
    return re.sub(r"[a-z_]*\w*\d\w*", "", message)[:60]


class Minimizer:
    def __init__(self, question, message, program, folder, limit):
        self.question, self.kind = question, kind_of(message)
        self.program, self.folder, self.limit = program, folder, limit
        self.trials = 0

    def still_wrong(self, lines):
        self.trials += 1
        question = dataclasses.replace(self.question, text="\n".join(lines) + "\n", most_cycles=2000)
        try:
            judge(question, self.program, self.folder, self.limit)
        except Mismatch as wrong:
            return kind_of(str(wrong)) == self.kind
        except (Skip, TypeFault, SyntaxFault, LookupError, AttributeError, TypeError, ValueError):
            return False
        return False

    def without_lines(self, lines):
        size = max(1, len(lines) // 2)
        while size >= 1 and self.trials < MOST_TRIALS:
            at = 0
            while at < len(lines) and self.trials < MOST_TRIALS:
                smaller = lines[:at] + lines[at + size:]
                if smaller and self.still_wrong(smaller):
                    lines = smaller
                else:
                    at += size
            size //= 2
        return lines

    def without_heads(self, lines):
        """IF x THEN, END_IF and the like go, what is between them stays."""
        at = 0
        while at < len(lines) and self.trials < MOST_TRIALS:
            indent = len(lines[at]) - len(lines[at].lstrip())
            ends = [i for i in range(at + 1, len(lines)) if re.match(r" {%d}END_" % indent, lines[i])]
            smaller = lines[:at] + lines[at + 1:ends[0]] + lines[ends[0] + 1:] if ends else None
            if smaller and re.match(r"\s*(IF|FOR|WHILE|CASE|REPEAT)\b", lines[at]) and self.still_wrong(smaller):
                lines = smaller
            else:
                at += 1
        return lines

    PARTS = ((r"\w*\([^()]*\)", ("0", "1", "TRUE", "FALSE", "2")), (r" (?:[-+*/]|AND|OR|XOR|MOD) \w+", ("",)),
             (r"\w+ : [^;]*;", ("",)), (r", \w+ := \w+|\w+ := \w+, ", ("",)), (r" := [^;(]*(?=;)", ("",)),
             (r"//(?!#)[^\n]*|\(\*.*?\*\)|/\*.*?\*/", ("",)))

    def with_smaller_parts(self, lines):
        """Innermost brackets become numbers or lose their brackets; declarations go one by one."""
        for at, _ in enumerate(lines):
            for pattern, news in self.PARTS:
                lines = self.with_replacements(lines, at, pattern, news)
        return lines

    def with_replacements(self, lines, at, pattern, news):
        start = 0
        while self.trials < MOST_TRIALS:
            found = re.compile(pattern).search(lines[at], start)
            if not found:
                return lines
            for new in news:
                line = lines[at][:found.start()] + new + lines[at][found.end():]
                smaller = lines[:at] + [line] + lines[at + 1:]
                if len(line) < len(lines[at]) and self.still_wrong(smaller):
                    lines = smaller
                    break
            else:
                start = found.start() + 1
        return lines

    def run(self):
        lines = self.question.text.splitlines()
        before = None
        while before != lines and self.trials < MOST_TRIALS:
            before = lines
            lines = self.with_smaller_parts(self.without_heads(self.without_lines(lines)))
        return dataclasses.replace(self.question, text="\n".join(lines) + "\n")


def minimized(question, message, program, folder, limit):
    return Minimizer(question, message, program, folder, limit).run()
