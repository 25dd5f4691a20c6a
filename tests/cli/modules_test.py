#!/usr/bin/env python3
"""Everyday modules in C, half of them with a bug: all decided within 20 seconds. A file says in comments
at its start what else it needs: `// check: bounds` the checks, `// with: other.c` more files.
usage: modules_test.py [--build FOLDER] [TestClass.test_name]"""
import concurrent.futures
import re
import shutil
import unittest

import support
from support import ROOT, ProgramTest

SECONDS = 20
FOLDER = ROOT / "tests" / "modules" / "c"
MODULES = sorted(path for path in FOLDER.glob("*.c") if re.search(r"_(un)?safe$", path.stem))


def command(module):
    """The arguments, as the module's comments have them."""
    text = module.read_text()
    check = re.search(r"^// check: (\S+)$", text, re.M)
    more = re.findall(r"^// with: (\S+)$", text, re.M)
    flags = re.search(r"^// flags: (.+)$", text, re.M)
    return ["check", module, *(FOLDER / name for name in more), "--timeout", SECONDS,
            *(["--check", check.group(1)] if check else []), *(flags.group(1).split() if flags else [])]


class Modules(ProgramTest):
    def test_there_are_forty_and_half_have_a_bug(self):
        self.assertGreaterEqual(len(MODULES), 40)
        self.assertEqual(len([path for path in MODULES if path.stem.endswith("_unsafe")]) * 2, len(MODULES))

    def test_all_are_decided(self):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            answers = pool.map(lambda module: self.run_program(*command(module)), MODULES)
            for module, (code, out, err) in zip(MODULES, answers):
                with self.subTest(module.name):
                    unsafe = module.stem.endswith("_unsafe")
                    self.assertEqual(code, 1 if unsafe else 0, out + err)
                    self.assertNotIn("unknown", out)


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    if shutil.which("clang-14") is None:
        print("0 passed, 0 failed, 1 skipped")  # no C here
    else:
        support.main()
