#!/usr/bin/env python3
"""Fails on an #include that docs/architecture.md does not allow.

A module is a folder of src/. Besides the arrows: an engine folder includes no other engine folder,
only engine/parts and engine/engine.h; registry.cpp alone knows several engines.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SRC = ROOT / "src"

# Module -> modules it may include, besides itself. Single headers may be named as well.
ALLOWED = {
    "base": set(),
    "term": {"base"},
    "sat": {"base"},
    "arith": {"base", "term", "sat"},
    "smt": {"base", "term", "sat", "arith"},
    "model": {"base", "term"},
    "bitblast": {"base", "term", "model"},
    "ctext": {"base", "model"},
    "frontend": {"base", "term", "model", "ctext"},
    "transform": {"base", "term", "model", "bitblast", "sat", "smt"},
    "engine": {"base", "term", "model", "bitblast", "sat", "smt"},
    "check": {"base", "term", "model", "ctext", "sat", "smt"},
    "explain": {"base", "term", "model", "sat", "smt", "check"},
    "writer": {"base", "term", "model", "ctext", "check/certify.h"},
    "run": {"base", "term", "sat", "smt", "model", "engine", "transform", "check"},
    "campaign": {"base", "writer/file.h"},
    "api": set(),
    "app": {"campaign", "base", "term", "sat", "smt", "model", "ctext", "frontend", "transform", "run",
            "check", "explain", "writer"},
}
# Files that must stay clear of what their module may include: the validator sees no engine.
NARROWER = {
    "app/validate/validate.h": {"base", "model", "frontend", "check"},
    "app/validate/validate.cpp": {"base", "model", "frontend", "check"},
    "app/validate/main.cpp": {"base", "model", "frontend", "check"},
    "app/validate/options.h": {"base", "frontend", "check/native_mode.h"},
    "app/validate/options.cpp": {"base", "frontend", "check/native_mode.h"},
    "app/option_formats.h": {"base"},
    "app/option_formats.cpp": {"base", "frontend"},
    "app/console.h": {"base"},
    "app/console.cpp": {"base"},
    "app/supervisor.h": {"base"},
    "app/supervisor.cpp": {"base"},
    "app/standard_input.h": {"base", "frontend"},
    "app/standard_input.cpp": {"base", "frontend"},
    "app/evidence/form.h": {"base"},
    "app/evidence/form.cpp": {"base"},
}
SEVERAL_ENGINES = ("engine/registry.cpp",)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def problem(name, target):
    """Why `name` (relative to src/) may not include `target`, or None."""
    module, other = name.split("/")[0], target.split("/")[0]
    if not (SRC / target).is_file():
        return "no such file under src/ (includes are written from src/)"
    if module not in ALLOWED:
        return f"src/{module} is not a known module"
    if module == other:
        if module == "engine" and not name.startswith(SEVERAL_ENGINES):
            mine, theirs = name.split("/")[1], target.split("/")[1]
            if theirs not in (mine, "parts", "engine.h"):
                return f"engine '{mine}' must not know '{theirs}'"
        return None
    allowed = NARROWER.get(name, ALLOWED[module])
    if other in allowed or target in allowed:
        return None
    return f"{module} must not include {other}"


def main():
    found, files = [], 0
    for path in sorted(SRC.rglob("*")):
        if path.suffix not in (".h", ".cpp"):
            continue
        files += 1
        name = path.relative_to(SRC).as_posix()
        text = path.read_text(encoding="utf-8")
        for match in INCLUDE.finditer(text):
            why = problem(name, match.group(1))
            if why:
                line = text.count("\n", 0, match.start(1)) + 1
                found.append(f'src/{name}:{line}: "{match.group(1)}": {why}')
        if path.suffix == ".h" and "#pragma once" not in text:
            found.append(f"src/{name}: no #pragma once")
        own = path.with_suffix(".h")
        first = INCLUDE.search(text)
        if path.suffix == ".cpp" and own.is_file():
            if not first or first.group(1) != own.relative_to(SRC).as_posix():
                found.append(f"src/{name}: its own header must come first")
    for line in found:
        print(line, file=sys.stderr)
    print(f"check_layers: {files} files, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
