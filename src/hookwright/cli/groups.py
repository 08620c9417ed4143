"""A group of commands whose help shows the whole first sentence of each."""

from __future__ import annotations

import click


class SentenceGroup(click.Group):
    """Click cuts the descriptions of commands at 45 characters; these wrap instead."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = []
        for name in self.list_commands(ctx):
            found = self.get_command(ctx, name)
            if found is not None and not found.hidden:
                first = (found.help or "").partition("\n\n")[0]
                rows.append((name, " ".join(first.split()).rstrip(".")))
        with formatter.section("Commands"):
            formatter.write_dl(rows)
