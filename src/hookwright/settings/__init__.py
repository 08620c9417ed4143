"""Settings files of Claude Code as data: find, read, check, edit. Knows nothing of our hooks.

find → text → rules → load → check        what the client sees, and what it drops
             text → edit → change → write  only our own bytes change, all at once or not at all
"""
