"""Run the project's formatter on a file that Claude just wrote."""
