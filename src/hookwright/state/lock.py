"""Old name of `hookwright.store.lock`; removed in the next release."""

from hookwright.store.lock import *  # noqa: F403
