"""A client of the language server, as an editor is one: starts it, talks over its standard streams, keeps what it
publishes. Used by lsp_test.py and tests/stress/lsp_edits.py."""
import json
import os
import pathlib
import queue
import subprocess
import threading
import time


class LspClient:
    """`diagnostics[uri]` is what was published last, as (version, list)."""

    def __init__(self, program, *arguments, initialize=True, options=None, process_id=None, **more):
        self.process = subprocess.Popen([str(program), "lsp", *arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
        self.inbox = queue.Queue()
        self.diagnostics, self.published, self.logs, self.answers = {}, [], [], {}
        self.last_id = 0
        self.stderr = b""
        self.threads = [threading.Thread(target=work, daemon=True) for work in (self._read, self._drain)]
        for thread in self.threads:
            thread.start()
        if initialize:
            self.capabilities = self.request("initialize", {
                "processId": os.getpid() if process_id is None else process_id, "rootUri": None,
                "capabilities": {}, "initializationOptions": options or {}})["result"]["capabilities"]
            self.notify("initialized", {})

    def _drain(self):
        self.stderr = self.process.stderr.read()

    def _read(self):
        stream = self.process.stdout
        while True:
            length = None
            while (line := stream.readline()) not in (b"\r\n", b""):
                name, value = line.split(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if length is None:
                break
            self.inbox.put(json.loads(stream.read(length)))
        self.inbox.put(None)

    def send_raw(self, body):
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def send(self, message):
        self.send_raw(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def take(self, timeout):
        """One message; False: none came, None: the server has ended."""
        try:
            message = self.inbox.get(timeout=max(timeout, 0))
        except queue.Empty:
            return False
        if message is None:
            self.inbox.put(None)
        elif message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            self.diagnostics[params["uri"]] = (params.get("version"), params["diagnostics"])
            self.published.append(params)
        elif message.get("method") == "window/logMessage":
            self.logs.append(message["params"]["message"])
        else:
            self.answers[message.get("id")] = message
        return message

    def wait(self, done, timeout=60):
        """Takes messages until done()."""
        deadline = time.monotonic() + timeout
        while not done():
            if self.take(deadline - time.monotonic()) in (None, False):
                raise AssertionError(f"no message came; logs: {self.logs}, errors: {self.stderr}")

    def request(self, method, params=None, timeout=60):
        self.last_id += 1
        self.send({"id": self.last_id, "method": method, "params": params or {}})
        self.wait(lambda: self.last_id in self.answers, timeout)
        return self.answers.pop(self.last_id)

    # As editors use it -----------------------------------------------------------------------------

    @staticmethod
    def uri(path):
        return pathlib.Path(path).resolve().as_uri()

    def open(self, path, version=1, text=None):
        text = pathlib.Path(path).read_text() if text is None else text
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": self.uri(path), "languageId": "any", "version": version, "text": text}})

    def change(self, path, text, version):
        self.notify("textDocument/didChange", {"textDocument": {"uri": self.uri(path), "version": version},
                                               "contentChanges": [{"text": text}]})

    def save(self, path, text=None):
        params = {"textDocument": {"uri": self.uri(path)}}
        if text is not None:
            params["text"] = text
        self.notify("textDocument/didSave", params)

    def close(self, path):
        self.notify("textDocument/didClose", {"textDocument": {"uri": self.uri(path)}})

    def hover(self, path, line):
        answer = self.request("textDocument/hover", {"textDocument": {"uri": self.uri(path)},
                                                     "position": {"line": line - 1, "character": 0}})
        return answer["result"] and answer["result"]["contents"]["value"]

    def wait_for_version(self, path, version, timeout=60):
        """The diagnostics that are published for this version."""
        uri = self.uri(path)
        self.wait(lambda: self.diagnostics.get(uri, (None,))[0] == version, timeout)
        return self.diagnostics[uri][1]

    def settle(self, seconds):
        """Takes what comes within this time."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            if self.take(left) is None:
                break

    def shut_down(self):
        """The exit code of an orderly end."""
        self.request("shutdown")
        self.notify("exit", {})
        code = self.process.wait(timeout=30)
        self.close_streams()
        return code

    def close_streams(self):
        """   require: the server has ended"""
        self.process.stdin.close()
        for thread in self.threads:
            thread.join(timeout=30)
        self.process.stdout.close()
        self.process.stderr.close()


def descendants(pid):
    """Processes below this one."""
    found = []
    try:
        for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                found += [int(child), *descendants(int(child))]
    except OSError:
        pass
    return found
