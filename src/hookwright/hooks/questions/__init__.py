"""Answer questions that the user has decided once, always ask irreversible ones, and log every question."""
