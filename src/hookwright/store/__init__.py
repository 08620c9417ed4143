"""What hookwright remembers between events: journal, ledger (SQLite), learned durations, limits, caches, locks."""
