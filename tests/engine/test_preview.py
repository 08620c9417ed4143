"""Long texts, shortened where the client shortens them."""

import pytest

from hookwright.engine.interpret import HandlerEffect
from hookwright.engine.preview import LongTextStore, format_size


@pytest.mark.parametrize(
    ("text", "told", "shown"),
    [
        ("x" * 10_001, "9.8KB", 2000),
        ("é" * 10_001, "9.8KB", 2000),
        ("\U0001f600" * 5001, "9.8KB", 1000),
        ("a" * 1990 + "\n" + "b" * 20_000, "21.5KB", 1990),
        ("a" * 900 + "\n" + "b" * 20_000, "20.4KB", 2000),
        ("a" * 1100 + "\n" + "b" * 200_000, "196.4KB", 1100),
        ("x" * 1_500_000, "1.4MB", 2000),
        ("z" * 102_400, "100KB", 2000),
    ],
)
def test_a_long_text_is_shown_up_to_a_line(tmp_path, text, told, shown):
    preview = LongTextStore(str(tmp_path)).preview_text(text, "x")
    head, _, rest = preview.partition("\n\nPreview (first 2KB):\n")
    assert f"Output too large ({told})." in head
    assert rest == text[:shown] + "\n...\n</persisted-output>"
    path = head.rpartition(" ")[2]
    with open(path, encoding="utf-8") as file:
        assert file.read() == text


@pytest.mark.parametrize("text", ["", "x" * 10_000, "\U0001f600" * 5000])
def test_what_is_not_too_long_stays(tmp_path, text):
    assert LongTextStore(str(tmp_path)).preview_text(text, "x") == text


def test_reasons_are_told_whole(tmp_path):
    long = "x" * 10_001
    heard = HandlerEffect("deny", long, context=[long], plain=[long], message=long, stop_reason=long)
    LongTextStore(str(tmp_path)).shorten_texts(heard, "PreToolUse")
    assert (heard.reason, heard.stop_reason) == (long, long)
    assert all(text.startswith("<persisted-output>") for text in (heard.message, *heard.context, *heard.plain))
    assert len(list((tmp_path / "tool-results").iterdir())) == 3


@pytest.mark.parametrize(
    ("count", "told"), [(10_240, "10KB"), (10_001, "9.8KB"), (1 << 20, "1MB"), (1_500_000, "1.4MB")]
)
def test_sizes_are_told_as_the_client_tells_them(count, told):
    assert format_size(count) == told
