#!/usr/bin/env python3
"""The language server, driven over its standard streams as an editor does."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

import support
from lsp_client import LspClient, descendants
from support import HARD, ROOT, SAFE, UNSAFE, ProgramTest

C_UNSAFE = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int();
  assert(a != 14);
}
"""
C_SAFE = """#include <assert.h>
int main(void) {
  unsigned x = 0;
  while (1) {
    x = (x + 2) % 10;
    assert(x != 7);
  }
}
"""
LUSTRE = """node main(up: bool) returns (n: int);
let
  n = 0 -> if up and pre n < 3 then pre n + 1 else pre n;
  --%PROPERTY "small" n < LIMIT;
tel
"""


class LspTest(ProgramTest):
    def client(self, *arguments, **more):
        client = LspClient(support.ARGS.build / "lemmata", *arguments, cwd=self.folder, **more)
        self.addCleanup(self.end, client)
        return client

    @staticmethod
    def end(client):
        if client.process.poll() is None:
            client.process.kill()
        client.process.wait()
        client.close_streams()

    def gone(self, pids, within=15):
        """Whether these processes end."""
        deadline = time.monotonic() + within
        while left := [pid for pid in pids if pathlib.Path(f"/proc/{pid}").exists()
                       and " Z " not in pathlib.Path(f"/proc/{pid}/stat").read_text()]:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.05)
        return not left

    def wait_for_check(self, client):
        deadline = time.monotonic() + 20
        while not (below := descendants(client.process.pid)):
            self.assertLess(time.monotonic(), deadline, "no check was started")
            time.sleep(0.01)
        return below


class Protocol(LspTest):
    def test_says_what_it_can_and_ends_in_order(self):
        client = self.client()
        self.assertEqual(client.capabilities["textDocumentSync"]["change"], 1)
        self.assertTrue(client.capabilities["hoverProvider"])
        self.assertEqual(client.shut_down(), 0)
        self.assertEqual(client.stderr, b"")

    def test_exit_without_shutdown_is_1(self):
        client = self.client()
        client.notify("exit", {})
        self.assertEqual(client.process.wait(timeout=20), 1)

    def test_the_end_of_the_stream_is_the_end(self):
        client = self.client()
        client.process.stdin.close()
        self.assertEqual(client.process.wait(timeout=20), 1)

    def test_errors_have_the_codes_of_the_protocol(self):
        client = self.client(initialize=False)
        self.assertEqual(client.request("textDocument/hover")["error"]["code"], -32002)
        client.request("initialize", {"processId": None})
        self.assertEqual(client.request("initialize", {})["error"]["code"], -32600)
        self.assertEqual(client.request("no/such")["error"]["code"], -32601)
        self.assertEqual(client.request("textDocument/hover", {"textDocument": 3})["error"]["code"], -32602)
        client.send_raw(b"{ no json")
        client.wait(lambda: None in client.answers)
        self.assertEqual(client.answers.pop(None)["error"]["code"], -32700)
        client.notify("textDocument/didOpen", {"textDocument": 5})
        client.notify("no/such", {})
        client.request("shutdown")
        self.assertEqual(client.request("textDocument/hover")["error"]["code"], -32600)
        client.notify("exit", {})
        self.assertEqual(client.process.wait(timeout=20), 0)

    def test_a_broken_header_ends_it(self):
        client = self.client()
        client.process.stdin.write(b"Content-Length: many\r\n\r\n")
        client.process.stdin.flush()
        self.assertEqual(client.process.wait(timeout=20), 1)


class Checks(LspTest):
    def test_a_failed_assertion_with_its_run(self):
        path = self.write("main.c", C_UNSAFE)
        client = self.client()
        client.open(path)
        (one,) = client.wait_for_version(path, 1)
        self.assertEqual((one["severity"], one["source"], one["code"]), (1, "lemmata", "assert"))
        self.assertEqual(one["message"], "assertion may fail: a != 14")
        self.assertEqual(one["range"]["start"]["line"], 4)
        self.assertEqual(one["range"]["end"], {"line": 4, "character": len("  assert(a != 14")})
        steps = [(step["location"]["uri"], step["location"]["range"]["start"]["line"], step["message"])
                 for step in one["relatedInformation"]]
        self.assertIn((client.uri(path), 3, "a = 14 <- __VERIFIER_nondet_int"), steps)
        self.assertIn("**unsafe**", client.hover(path, 5))
        self.assertEqual(client.shut_down(), 0)

    def test_a_proof_has_no_diagnostics_and_its_invariant_is_shown(self):
        path = self.write("main.c", C_SAFE)
        client = self.client("--engine", "ic3cfa", options={"timeout": 60})
        client.open(path)
        self.assertEqual(client.wait_for_version(path, 1, timeout=90), [])
        self.assertIn("**safe**", client.hover(path, 6))
        shown = [client.hover(path, line) or "" for line in range(1, 9)]
        self.assertTrue(any("invariant:" in text for text in shown), shown)
        self.assertIsNone(client.hover(path, 1))

    def test_errors_of_the_input_are_at_their_place(self):
        path = self.write("main.lus", "node main(a: bool) returns (b: int);\nlet\n  b = 0 + + ;\ntel\n")
        client = self.client()
        client.open(path)
        (one,) = client.wait_for_version(path, 1)
        self.assertEqual((one["severity"], one["range"]["start"]["line"]), (1, 2))

    def test_nothing_to_check_is_information(self):
        path = self.write("main.c", "int main(void) { return 0; }\n")
        client = self.client()
        client.open(path)
        (one,) = client.wait_for_version(path, 1)
        self.assertEqual(one["severity"], 3)
        self.assertIn("nothing to check", one["message"])

    def test_the_budget_ends_a_check(self):
        path = self.write("hard.aag", HARD)
        client = self.client(options={"timeout": 1})
        client.open(path)
        (one,) = client.wait_for_version(path, 1, timeout=20)
        self.assertEqual(one["severity"], 3)
        self.assertIn("timeout", one["message"])

    def test_options_of_the_client_count(self):
        path = self.write("main.c", "int main(void) { int a[2] = {0, 0}; int i = 2; return a[i]; }\n")
        client = self.client(options={"arguments": ["--check", "bounds"]})
        client.open(path)
        (one,) = client.wait_for_version(path, 1)
        self.assertEqual(one["code"], "bounds")
        client.notify("workspace/didChangeConfiguration", {"settings": {"lemmata": {"arguments": []}}})
        client.wait(lambda: "nothing to check" in str(client.diagnostics[client.uri(path)]))

    def test_other_files_are_none_of_its_business(self):
        path = self.write("notes.txt", "hello\n")
        client = self.client()
        client.open(path)
        self.assertIsNone(client.hover(path, 1))
        self.assertEqual((client.published, descendants(client.process.pid)), ([], []))


class Edits(LspTest):
    def test_a_change_clears_and_a_save_checks_again(self):
        path = self.write("main.lus", LUSTRE.replace("LIMIT", "3"))
        client = self.client()
        client.open(path)
        self.assertEqual(len(client.wait_for_version(path, 1)), 1)
        text = LUSTRE.replace("LIMIT", "4")
        client.change(path, text, 2)
        self.assertEqual(client.wait_for_version(path, 2), [])
        self.assertIsNone(client.hover(path, 4), "what was known is void")
        path.write_text(text)
        count = len(client.published)
        client.save(path)
        client.wait(lambda: len(client.published) > count)
        self.assertEqual(client.diagnostics[client.uri(path)], (2, []))
        self.assertIn("**safe**", client.hover(path, 4))

    def test_a_change_ends_the_running_check(self):
        path = self.write("hard.aag", HARD)
        client = self.client()
        client.open(path)
        below = self.wait_for_check(client)
        client.change(path, UNSAFE, 2)
        self.assertTrue(self.gone(below), "the check goes on")
        client.settle(0.5)
        self.assertEqual(client.published, [], "of the text before nothing is said")
        path.write_text(UNSAFE)
        client.save(path, UNSAFE)
        self.assertEqual(len(client.wait_for_version(path, 2)), 1)

    def test_unsaved_text_is_not_checked(self):
        path = self.write("model.aag", UNSAFE)
        client = self.client()
        client.open(path, text=SAFE)
        client.wait(lambda: client.logs)
        self.assertIn("not saved", client.logs[0])
        self.assertEqual(client.published, [])

    def test_a_file_that_changes_during_the_check_voids_it(self):
        path = self.write("hard.aag", HARD)
        client = self.client(options={"timeout": 2})
        client.open(path)
        self.wait_for_check(client)
        path.write_text(UNSAFE)
        client.wait(lambda: client.logs)
        self.assertIn("void", client.logs[0])
        self.assertEqual(client.published, [])

    def test_closing_clears(self):
        path = self.write("model.aag", UNSAFE)
        client = self.client()
        client.open(path)
        self.assertEqual(len(client.wait_for_version(path, 1)), 1)
        client.close(path)
        client.wait(lambda: client.diagnostics[client.uri(path)][1] == [])
        self.assertIsNone(client.hover(path, 1))

    def test_several_documents_are_checked_in_turn(self):
        paths = [self.write(f"m{i}.aag", UNSAFE if i % 2 else SAFE) for i in range(6)]
        client = self.client()
        for path in paths:
            client.open(path)
        for i, path in enumerate(paths):
            self.assertEqual(len(client.wait_for_version(path, 1)), i % 2)


class Ends(LspTest):
    def start_hard(self, **more):
        path = self.write("hard.aag", HARD)
        client = self.client(options={"timeout": 600}, **more)
        client.open(path)
        return client, self.wait_for_check(client)

    def test_nothing_is_left_when_the_client_closes_the_stream(self):
        client, below = self.start_hard()
        client.process.stdin.close()
        client.process.wait(timeout=20)
        self.assertTrue(self.gone(below))

    def test_nothing_is_left_when_the_server_is_killed(self):
        client, below = self.start_hard()
        time.sleep(0.3)
        below = descendants(client.process.pid)
        client.process.kill()
        client.process.wait()
        self.assertTrue(self.gone(below))

    def test_it_ends_when_the_client_is_gone(self):
        other = subprocess.Popen(["sleep", "600"])
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        client, below = self.start_hard(process_id=other.pid)
        other.kill()
        other.wait()
        self.assertEqual(client.process.wait(timeout=20), 1, "the stream is still open")
        self.assertTrue(self.gone(below))

    def test_shutdown_ends_the_check(self):
        client, below = self.start_hard()
        self.assertEqual(client.shut_down(), 0)
        self.assertTrue(self.gone(below))


class RandomEdits(LspTest):
    def test_sixty(self):
        """`make stress-lsp` makes a thousand."""
        run = subprocess.run([sys.executable, str(ROOT / "tests/stress/lsp_edits.py"), "--build",
                              str(support.ARGS.build), "--edits", "60"], capture_output=True, text=True, timeout=300)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


class Extension(unittest.TestCase):
    FOLDER = ROOT / "contrib/vscode"

    def test_the_manifest_names_what_is_there(self):
        manifest = json.loads((self.FOLDER / "package.json").read_text())
        self.assertTrue((self.FOLDER / manifest["main"]).is_file())
        self.assertIn("vscode-languageclient", manifest["dependencies"])
        source = (self.FOLDER / manifest["main"]).read_text()
        for name in manifest["contributes"]["configuration"]["properties"]:
            self.assertIn(f'"{name.removeprefix("lemmata.")}"', source, "a setting that nothing reads")

    @unittest.skipUnless(shutil.which("node"), "no node")
    def test_the_script_parses(self):
        run = subprocess.run(["node", "--check", str(self.FOLDER / "extension.js")], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)


if __name__ == "__main__":
    support.main()
