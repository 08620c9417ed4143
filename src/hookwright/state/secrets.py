"""Old name of `hookwright.store.secrets`; removed in the next release."""

from hookwright.store.secrets import *  # noqa: F403
