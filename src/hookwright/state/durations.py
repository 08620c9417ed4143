"""Old name of `hookwright.store.durations_read`; removed in the next release."""

from hookwright.store import durations_read as _new
from hookwright.store.durations_read import *  # noqa: F403

glimpse = _new.probe_command
learned = _new.estimate_from_row
look_up = _new.estimate_segments
names_of = _new.extract_names
rows_of = _new.read_rows
