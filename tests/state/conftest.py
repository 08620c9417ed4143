"""Processes for tests of what processes share."""

import json
import subprocess
import sys

import pytest


class Crowd:
    """Starts scripts in processes of their own; `args` arrive as `sys.argv[1:]`."""

    def __init__(self):
        self.processes = []

    def start(self, code, *args):
        path = f"import sys; sys.path[:0] = {json.dumps([p for p in sys.path if p])}\n"
        process = subprocess.Popen(
            [sys.executable, "-I", "-c", path + code, *map(str, args)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.processes.append(process)
        return process

    def outputs(self):
        return [process.communicate(timeout=120)[0].strip() for process in self.processes]

    def end(self):
        for process in self.processes:
            process.kill()
            process.communicate()


@pytest.fixture
def crowd():
    crowd = Crowd()
    yield crowd
    crowd.end()
