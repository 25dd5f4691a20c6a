#!/usr/bin/env python3
"""Fails on a walk of docs/architecture.md that is not so, or that is longer than 30 functions.

A walk is a table under a heading `### Walk: ...`. A row is one function: its number, its name, its
file and who calls it, an earlier row. The caller's definition must contain the name of the function,
or the words by which it is called (`as`), if that is through a pointer or an object:
    | 7 | `read_aiger` | `src/frontend/aiger/aiger.cpp` | `read_problem` as `format->read` | ... |
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "architecture.md"
MOST = 30
WALK = re.compile(r"^### (Walk: [^\n]*)\n(.*?)(?=^#|\Z)", re.M | re.S)
ROW = re.compile(r"^\| (\d+) \| `([\w:~]+)` \| `([\w./]+)` \| (?:–|`([\w:~]+)`(?: as `([^`]+)`)?) \| [^|]+ \|$", re.M)


def after_brackets(text, at):
    """The place behind the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += text[i] in "([{"
        depth -= text[i] in ")]}"
        if depth == 0:
            return i + 1
    return len(text)


def definition(text, name):
    """The text of a function's definition from its parameters on; None if there is none. Initializers of a
    constructor belong to it, in round brackets."""
    for match in re.finditer(rf"(?<![\w.>:]){re.escape(name)}\s*\(", text):
        begin = match.end() - 1
        at = after_brackets(text, begin)
        while at < len(text) and text[at] not in ";{})=":
            at = after_brackets(text, at) if text[at] == "(" else at + 1
        head = text[after_brackets(text, begin):at]
        if at < len(text) and text[at] == "{" and re.fullmatch(r"\s*(const|noexcept|override|:\s.*|\s)*\s*", head, re.S):
            return text[begin:after_brackets(text, at)]
    return None


def is_named(text, words):
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None


def problems_of(title, table, read):
    """What is wrong with a walk; `read` gives a file's text, or None."""
    rows = ROW.findall(table)
    lines = [line for line in table.splitlines() if re.match(r"\| \d", line)]
    if len(rows) != len(lines) or not rows:
        yield f"{title}: {len(lines)} rows, of which {len(rows)} can be read"
    if len(rows) > MOST:
        yield f"{title}: {len(rows)} functions, at most {MOST}"
    bodies = {}
    for place, (number, name, file, caller, words) in enumerate(rows, 1):
        if int(number) != place:
            yield f"{title}: row {place} has the number {number}"
        source = read(file)
        body = definition(source, name) if source is not None else None
        if body is None:
            yield f"{title}: {name} is not defined in {file}"
        if not caller and place > 1:
            yield f"{title}: nobody calls {name}"
        if caller and caller not in bodies:
            yield f"{title}: {name} is called by {caller}, which no row before it has"
        elif caller and bodies[caller] is not None and not is_named(bodies[caller], words or name.split("::")[-1]):
            yield f"{title}: {caller} does not contain {words or name.split('::')[-1]}"
        bodies[name] = body


def main():
    read = lambda name: (ROOT / name).read_text(encoding="utf-8") if (ROOT / name).is_file() else None
    walks = WALK.findall(PAGE.read_text(encoding="utf-8"))
    problems = [problem for title, table in walks for problem in problems_of(title, table, read)]
    for problem in problems:
        print(f"docs/architecture.md: {problem}", file=sys.stderr)
    lengths = ", ".join(str(len(ROW.findall(table))) for _, table in walks)
    print(f"check_walk: {len(walks)} walks of {lengths} functions, {len(problems)} problems")
    return 1 if problems or not walks else 0


if __name__ == "__main__":
    sys.exit(main())
