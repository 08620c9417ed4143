"""The rules of the guard: one pattern per file, named after the rule's id (`git-force-push` → git_force_push.py).

A rule has `ID`, `EXAMPLES` (command → "deny", "ask" or None: its tests and its page in docs/rules.md; `«a|b» x` stands
for `a x` and `b x`) and `check(call, scene)`, which checks one call. `deny` is for what the literal words prove, `ask`
for what is dynamic or uncertain; no rule ever approves. Which programs a rule looks at is written in `rule_index.py`;
what rules are written with is in `rule_api.py`. Rules do not import each other: what two of them need is a module
beside this folder.
"""
