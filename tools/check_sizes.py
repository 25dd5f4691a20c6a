#!/usr/bin/env python3
"""House limits: files of at most 800 lines, functions of at most 80, lines of at
most 100 columns. A function that is one flat switch may pass 80 when the line above it says
`// long: flat switch`. Functions are found by layout, which clang-format fixes: a brace that closes
in column 0 or 2 and whose opening line ends a parameter list."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAX_FILE, MAX_FUNCTION, MAX_COLUMNS = 800, 80, 100
NOT_FUNCTION = re.compile(r"^\s*(namespace|class|struct|enum|union|extern|if|for|while|switch|do|else|try|"
                          r"static const|constexpr|inline constexpr|const|return|using)\b")


# A line that is the beginning of the next one's declaration.
CONTINUES = re.compile(r"^(?!\s*(//|#|public:|private:)).*[^;{}:\s]\s*$|^\s+:.*,$")


def functions(lines):
    """(first line, last line) of each function, counting from 0."""
    for start, line in enumerate(lines):
        if not line.rstrip().endswith("{"):
            continue
        first = start
        while first > 0 and start - first < 8 and CONTINUES.search(lines[first - 1]):
            first -= 1
        indent = len(lines[first]) - len(lines[first].lstrip(" "))
        head = "".join(lines[first:start + 1])
        if indent > 4 or "(" not in head or NOT_FUNCTION.match(lines[first]):
            continue
        closing = " " * indent + "}"
        for end in range(start + 1, len(lines)):
            if lines[end].startswith(closing):
                yield first, end
                break


def main():
    found, files, longest = [], 0, 0
    for folder in ("src", "tests"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            files += 1
            name = path.relative_to(ROOT).as_posix()
            lines = path.read_text(encoding="utf-8").splitlines()
            if len(lines) > MAX_FILE:
                found.append(f"{name}: {len(lines)} lines, at most {MAX_FILE}")
            for number, line in enumerate(lines, 1):
                if len(line) > MAX_COLUMNS and "http" not in line:
                    found.append(f"{name}:{number}: {len(line)} columns, at most {MAX_COLUMNS}")
            for start, end in functions(lines):
                length = end - start + 1
                longest = max(longest, length)
                flat = start > 0 and "long: flat switch" in lines[start - 1]
                if length > MAX_FUNCTION and not flat:
                    found.append(f"{name}:{start + 1}: function of {length} lines, at most {MAX_FUNCTION}")
    for line in found:
        print(line, file=sys.stderr)
    print(f"check_sizes: {files} files, longest function {longest} lines, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
