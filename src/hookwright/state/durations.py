"""Old name of `hookwright.store.durations_read`; removed in the next release."""

from hookwright.store.durations_read import *  # noqa: F403
