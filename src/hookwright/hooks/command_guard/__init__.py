"""Deny destructive commands, ask about risky ones, protect certain files.

Bash:        hook → prefilter (may a rule apply at all?) → policy → evaluate → rule_index (which rules?) → rules/<id>
file tools:  hook → file_access → policy
A rule is one file in `rules/`, named after its id; its verbs and the scene it sees are in `rule_api`. Several rules
share `delete_targets` and `delete_searches` (what a deletion destroys), `write_targets` (what a write changes),
`secret_sources`, `path_kinds` and `protected_paths` (what a path is), `production_names`, `code_reader`.
The user's part is `user_rules` (own rules, paths, exceptions); `option_checks` and `rule_catalogue` check the options
when the configuration is compiled. `prefilter_data` is generated from `rule_index`.
The order of these layers is a contract in pyproject.toml.
"""
