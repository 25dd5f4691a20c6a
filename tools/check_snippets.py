#!/usr/bin/env python3
"""Fails on code in a page that is not, line by line, in the file the page takes it from.

A page says where a block of code comes from in the line before it:
    <!-- from tests/unit/engine/example_engine/options.h -->
A line of three dots stands for lines left out.   usage: check_snippets.py [PAGE ...]"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ["CONTRIBUTING.md"]
BLOCK = re.compile(r"<!-- from (\S+) -->\n```\w*\n(.*?)```\n", re.S)
MARK = re.compile(r"<!-- from ")


def missing_lines(quoted, lines):
    """The first quoted line that does not follow the ones before it in `lines`, or None. Between
    dots, lines must follow each other without a gap."""
    at = 0
    for part in re.split(r"^\s*\.\.\.\n", quoted, flags=re.M):
        wanted = part.splitlines()
        starts = range(at, len(lines) - len(wanted) + 1)
        begin = next((i for i in starts if lines[i:i + len(wanted)] == wanted), None)
        if begin is None:
            return next((line for line in wanted if line not in lines), wanted[0])
        at = begin + len(wanted)
    return None


def problems_of(page, text, read):
    """What is wrong with the snippets of a page; `read` gives a file's text, or None."""
    blocks = BLOCK.findall(text)
    if len(blocks) != len(MARK.findall(text)):
        yield f"{page}: a 'from' mark is not followed by a block of code"
    for name, quoted in blocks:
        source = read(name)
        if source is None:
            yield f"{page}: quotes {name}, which does not exist"
        elif (line := missing_lines(quoted, source.splitlines())) is not None:
            yield f"{page}: not so in {name}: {line.strip()}"


def main():
    read = lambda name: (ROOT / name).read_text() if (ROOT / name).is_file() else None
    pages = sys.argv[1:] or PAGES
    problems = [problem for page in pages
                for problem in problems_of(page, (ROOT / page).read_text(), read)]
    for problem in problems:
        print(problem)
    count = sum(len(BLOCK.findall((ROOT / page).read_text())) for page in pages)
    print(f"check_snippets: {count} snippets, {len(problems)} problems")
    return 1 if problems or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
