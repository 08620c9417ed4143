"""The process that Claude Code starts for each event: launcher, bundle, main."""
