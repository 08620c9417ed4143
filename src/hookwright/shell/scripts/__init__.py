"""What the project's own files say a command runs: package.json, Makefile, justfile, pyproject.toml, tox.ini, …

wrappers.py → project.py → [one module a kind of file] → text → read like any other command
Bounded reads, nothing executed; a file that cannot be read or understood is no error, the call just stays as it is.
"""
