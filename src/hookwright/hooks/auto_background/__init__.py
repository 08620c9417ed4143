"""Move long-running commands to the background."""
