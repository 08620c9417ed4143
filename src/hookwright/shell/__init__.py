"""Parses shell commands: text → words → calls, as a shell would run them. Nothing is executed.

payload → event → [Command: text → calls] → rules, duration classes → decision

    from hookwright.shell.command import Command

    command = Command("cd ~ && sudo rm -rf *", home="/home/ann")
    command.calls            # [Call('cd ~'), Call('rm -rf *')]: every call, wrappers removed
    command.problem          # None, or one sentence about what could not be parsed
    for call in command.calls_of("git", "push"):
        if call.has_flag("-f", "--force"): ...

A `Word` is a `str` as the program receives it: `word.literal` (nothing unknown in it), `word.glob`, `word.home` (its
`~` is the home folder), `word.quoted`. A `Call` has its program, words, options and operands, the wrappers around it,
its context (pipeline, loop, branch, function, substitution), its folder, its redirections and its standard input. All
names are in docs/shell.md.

Start with command.py and call.py, all that plain commands load. The other modules are loaded when a command needs them:
fast_parser.py (plain lists), lexer.py and parser.py (text → tree), evaluator.py (tree → calls: variables, `cd`, loops),
expansion.py (braces, arithmetic, `${x:-y}`), simulated_output.py (echo, seq), wrappers.py (sudo, timeout, npx),
nested_commands.py (`sh -c`, ssh, xargs, find -exec) and project_scripts/ (what `npm run x` or `make y` would run).
families.py, duration.py and programs/ classify how long a command keeps the foreground.
"""
