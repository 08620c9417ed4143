"""Old name of `hookwright.store.ingest`; removed in the next release."""

from hookwright.store.ingest import *  # noqa: F403
