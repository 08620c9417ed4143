"""Old name of `hookwright.store.lock`; removed in the next release."""

from hookwright.store import lock as _new
from hookwright.store.lock import *  # noqa: F403

owner = _new.owner_pid
