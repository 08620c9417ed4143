"""What project tasks run, by package.json, Makefile, justfile, pyproject.toml, tox.ini, …

nested_commands.py → find_script.py → [one module a kind of file] → shell text → parsed like any other command
Reads are bounded, nothing is executed. A file that cannot be read or parsed is no error: the call stays as it is.
"""
