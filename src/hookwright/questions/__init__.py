"""What is asked, what the user has decided about it, and what must always be asked. Knows nothing of hooks."""
