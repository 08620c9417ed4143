"""Old name of `hookwright.store.database`; removed in the next release."""

from hookwright.store.database import *  # noqa: F403
