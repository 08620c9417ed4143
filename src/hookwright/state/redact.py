"""Old name of `hookwright.store.redact`; removed in the next release."""

from hookwright.store.redact import *  # noqa: F403
