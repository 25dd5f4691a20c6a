#!/usr/bin/env python3
"""Writes the option tables of docs/engines.md from `lemmata options`; --check only compares.
usage: engine_docs.py path/to/lemmata [--check]"""
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs" / "engines.md"
BEGIN, END = "<!-- options: written by `make docs` -->\n", "<!-- end of options -->\n"


def tables(listing):
    out, prefix = "", None
    for name, values, text in re.findall(r"^([a-z0-9.-]+)=(\S+)\n    (.*)$", listing, re.M):
        help_text, default = re.fullmatch(r"(.*) \(default (.*)\)", text).groups()
        if name.split(".")[0] != prefix:
            prefix = name.split(".")[0]
            out += f"\n### {prefix}\n\n| option | values | default | what |\n|---|---|---|---|\n"
        shown = values.replace("|", " \\| ")
        out += f"| `{name}` | {shown} | {default} | {help_text} |\n"
    return out + "\n"


def main():
    listing = subprocess.run([sys.argv[1], "options"], capture_output=True, text=True, check=True).stdout
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    fresh = before + BEGIN + tables(listing) + END + rest.split(END)[1]
    if "--check" not in sys.argv:
        PAGE.write_text(fresh, encoding="utf-8")
    elif fresh != text:
        print("docs/engines.md: the option tables are out of date; run `make docs`", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
