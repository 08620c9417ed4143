"""One command per file; `cli/main.py` lists them and loads a file when its command is called."""
