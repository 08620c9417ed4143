"""Old name of `hookwright.store.limits`; removed in the next release."""

from hookwright.store.limits import *  # noqa: F403
