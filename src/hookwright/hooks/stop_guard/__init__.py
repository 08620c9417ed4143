"""Keep Claude going while checks fail or this session's work is uncommitted."""
