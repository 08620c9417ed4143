"""Record every tool call with its intent, outcome and duration."""
