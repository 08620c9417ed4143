"""Tell Claude where the project stands: branch, open changes, recent commits, command output."""
