"""Finds keys that look live in a text: issued tokens and private keys, not samples of them.

the text of a command, the content of a file → [find_live_key] → a name for the key, or ""
The shapes are those of the redactor (store/secrets), which is loaded only for a text with one of the MARKS.
"""

from __future__ import annotations

# Beginnings of issued keys, as they are written.
MARKS = ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "gldt-", "glrt-", "sk-", "sk_live_",
         "rk_live_", "whsec_", "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xapp-", "AKIA", "ASIA", "AIza", "ya29.",
         "GOCSPX-", "npm_", "pypi-AgEI", "hf_", "r8_", "dop_v1_", "SG.", "hvs.", "dckr_pat_", "shpat_", "lin_api_",
         "sntrys_", "figd_", "ATATT", "sq0atp-", "sq0csp-", "AGE-SECRET-KEY-1", "xai-", "gsk_", "pplx-", "tskey-",
         "rubygems_", "PRIVATE KEY-----")  # fmt: skip
ISSUERS = (("gh", "a GitHub token"), ("gl", "a GitLab token"), ("sk-ant-", "an Anthropic key"), ("sk-", "an API key"),
           ("sk_live_", "a live Stripe key"), ("rk_live_", "a live Stripe key"), ("xox", "a Slack token"),
           ("xapp-", "a Slack token"), ("AKIA", "an AWS key"), ("ASIA", "an AWS key"), ("AIza", "a Google API key"),
           ("npm_", "an npm token"), ("pypi-", "a PyPI token"), ("hf_", "a Hugging Face token"),
           ("SG.", "a SendGrid key"), ("hvs.", "a Vault token"))  # fmt: skip
SAMPLE_WORDS = ("example", "xxxx", "your", "test", "fake", "dummy", "sample", "placeholder", "changeme", "redacted",
                "abcdef", "123456", "....", "0000", "mock")  # fmt: skip
LEAST_VARIETY = 9  # different characters in a key; a made-up one repeats itself
LEAST_BLOCK = 100  # characters of a private key


def find_live_key(text: str) -> str:
    """A name for the first key in the text that looks live, such as `a GitHub token`; "" if there is none."""
    if not may_hold_key(text):
        return ""
    from hookwright.store.secrets.shapes import find_issued_keys

    for start, end, kind in find_issued_keys(text):
        found = text[start:end]
        if kind == "private key":
            if len(found.strip()) >= LEAST_BLOCK and looks_live(found):
                return "a private key"
        elif looks_live(found):
            return next((name for beginning, name in ISSUERS if found.startswith(beginning)), "an access token")
    return ""


def may_hold_key(text: str) -> bool:
    """Whether the text has the beginning of a key; a quick look."""
    return any(mark in text for mark in MARKS)


def looks_live(key: str) -> bool:
    """Whether it is no sample: no word that says so, and as varied as what a machine makes."""
    low = key.lower()
    return len(set(low)) >= LEAST_VARIETY and not any(word in low for word in SAMPLE_WORDS)
