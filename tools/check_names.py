#!/usr/bin/env python3
"""Fails on a type that is defined in two files of src/ in the same namespace. Types in unnamed
namespaces count as well: one name means one thing within a module. Two aliases of the same type are
one thing.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SRC = ROOT / "src"

# Text that is not code, then what opens or closes a scope or defines a type.
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\''
                      r"|^\s*#(?:[^\n\\]|\\.)*", re.S | re.M)
TOKEN = re.compile(r"\bnamespace\s+(?P<space>[\w:]*)\s*\{"
                   r"|\b(?:struct|class|enum(?:\s+class)?|union)\s+(?:\[\[\w+\]\]\s*)?"
                   r"(?P<type>\w+)(?:\s+final)?\s*(?::(?!:)[^;{}()]*)?\{"
                   r"|\busing\s+(?P<alias>\w+)\s*=\s*(?P<same>[^;]*);"
                   r"|[{}]")


def defined_types(text):
    """(namespace, type, what it is an alias of) for each type defined at namespace scope."""
    code = NOT_CODE.sub(" ", text)
    scopes = []  # the names of open namespaces; None for any other brace
    for match in TOKEN.finditer(code):
        name = match["type"] or match["alias"]
        if name and None not in scopes:
            yield "::".join(scope for scope in scopes if scope), name, match["same"]
        if match["space"] is not None:
            scopes.append(match["space"])
        elif match.group().endswith("{"):
            scopes.append(None)
        elif match.group() == "}" and scopes:
            scopes.pop()


def defined_twice(files):
    """Lines about the types defined in several of `files`, a dictionary from names to texts."""
    places = {}  # (namespace, type): {file: what it is an alias of, or the file again}
    for file, text in files.items():
        for space, name, same in defined_types(text):
            places.setdefault((space, name), {})[file] = same or file
    return [f"{space}::{name} is defined in {' and in '.join(sorted(where))}"
            for (space, name), where in sorted(places.items()) if len(set(where.values())) > 1]


def main():
    files = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
             for path in sorted(SRC.rglob("*")) if path.suffix in (".h", ".cpp")}
    found = defined_twice(files)
    for line in found:
        print(line, file=sys.stderr)
    print(f"check_names: {len(files)} files, {len(found)} types defined twice")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
