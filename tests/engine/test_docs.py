"""The example in docs/engine.md runs, and the page names everything."""

from pathlib import Path

from hookwright.engine import Engine, Outcome, Trace

PAGE = (Path(__file__).parents[2] / "docs/engine.md").read_text(encoding="utf-8")


def test_the_example_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = PAGE.split("```python\n")[1:]
    assert blocks
    for block in blocks:
        exec(compile(block.partition("```")[0], "docs/engine.md", "exec"), {"__name__": "__main__"})


def test_every_public_name_of_the_engine_is_explained():
    names = [name for name in vars(Engine) if not name.startswith("_")]
    assert [name for name in names if name not in PAGE] == []


def test_every_field_of_an_outcome_is_explained():
    assert [name for name in Outcome.__slots__ if name != "event" and f"`{name}`" not in PAGE] == []
    named = ("ran", "why_not", "exit_code", "ms", "said", "counted", "ignored")
    assert set(named) <= set(Trace.__slots__)
    assert [name for name in named if f"`{name}`" not in PAGE] == []
