"""Old name of `hookwright.store.estimate`; removed in the next release."""

from hookwright.store.estimate import *  # noqa: F403
