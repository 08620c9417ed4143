"""Old name of `hookwright.store.database`; removed in the next release."""

from hookwright.store import database as _new
from hookwright.store.database import *  # noqa: F403

set_aside = _new.move_aside
