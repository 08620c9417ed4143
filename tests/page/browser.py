"""A headless Chromium, driven over its DevTools protocol through two pipes: no port, no dependency."""

import base64
import fcntl
import json
import os
import shutil
import subprocess
import threading
import time

NAMES = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions"),
    *("--disable-default-apps", "--mute-audio", "--no-proxy-server", "--remote-debugging-pipe"),
)
PATIENCE_S = 120  # a loaded machine is slow, never wrong


def find_chromium():
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One process for all tests; each test opens pages of its own."""

    def __init__(self, program, folder):
        down, ours = os.pipe()
        theirs, up = os.pipe()
        high_down, high_up = (fcntl.fcntl(descriptor, fcntl.F_DUPFD, 20) for descriptor in (down, up))

        def place_pipes():
            """Chromium reads commands from descriptor 3 and writes to 4."""
            os.dup2(high_down, 3)
            os.dup2(high_up, 4)

        words = [program, *FLAGS, f"--user-data-dir={folder}/profile", "about:blank"]
        env = {
            **os.environ,
            "HOME": str(folder),
            "XDG_CONFIG_HOME": f"{folder}/config",
            "DBUS_SESSION_BUS_ADDRESS": "none:",
        }
        self.process = subprocess.Popen(
            words, preexec_fn=place_pipes,  # noqa: PLW1509  before any thread
            pass_fds=(3, 4), env=env, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        for descriptor in (down, up, high_down, high_up):
            os.close(descriptor)
        self._out, self._in = os.fdopen(ours, "wb", buffering=0), os.fdopen(theirs, "rb", buffering=0)
        self._number = 0
        self._answers, self._pages = {}, {}
        self._changed = threading.Condition()
        self._ended = False
        threading.Thread(target=self._read, daemon=True).start()

    def call(self, method, session=None, **parameters):
        with self._changed:
            self._number += 1
            number = self._number
        message = {"id": number, "method": method, "params": parameters, **({"sessionId": session} if session else {})}
        self._out.write(json.dumps(message).encode() + b"\0")
        with self._changed:
            assert self._changed.wait_for(lambda: number in self._answers or self._ended, PATIENCE_S), method
            answer = self._answers.pop(number)
        assert "error" not in answer, (method, answer)
        return answer["result"]

    def _read(self):
        rest = b""
        while chunk := self._in.read(1 << 16):
            *messages, rest = (rest + chunk).split(b"\0")
            with self._changed:
                for message in map(json.loads, messages):
                    if "id" in message:
                        self._answers[message["id"]] = message
                    elif message.get("sessionId") in self._pages:
                        self._pages[message["sessionId"]].events.append(message)
                self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def open(self, url, **shown):
        """A page of its own profile, so that no cookie is shared."""
        context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session, target)
        self._pages[session] = page
        for domain in ("Page", "Network", "Runtime", "Log"):
            page.call(f"{domain}.enable")
        page.show(**shown)
        page.go(url)
        return page

    def close(self):
        try:
            self.call("Browser.close")
        except (OSError, AssertionError, KeyError):
            self.process.terminate()
        self.process.wait(timeout=60)
        self._out.close()
        self._in.close()


class Page:
    def __init__(self, browser, session, target):
        self.browser, self.session, self.target = browser, session, target
        self.events = []

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def go(self, url):
        self.call("Page.navigate", url=url)

    def show(self, width=1280, height=900, scheme="light"):
        """The size of the screen, and light or dark."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def run(self, code):
        """The value of an expression in the page."""
        found = self.call("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in found, (code, found)
        return found["result"].get("value")

    def wait(self, code):
        """Wait until an expression is true; returns its value."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            found = self.run(
                f"(() => {{ try {{ const found = {code}; return found instanceof Node ? true : found }} "
                "catch (error) { return null } })()"
            )
            if found:
                return found
            assert time.monotonic() < deadline, (code, self.text("body")[:2000], self.problems)
            time.sleep(0.02)

    def text(self, selector):
        return self.run(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")

    def click(self, selector):
        self.wait(f"document.querySelector({json.dumps(selector)})")
        self.run(
            f"document.querySelector({json.dumps(selector)}).dispatchEvent(new MouseEvent('click', {{bubbles: true}}))"
        )

    def press(self, key, text="", code=""):
        for kind in ("keyDown", "keyUp"):
            typed = {"text": text or key} if kind == "keyDown" and len(text or key) == 1 else {}
            if key == "Enter" and kind == "keyDown":
                typed = {"text": "\r"}
            self.call(
                "Input.dispatchKeyEvent", type=kind, key=key, code=code or key, **_KEY_CODES.get(key, {}), **typed
            )

    def type(self, text):
        self.call("Input.insertText", text=text)

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    @property
    def requests(self):
        return [e["params"]["request"]["url"] for e in list(self.events) if e["method"] == "Network.requestWillBeSent"]

    @property
    def problems(self):
        """Exceptions, and what the console says: a refused script is there too."""
        kinds = ("Runtime.exceptionThrown", "Log.entryAdded", "Page.javascriptDialogOpening")
        return [e["params"] for e in list(self.events) if e["method"] in kinds]

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)


_KEY_CODES = {
    "Enter": {"windowsVirtualKeyCode": 13},
    "Escape": {"windowsVirtualKeyCode": 27},
    "ArrowDown": {"windowsVirtualKeyCode": 40},
    "ArrowUp": {"windowsVirtualKeyCode": 38},
    "ArrowLeft": {"windowsVirtualKeyCode": 37},
    "ArrowRight": {"windowsVirtualKeyCode": 39},
    "Tab": {"windowsVirtualKeyCode": 9},
}
