"""hookwright test: run the examples of hook files and the cases of case files through the real dispatcher."""

from __future__ import annotations

import click

from hookwright.cli.arguments import json_option
from hookwright.cli.output import print_json

EPILOG = """\b
A case file (*.case):
  === a forced push is denied and the safer flag is named
  command: git push --force
  ---
  deny: --force-with-lease

Example:  hookwright test ~/.config/hookwright/hooks"""


@click.command("test", epilog=EPILOG)
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path())
@click.option("-k", "word", metavar="WORD", default="", help="Only cases with this word in their title.")
@click.option("-v", "--verbose", is_flag=True, help="List passed cases too.")
@json_option
def command(*, paths: tuple[str, ...], word: str, verbose: bool, as_json: bool) -> int:
    """Run the EXAMPLES of hook files and *.case files without pytest, and show what differs.

    Without PATH: your hooks, and those of this project if you trust it. Giving a PATH allows its code to run.
    """
    from hookwright.cli.views.test_view import show_result, show_summary  # noqa: PLC0415  not needed for --help
    from hookwright.testing.run_cases import CaseSuite  # noqa: PLC0415

    suite = CaseSuite(paths, word)
    results = []
    for result in suite.run_all():
        results.append(result)
        if not as_json and (verbose or not result.has_passed):
            show_result(result)
    if as_json:
        print_json(suite.as_json(results))
    else:
        show_summary(suite, results)
    return 0 if suite.all_passed(results) else 1
