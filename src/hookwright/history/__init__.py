"""The past: the ledger's questions, samples of durations, Claude Code's transcripts, replay."""
