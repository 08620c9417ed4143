"""Settings files of Claude Code as data: find, read, validate, check, edit. Knows nothing about our own hooks.

Reading, for `verify`, `status` and the engine:
    find         which files may hold hooks, in order of precedence
    load         read them all → LoadedHooks; uses json_document (JSON) and frontmatter (YAML),
                 and client_validation (what the client keeps; its types are in client_schema.toml)
    check        hooks that are valid but do not work; uses handler_command (what would be started) and matcher_syntax
    fingerprint  what would run, to notice changes

Editing, for `install`, `uninstall` and `undo`:
    change       plan a change of one file, show it as a diff, apply it
    edit         add, replace and remove our entries in a document; uses json_edit (text) and json_style (formatting)
    write        lock, compare, replace the file atomically
    backup       the bytes before each change, and a record for undo
"""
