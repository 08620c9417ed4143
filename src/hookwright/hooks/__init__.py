"""The built-in hooks, one a file; none imports another. `plan/table.py` lists them in their order."""
