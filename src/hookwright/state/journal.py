"""Old name of `hookwright.store.journal`; removed in the next release."""

from hookwright.store import journal as _new
from hookwright.store.journal import *  # noqa: F403

date_of = _new.format_date
line_of = _new.encode_record
