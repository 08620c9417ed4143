"""A real HTTP server on loopback that keeps what it is sent and answers as told."""

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver:
    """`with Receiver(answers=[500, 200]) as receiver: …; receiver.wait(2)`; the last answer repeats.

    With `gate`, an event, it answers once that is set.
    """

    def __init__(self, answers=(200,), gate=None):
        self.got = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                if gate is not None:
                    gate.wait(60)
                number = len(outer.got)
                outer.got.append((self.path, dict(self.headers), body.decode("utf-8", "replace")))
                self.send_response(answers[min(number, len(answers) - 1)])
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *words):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *error):
        self.server.shutdown()
        self.server.server_close()

    def wait(self, count=1, seconds=60):
        deadline = time.monotonic() + seconds
        while len(self.got) < count and time.monotonic() < deadline:
            time.sleep(0.02)
        return self.got
