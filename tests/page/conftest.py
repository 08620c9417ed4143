"""A page of a past of its own, asked over HTTP as a browser would."""

import http.client
import json
import threading

import pytest

from hookwright.page.server import PageServer
from tests.store.conftest import past  # noqa: F401  fixture


class Client:
    """A browser without eyes: `status, body = client("api/summary")`."""

    def __init__(self, server):
        self.server = server
        self.cookie = f"{server.access.cookie_name}={server.access.token}"
        self.host = f"127.0.0.1:{server.access.port}"
        self.headers = {}

    def request(self, path, method="GET", body=None, **headers):
        sent = {"Cookie": self.cookie, "Host": self.host, **{name.replace("_", "-"): v for name, v in headers.items()}}
        connection = http.client.HTTPConnection("127.0.0.1", self.server.access.port, timeout=300)
        connection.request(method, f"/{path}", body, {name: value for name, value in sent.items() if value is not None})
        answer = connection.getresponse()
        self.headers = dict(answer.getheaders())
        data = answer.read()
        connection.close()
        return answer.status, data

    def __call__(self, path, **headers):
        status, data = self.request(path, **headers)
        return status, json.loads(data)

    def ask(self, path):
        status, found = self(path)
        assert status == 200, found
        return found


@pytest.fixture
def serve():
    """Start the page of a state directory; returns its client."""
    servers = []

    def start(state, **more):
        server = PageServer(str(state), 0, **more)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        servers.append(server)
        return Client(server)

    yield start
    for server in servers:
        server.shutdown()
        server.close()
