"""hookwright test: the examples of hook files and the cases of case files, played through the real dispatcher."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hookwright.cli.output import as_json, console, print_json
from hookwright.cli.past import plain
from hookwright.cli.registered import tilde

if TYPE_CHECKING:
    from hookwright.errors import UserError
    from hookwright.testing.play import Result
    from hookwright.testing.run import Run

EPILOG = """\b
A case file (*.case):
  === a forced push is denied and the safer flag is named
  command: git push --force
  ---
  deny: --force-with-lease

Example:  hookwright test ~/.config/hookwright/hooks"""


@click.command("test", epilog=EPILOG)
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path())
@click.option("-k", "word", metavar="WORD", default="", help="Only those whose title holds this word.")
@click.option("-v", "--verbose", is_flag=True, help="Name those that passed too.")
@as_json
def command(*, paths: tuple[str, ...], word: str, verbose: bool, as_json: bool) -> int:
    """Play EXAMPLES of hook files and *.case files, without pytest; say what differs.

    Without a PATH: your own hooks, and those of this project if you trust them. A PATH is your word that what it holds
    may run.
    """
    from hookwright.testing.run import Run  # noqa: PLC0415  not needed for --help

    run = Run(paths, word)
    results = []
    for result in run.results():
        results.append(result)
        if not as_json and (verbose or not result.ok):
            _show(result)
    if as_json:
        print_json(run.as_json(results))
    else:
        _show_end(run, results)
    return 0 if run.ok(results) else 1


def _show(result: Result) -> None:
    case = result.case
    mark = "[green]✓[/]" if result.ok else "[red]✗[/]"
    out = console()
    out.print(mark, end=" ")
    out.print(
        f"{plain(case.title)}  [dim]{plain(tilde(case.where))}[/]" if result.ok else plain(case.title), markup=result.ok
    )
    if result.error is not None:
        _show_error(result.error)
    elif result.diff:
        out.print(f"    at: {plain(tilde(case.where))}", markup=False)
        for line in result.diff:
            style = {"-": "red", "+": "green"}.get(line[:1], "")
            out.print(f"    {plain(line)}", style=style, markup=False, soft_wrap=True)


def _show_error(error: UserError) -> None:
    for line in str(error).splitlines():
        console().print(f"    {plain(line.strip())}", markup=False, soft_wrap=True)


def _show_end(run: Run, results: list[Result]) -> None:
    out = console()
    for problem in run.problems:
        out.print("[red]✗[/]", end=" ")
        out.print(str(problem), markup=False, soft_wrap=True)
    for file in run.found.untested:
        out.print(f"· no examples: {tilde(file)}", style="dim", markup=False, soft_wrap=True)
    for note in run.found.left_out:
        out.print("[yellow]![/]", end=" ")
        out.print(str(note), markup=False, soft_wrap=True)
    wrong = sum(not result.ok for result in results) + len(run.problems)
    counts = _counts(results)
    if not results and not run.problems:
        where = ", ".join(run.found.looked_in)
        out.print("[yellow]nothing to play[/]", end="")
        out.print(f": no examples and no cases{f' in {where}' if where else ''}", markup=False, soft_wrap=True)
        if not run.found.left_out:
            out.print("  try: hookwright new hook NAME", markup=False)
    elif wrong:
        out.print(f"[red]✗[/] {counts}, {wrong} not as written")
    else:
        out.print(f"[green]✓[/] {counts}, all as written")


def _counts(results: list[Result]) -> str:
    words = []
    for kind in ("example", "case"):
        number = sum(result.case.kind == kind for result in results)
        if number:
            words.append(f"{number} {kind}{'' if number == 1 else 's'}")
    return " and ".join(words) or "nothing played"
