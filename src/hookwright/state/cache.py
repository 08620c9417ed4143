"""Old name of `hookwright.store.cache`; removed in the next release."""

from hookwright.store import cache as _new
from hookwright.store.cache import *  # noqa: F403

sweep = _new.sweep_expired
