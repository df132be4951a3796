"""A client of the Language Server Protocol, for lsp.sh and bench/editor.py: it starts `quincunx lsp`, sends messages, and waits for answers."""
import json
import os
import queue
import subprocess
import threading
import time
import urllib.parse


def uri(path):
    return "file://" + urllib.parse.quote(os.path.abspath(path))


class Client:
    def __init__(self, words, root, options=None, capabilities=None, initialize=True, cwd=None):
        tool = os.environ["QUINCUNX"]
        self.process = subprocess.Popen([tool, "lsp", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=cwd)
        self.came = queue.Queue()
        self.others = []  # notifications and requests of the server
        self.last = 0
        threading.Thread(target=self.read, daemon=True).start()
        if initialize:
            params = {"processId": os.getpid(), "rootUri": uri(root), "capabilities": capabilities or {}, "initializationOptions": options}
            self.capabilities = self.ask("initialize", params)["capabilities"]
            self.tell("initialized", {})

    def read(self):
        out = self.process.stdout
        while True:
            length = None
            while (line := out.readline()) not in (b"\r\n", b""):
                name, value = line.decode().split(":")
                length = int(value) if name == "Content-Length" else length
            if length is None:
                return self.came.put(None)
            self.came.put(json.loads(out.read(length)))

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        content = json.dumps(message).encode()
        self.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)

    def tell(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def next(self, seconds=60):
        message = self.came.get(timeout=seconds)
        if message is not None and "method" in message:
            self.others.append(message)
        return message

    def answer(self, number):
        """The whole response."""
        while True:
            message = self.next()
            if message is None or (message.get("id") == number and "method" not in message):
                return message

    def ask(self, method, params):
        self.last += 1
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        response = self.answer(self.last)
        return response["result"] if "result" in response else response["error"]

    def wait(self, method, good=lambda params: True, seconds=60):
        """The first notification, or request, of which nobody was told yet, that is good."""
        end = time.monotonic() + seconds
        while True:
            for i, message in enumerate(self.others):
                if message["method"] == method and good(message.get("params")):
                    del self.others[i]
                    return message.get("params")
            self.next(max(0.01, end - time.monotonic()))

    # ---- documents

    def open(self, path, text=None):
        if text is None:
            text = open(path, newline="").read()
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri(path), "languageId": "cpp", "version": 1, "text": text}})

    def change(self, path, start, end, text):
        self.tell("textDocument/didChange", {"textDocument": {"uri": uri(path), "version": 2}, "contentChanges": [
            {"range": {"start": dict(zip(("line", "character"), start)), "end": dict(zip(("line", "character"), end))}, "text": text}]})

    def about(self, method, path, **more):
        return self.ask("textDocument/" + method, {"textDocument": {"uri": uri(path)}, **more})

    def lenses(self, path):
        """By line from 1, what stands there."""
        out = {}
        for lens in self.about("codeLens", path):
            out.setdefault(lens["range"]["start"]["line"] + 1, []).append(lens["command"]["title"])
        return out

    def hints(self, path, first=0, last=1000000):
        out = self.about("inlayHint", path, range={"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}})
        return {hint["position"]["line"] + 1: (hint["position"]["character"], hint["label"], hint["tooltip"]) for hint in out}

    def hover(self, path, line, character):
        answer = self.about("hover", path, position={"line": line - 1, "character": character})
        return answer and answer["contents"]["value"]

    def diagnostics(self, path, good=lambda diagnostics: True):
        """The next ones that are good: severity, line from 1, message."""
        def mine(params):
            return params["uri"] == uri(path) and good(params["diagnostics"])
        return [(d["severity"], d["range"]["start"]["line"] + 1, d["message"]) for d in self.wait("textDocument/publishDiagnostics", mine)["diagnostics"]]

    def end(self):
        """The exit status."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.process.wait(10)
