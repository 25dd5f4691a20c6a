#!/usr/bin/env python3
"""Fails on a paper that is cited and not in docs/papers.bib, on a key of papers.bib that nothing
cites, and on a file that a comment or a page of docs names and that does not exist.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEY = re.compile(r"\b[A-Z][A-Za-z]+\d\d[a-z]?\b|\bWolff\b")
CITATION = re.compile(r"\[([A-Z][^\[\]\n]{2,90})\]")
NUMBER = re.compile(r"\[00\d[ ;,\]]")
PLACE = re.compile(r"(?<![\w/.-])(?:src|tests|docs|tools|bench|examples)/[\w./*<>-]*\w")
COMMENT = re.compile(r"//.*|^\s*#.*", re.M)


def tracked_files():
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True,
                           capture_output=True, check=True).stdout.split("\n")
    return [ROOT / name for name in names if name]


def citations(text):
    """Keys in brackets: [Lange18 4.2; Cimatti12]. Words in brackets are no citation."""
    for match in CITATION.finditer(text):
        parts = [part.strip() for part in re.split(r"[;,]", match.group(1))]
        if KEY.match(parts[0]):
            yield from (key.group() for part in parts if (key := KEY.match(part)))


def missing_places(text):
    for match in PLACE.finditer(text):
        name = match.group()
        if "<" in name or ">" in name:
            continue  # a pattern with a hole, as in src/engine/<engine>
        if "*" in name:
            if not any(ROOT.glob(name)):
                yield name
        elif not (ROOT / name).exists() and not any(ROOT.glob(name + ".*")):
            yield name


def main():
    known = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "docs/papers.bib").read_text(), re.M))
    problems, used = [], set()
    files = [path for path in tracked_files() if path.suffix in {".h", ".cpp", ".py", ".md", ".c"}
             and path.exists() and path != pathlib.Path(__file__).resolve()]
    for path in files:
        text = path.read_text(errors="replace")
        name = path.relative_to(ROOT)
        keys = set(citations(text))
        used |= keys
        problems += [f"{name}: [{key}] is not in docs/papers.bib" for key in sorted(keys - known)]
        problems += [f"{name}: cites by number: {found}" for found in NUMBER.findall(text)]
        prose = text if path.suffix == ".md" else "\n".join(COMMENT.findall(text))
        problems += [f"{name}: names {place}, which does not exist"
                     for place in sorted(set(missing_places(prose)))]
    problems += [f"docs/papers.bib: nothing cites {key}" for key in sorted(known - used)]
    for problem in problems:
        print(problem)
    print(f"check_references: {len(files)} files, {len(used)} papers, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
