"""Old name of `hookwright.store.ingest`; removed in the next release."""

from hookwright.store import ingest as _new
from hookwright.store.ingest import *  # noqa: F403

Ingested = _new.IngestResult
backlog = _new.backlog_bytes
pending = _new.list_pending
