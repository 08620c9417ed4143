"""Old name of `hookwright.store.journal`; removed in the next release."""

from hookwright.store.journal import *  # noqa: F403
