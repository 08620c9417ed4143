"""What a shell command means: text → words → calls, as the shell would run them; nothing is executed.

payload → event → [command.py: text → calls] → rules and judges → decision

    from hookwright.shell.command import Command

    command = Command("cd ~ && sudo rm -rf *", home="/home/ann")
    command.calls            # [Call('cd ~'), Call('rm -rf *')]: every real call, wrappers removed
    command.problem          # None, or one sentence about what could not be read
    for call in command.calls_of("git", "push"):
        if call.has_flag("-f", "--force"): ...

A `Word` is a `str` as the program receives it: `word.literal` (nothing unknown in it), `word.glob`,
`word.home` (the `~` in it is the home folder), `word.quoted`. A `Call` knows its program, words, options and
operands, what was wrapped around it, where it stands (pipeline, loop, branch, function, substitution), its
folder, its redirections and the text that it reads. The whole vocabulary is in docs/shell.md.

START with command.py. Plain commands need no other module; the rest is loaded when a command asks for it:
words.py and reader.py (text → tree), walk.py (tree → calls: variables, `cd`, loops), wrappers.py (sudo, timeout, npx),
carriers.py (`sh -c`, ssh, xargs, find -exec), values.py (braces, echo, seq, arithmetic) and scripts/ (what `npm run x`
or `make y` would run).
"""
