"""A headless Chromium, driven over a pipe by its DevTools protocol, with what it asks the network for and
what its console says kept. It needs nothing but Python and a browser."""
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class Browser:
    name = next(filter(shutil.which, ("chromium", "chromium-browser", "google-chrome")), None)

    def __init__(self, width=1280, height=900):
        self.folder = tempfile.mkdtemp(prefix="quincunx-browser-")
        toBrowser, ours = os.pipe()
        theirs, fromBrowser = os.pipe()[::-1]
        self.out, self.input = ours, fromBrowser

        def place():  # it reads from 3 and writes to 4
            os.dup2(toBrowser, 10)
            os.dup2(theirs, 11)
            os.dup2(10, 3)
            os.dup2(11, 4)

        self.process = subprocess.Popen(
            [self.name, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
             "--no-first-run", "--disable-background-networking", "--disable-extensions", f"--user-data-dir={self.folder}",
             f"--window-size={width},{height}", "about:blank"],
            pass_fds=(3, 4), preexec_fn=place, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(toBrowser)
        os.close(theirs)
        self.number, self.buffer, self.session = 0, b"", None
        self.requests, self.errors, self.seen = [], [], []
        target = next(t for t in self.ask("Target.getTargets")["targetInfos"] if t["type"] == "page")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.ask(domain + ".enable")
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.out)
        os.close(self.input)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def read(self):
        while b"\0" not in self.buffer:
            if not select.select([self.input], [], [], 60)[0]:
                raise RuntimeError("the browser says nothing")
            more = os.read(self.input, 1 << 20)
            if not more:
                raise RuntimeError("the browser is gone")
            self.buffer += more
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def take(self, event):
        method, of = event.get("method"), event.get("params", {})
        self.seen.append(method)
        if method == "Network.requestWillBeSent" and not of["request"]["url"].startswith(("data:", "about:")):
            self.requests.append(of["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            thrown = of["exceptionDetails"]
            self.errors.append(thrown.get("exception", {}).get("description", thrown["text"]))
        elif method == "Log.entryAdded" and of["entry"]["level"] in ("error", "warning"):
            self.errors.append(of["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and of["type"] in ("error", "warning", "assert"):
            self.errors.append(str(of["args"]))

    def ask(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        text = json.dumps(message).encode() + b"\0"
        while text:
            text = text[os.write(self.out, text):]
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.take(answer)

    def navigate(self, url):
        self.requests, self.errors, self.seen = [], [], []
        self.ask("Page.navigate", url=url)
        while "Page.loadEventFired" not in self.seen:
            self.take(self.read())

    def open(self, url):
        """Returns the seconds until the page was loaded, anew even where only the part behind # is another."""
        self.navigate("about:blank")
        begin = time.monotonic()
        self.navigate(url)
        self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
        return time.monotonic() - begin

    def value(self, expression):
        """Of JavaScript; a promise is waited for."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            thrown = answer["exceptionDetails"]
            raise RuntimeError(thrown.get("exception", {}).get("description", thrown["text"]))
        return answer["result"].get("value")

    def shot(self, path, dark=False):
        import base64
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))
