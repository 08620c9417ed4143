"""The hook `summary`."""
