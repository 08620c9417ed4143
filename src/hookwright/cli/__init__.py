"""The human's program, one command a file; a command is imported when it is called."""
