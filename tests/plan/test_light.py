"""Which files do nothing but decide."""

import ast

import pytest

from hookwright.plan.light import is_light


@pytest.mark.parametrize(
    ("source", "light"),
    [
        ("from hookwright import deny, hook\nimport re\nfrom urllib.parse import urlparse", True),
        ("x = [y for y in range(5)]\nprint(x)", True),
        ("class A:\n    def __init__(self): self.x = 1", True),
        ("import os", False),
        ("import re, subprocess", False),
        ("from os import path", False),
        ("from . import other", False),
        ("import _helper", False),
        ("def f():\n    import socket", False),
        ("__import__('os')", False),
        ("eval('1')", False),
        ("globals()['x']", False),
        ("().__class__.__base__.__subclasses__()", False),
        ("import threading", False),
        ("class A:\n    def f(self): self.count = 1", True),
        ("import json\njson.dumps = None", False),
        ("def f(event):\n    del event.raw", False),
        ("setattr(x, 'y', 1)", False),
    ],
)
def test_a_file_is_light_if_it_can_only_look_and_answer(source, light):
    assert is_light(ast.parse(source)) is light
