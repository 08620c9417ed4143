"""Old name of `hookwright.store.cache`; removed in the next release."""

from hookwright.store.cache import *  # noqa: F403
