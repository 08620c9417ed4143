"""Old name of the state kit, `hookwright.store` (docs/state.md), for user hooks written against it.

Each module here re-exports the one that replaced it. Removed in the next release.
"""
