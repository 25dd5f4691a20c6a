#!/usr/bin/env python3
"""`make demo`: checks every bundled example, writes its evidence and validates it again.
usage: demo.py FOLDER_OF_LEMMATA [EXAMPLES [OUTPUT]]"""
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIMEOUT = 60
# Extension of the certificate, by extension of the model; SMT-LIB for the others.
CERTIFICATE = {".aag": ".aag", ".aig": ".aig", ".btor": ".btor2", ".btor2": ".btor2", ".c": ".yml",
               ".st": ".txt", ".scl": ".txt", ".sv": ".btor2"}
WITNESS = {".c": ".yml", ".sv": ".wit"}
EXTENSIONS = (*CERTIFICATE, ".vmt", ".smt2", ".lus")


def check(build, model, out):
    """Runs the checker; returns (json, witness path, certificate path)."""
    folder = out / model.parent.name
    folder.mkdir(exist_ok=True)
    for old in folder.glob(f"{model.stem}.*"):
        old.unlink()
    stem = folder / model.stem
    paths = {"--json": f"{stem}.json", "--witness": f"{stem}{WITNESS.get(model.suffix, '.cex')}",
             "--certificate": f"{stem}.cert{CERTIFICATE.get(model.suffix, '.smt2')}"}
    command = [build / "lemmata", "check", model, "--timeout", str(TIMEOUT), "--no-progress"]
    for option, path in paths.items():
        command += [option, path]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode > 2:
        sys.exit(f"{model.name}: exit {run.returncode}: {run.stderr.strip()}")
    return json.loads(pathlib.Path(paths["--json"]).read_text()), paths["--witness"], paths["--certificate"]


def labelled(path, name, several):
    """The evidence file of one property."""
    if not several:
        return path
    label = "".join(c if c.isascii() and c.isalnum() or c in "-_" else "_" for c in name)
    base = pathlib.Path(path)
    return str(base.with_name(f"{base.stem}.{label}{base.suffix}"))


def validate(build, model, option, evidence):
    run = subprocess.run([build / "lemmata", "validate", model, option, evidence],
                         capture_output=True, text=True)
    return run.stdout.strip() or run.stderr.strip()


def overall(results):
    """One verdict for the file, as its exit code has it."""
    verdicts = [result["verdict"] for result in results["results"]]
    return next((word for word in ("unsafe", "unknown") if word in verdicts), "safe")


def expected(model):
    return next((word for word in ("unsafe", "safe") if model.stem.endswith("_" + word)), None)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    examples = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else ROOT / "examples"
    out = pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else build / "demo"
    out.mkdir(parents=True, exist_ok=True)
    models = sorted(p for p in examples.rglob("*") if p.suffix in EXTENSIONS)
    if not models:
        sys.exit("no examples found")
    row = "{:<58} {:<8} {:<10} {:>7}  {:<9} {}"
    print(row.format("file", "verdict", "engine", "seconds", "evidence", "file of the evidence"))
    wrong = 0
    for model in models:
        results, witness, certificate = check(build, model, out)
        several = len(results["results"]) > 1
        for result in results["results"]:
            # A goal that is reached is safe, with the run as its evidence.
            option, path = "--witness", labelled(witness, result["property"], several)
            if not pathlib.Path(path).exists():
                option, path = "--certificate", labelled(certificate, result["property"], several)
            evidence, shown = "", ""
            if result["verdict"] != "unknown":
                evidence = validate(build, model, option, path)
                shown = pathlib.Path(path).relative_to(ROOT) if path.startswith(str(ROOT)) else path
            good = evidence == "accepted " + result["property"] and overall(results) == (expected(model) or overall(results))
            wrong += not good
            name = f"{model.parent.name}/{model.name}" + (" " + result["property"] if several else "")
            print(row.format(name, result["verdict"], result["engine"], f"{result['seconds']:.3f}",
                             evidence.split(" ")[0], shown) + ("" if good else "   <-- not as expected"))
    if wrong:
        sys.exit(f"{wrong} results are not as expected")


if __name__ == "__main__":
    main()
