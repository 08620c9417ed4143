"""Redaction on labelled lines: secrets go, ordinary commands stay as they are."""

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from hookwright.store import redact
from hookwright.store.redact import _HINTS, _LEAST_TOKEN, apply, mask, mask_and_cut
from hookwright.store.secret_values import MASK
from hookwright.store.secrets.names import is_placeholder, secret_strength
from hookwright.store.secrets.shapes import _TOKENS
from tests.sizes import examples
from tests.store.labelled_lines import read_lines, read_secrets


def survives(command, secrets):
    masked, kinds = mask(command)
    return not kinds or any(secret in masked for secret in secrets)


def test_at_least_99_of_100_secrets_are_caught():
    lines = read_secrets()
    missed = [command for command, secrets in lines if survives(command, secrets)]
    assert len(lines) >= 1000
    assert len(missed) <= 0.01 * len(lines), missed


def test_at_most_1_of_100_harmless_lines_is_altered():
    lines = read_lines("harmless")
    altered = [(line, mask(line)) for line in lines if mask(line) != (line, [])]
    assert len(lines) >= 1000
    assert len(altered) <= 0.01 * len(lines), altered


def test_every_token_that_is_known_by_its_beginning_is_a_reason_to_look():
    hints = [*_HINTS, *redact._TOKENS.split("|")]
    assert [prefix for prefix, _ in _TOKENS if not any(hint in prefix.lower() for hint in hints)] == []
    assert min(len(prefix) + least for prefix, least in _TOKENS) >= _LEAST_TOKEN


@pytest.mark.parametrize(
    ("line", "masked", "kinds"),
    [
        ("mysql -uroot -phunter2 shop", "mysql -uroot -p*** shop", ["flag"]),
        ("curl -u joe:pw https://e.com", "curl -u joe:*** https://e.com", ["flag"]),
        ("git clone https://joe:pw@e.com/r", "git clone https://joe:***@e.com/r", ["url"]),
        ('API_KEY="a b" ./run', 'API_KEY="***" ./run', ["assignment"]),
        ('curl -H "Authorization: Bearer abc123" u', 'curl -H "Authorization: Bearer ***" u', ["header"]),
        (
            'curl -d \'{"password": "x1", "user": "j"}\' u',
            'curl -d \'{"password": "***", "user": "j"}\' u',
            ["assignment"],
        ),
        ("echo joe:pw | chpasswd", "echo joe:*** | chpasswd", ["piped"]),
        ("A_TOKEN=x9 B_SECRET=y8 ./run", "A_TOKEN=*** B_SECRET=*** ./run", ["assignment"]),
        ("PASSWORD=${PASSWORD:-hunter2} ./run", "PASSWORD=${PASSWORD:-***} ./run", ["assignment"]),
        ("ls -la", "ls -la", []),
        ("", "", []),
    ],
)
def test_only_the_secret_is_covered_and_its_kind_is_named(line, masked, kinds):
    assert mask(line) == (masked, kinds)


@pytest.mark.parametrize(
    ("name", "strength"),
    [
        *[("DB_PASSWORD", "strong"), ("--password", "strong"), ("db.password", "strong"), ("DB_PASS", "strong")],
        *[("SSHPASS", "strong"), ("MYSQL_PWD", "strong"), ("clientSecret", "strong"), ("SECRET_KEY_BASE", "strong")],
        *[("API_KEY", "weak"), ("apiKey", "weak"), ("x-api-key", "weak"), ("_authToken", "weak")],
        *[("PWD", ""), ("OLDPWD", ""), ("key", ""), ("MAX_TOKENS", ""), ("token-file", ""), ("secret-id", "")],
        *[("sort_key", ""), ("existingSecret", ""), ("compass", ""), ("password_hash", ""), ("", "")],
    ],
)
def test_a_name_is_judged_by_its_end(name, strength):
    assert secret_strength(name) == strength


@pytest.mark.parametrize(
    ("value", "strength", "expected"),
    [
        *[("$X", "strong", True), ("${X}", "strong", True), ("<token>", "strong", True), ("null", "strong", True)],
        *[("4096", "weak", True), ("4096", "strong", False), ("/run/t", "weak", True), ("/run/t", "strong", False)],
        *[("hunter2", "strong", False), ("hunter2", "weak", False), ("", "strong", True)],
    ],
)
def test_variables_and_placeholders_stand_in_for_a_value(value, strength, expected):
    assert is_placeholder(value, strength) is expected


def test_overlapping_and_touching_spots_become_one_mask_each():
    assert apply("abcdefghij", [(2, 5, "x"), (4, 6, "y"), (8, 9, "x")]) == (f"ab{MASK}gh{MASK}j", ["x", "y"])


@settings(max_examples=examples(400), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(alphabet=st.sampled_from("pP=:-'\"\\ \n$/@{}()&|;uaw1éToken_secretlogin://curl")))
def test_no_text_raises_and_text_without_a_finding_is_unchanged(text):
    masked, kinds = mask("curl token " + text)
    assert kinds or masked == "curl token " + text


@pytest.mark.parametrize(
    "piece", ["'", '"', "\\", "a=", "token=", "token='", "://", "-p", "eyJ", "-----BEGIN ", "bearer ", "auth=(", "a "]
)
def test_a_long_hostile_text_is_read_in_linear_steps(piece):
    """A quadratic reader would need minutes for these; the timeout of the suite is the judge."""
    mask("curl -u " + piece * (60_000 // len(piece)))


def test_masking_comes_before_cutting():
    """Cut first, half of the token would be stored: it is too short to be known as one."""
    text = "x" * 90 + " ghp_" + "a1B2" * 9
    cut, kinds = mask_and_cut(text, 100)
    assert (cut[:94], kinds) == ("x" * 90 + " ***", ["token"])
    assert len(mask_and_cut("y" * 5000, 100)[0]) == 100


def test_no_hint_costs_time_for_nothing():
    """A hint that contains another one never decides anything."""
    hints = [*_HINTS, *redact._TOKENS.split("|"), *redact._PROGRAMS]
    assert [hint for hint in hints if any(other != hint and other in hint for other in _HINTS)] == []
    assert len(set(hints)) == len(hints)


@pytest.mark.parametrize(
    "before", ["", "/opt/bin/", "`", "$(", "bash -c '", 'ssh db "', "cd x\n", "cd x;", "echo|", "X=1 "]
)
def test_a_program_is_a_hint_wherever_it_is_called(before):
    """In the text itself, and in the `repr` of the record that the journal looks at."""
    text = f"{before}sqlplus scott"
    assert redact.has_hint(text)
    assert redact.has_hint(repr([{"question": text}]))
