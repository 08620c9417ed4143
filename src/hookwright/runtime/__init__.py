"""The process that Claude Code starts for an event: launcher, bundle, one-shot."""
