"""Headless Chromium for pages of --report: Debian's chromium, driven by playwright-core from npm, which is installed
once into the cache of the user. Used by report_test.py and bench/reports.py."""
import json
import os
import pathlib
import shutil
import subprocess

PLAYWRIGHT = "playwright-core@1.56.1"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "lemmata-browser"
SCRIPT = pathlib.Path(__file__).with_name("report_browser.cjs")


def find_browser():
    """The folder of playwright-core and the browser, or why there is none."""
    chromium, node, npm = (shutil.which(name) for name in ("chromium", "node", "npm"))
    if not chromium or not node:
        return None, f"no {'chromium' if not chromium else 'node'} here (tools/install_deps.sh browser)"
    if not (CACHE / "node_modules" / "playwright-core").exists():
        if not npm:
            return None, "no npm here (tools/install_deps.sh browser)"
        CACHE.mkdir(parents=True, exist_ok=True)
        run = subprocess.run([npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", CACHE,
                              PLAYWRIGHT], capture_output=True, text=True, timeout=120)
        if run.returncode != 0:
            return None, "npm cannot install playwright-core: " + run.stderr.strip()[-200:]
    return (CACHE, chromium), ""


def visit(found, folder, pictures=None):
    """What the browser saw on each page of the folder, by name."""
    run = subprocess.run(["node", SCRIPT, found[0], found[1], folder, *([pictures] if pictures else [])],
                         capture_output=True, text=True, timeout=900)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def faults(page):
    """What no page may have, whatever it is about."""
    if "failed" in page:
        return [page["failed"]]
    out = [f"error on the page: {text}" for text in page["errors"]]
    out += [f"asks the network for {url}" for url in page["requests"]]
    if page["overflow"] > 0:
        out.append(f"{page['overflow']} pixels wider than 1280")
    if page["phoneOverflow"] > 0:
        out.append(f"{page['phoneOverflow']} pixels wider than 320")
    for theme in ("light", "dark"):
        if page[theme]["ratio"] < 4.5:
            out.append(f"contrast, {theme}: {page[theme]}")
    out += [f"not on the first screen at {size}: {what}" for size in ("desktop", "phone")
            for what in page["hidden"][size]]
    return out
