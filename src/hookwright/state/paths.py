"""Old name of `hookwright.store.paths`; removed in the next release."""

from hookwright.store.paths import *  # noqa: F403
