#!/usr/bin/env python3
"""Every option row is declared once, read by the code, set right by presets, and listed by
`lemmata options`; every paper key in a comment or help text is in docs/papers.bib.   usage: check_options.py [path to lemmata]"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROW = re.compile(r'OptionRow(?:::(?:number|choice|toggle)\(|\{)\s*"([^"]+)"')
NAME = re.compile(r"^[a-z0-9]+(\.[a-z0-9]+(-[a-z0-9]+)*)$")
PRESET = re.compile(r'Preset\{\s*"([^"]+)"\s*,\s*((?:"[^"]*"\s*)*)')


def main():
    texts = {p: p.read_text(encoding="utf-8") for p in sorted((ROOT / "src").rglob("*"))
             if p.suffix in (".h", ".cpp")}
    rows, found = {}, []
    for path, text in texts.items():
        for match in ROW.finditer(text):
            name, place = match.group(1), f"{path.relative_to(ROOT)}"
            if name in rows:
                found.append(f"{place}: option '{name}' is also declared in {rows[name]}")
            rows[name] = place
            if not NAME.match(name):
                found.append(f"{place}: option '{name}' is not of the form engine.some-option")
    for name, place in rows.items():
        quoted = '"' + name + '"'
        # The row itself is one occurrence; a switch "transform.<id>" is read by its computed name.
        uses = sum(text.count(quoted) for text in texts.values())
        computed = name.startswith("transform.") and any(
            '"transform." +' in text or '"transform."' in text for text in texts.values())
        if uses < 2 and not computed:
            found.append(f"{place}: nothing reads option '{name}'")
    for path, text in texts.items():
        for match in PRESET.finditer(text):
            settings = "".join(re.findall(r'"([^"]*)"', match.group(2)))
            for part in filter(None, settings.split(",")):
                if part.split("=")[0] not in rows and "=" in part:
                    found.append(f"{path.relative_to(ROOT)}: preset '{match.group(1)}' sets "
                                 f"'{part}', which is not an option")
    known = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "docs/papers.bib").read_text(), re.M))
    for path, text in texts.items():
        for bracket in re.findall(r"\[([A-Z][^\]\n]*)\]", text):
            for key in re.findall(r"\b[A-Z][a-z]+[0-9]{2}[a-z]?\b", bracket):
                if key not in known:
                    found.append(f"{path.relative_to(ROOT)}: paper [{key}] is not in docs/papers.bib")
    if len(sys.argv) > 1:
        listed = subprocess.run([sys.argv[1], "options"], capture_output=True, text=True, check=True)
        shown = set(re.findall(r"^([a-z0-9.-]+)=", listed.stdout, re.M))
        found += [f"{rows[n]}: '{n}' is missing from `lemmata options`" for n in sorted(rows.keys() - shown)]
        found += [f"`lemmata options` lists '{n}', which no row declares" for n in sorted(shown - rows.keys())]
    for line in found:
        print(line, file=sys.stderr)
    print(f"check_options: {len(rows)} options, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
