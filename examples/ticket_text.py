"""A ticket's number in the prompt or in the branch's name brings the ticket's text along.

Looks for a file such as `tickets/SHOP-142.md` in the project. Each ticket is told once a session, so that it does not
pile up in the context.

    [ticket_text]
    folder = "docs/tickets"
    pattern = "[A-Z]{2,10}-[0-9]+"
"""

import re

from hookwright import Decision, Hook, UserPromptSubmit, add_context, option
from hookwright.store import limits


class TicketText(Hook):
    """Tell Claude what the ticket says."""

    on = (UserPromptSubmit,)
    folder = option("tickets", help="Where the tickets are, from the project's top; each a text file.")
    pattern = option("[A-Z]{2,10}-[0-9]+", help="What a ticket's number looks like.")
    most = option(4000, help="Characters of a ticket that are told.")

    def decide(self, event: UserPromptSubmit) -> Decision | None:
        if event.is_synthetic:
            return None  # the client's own: a background command ended
        project = self.world.project or event.cwd
        here = limits.scope(self.world.state, event.session_id)
        texts = []
        for number in dict.fromkeys(re.findall(rf"\b{self.pattern}\b", f"{event.prompt}\n{branch(project)}")):
            text = self.text_of(f"{project}/{self.folder}/{number}")
            if text and limits.once(here, f"ticket {number}"):
                texts.append(f"Ticket {number}:\n{text}")
        return add_context("\n\n".join(texts)) if texts else None

    def text_of(self, place: str) -> str:
        for ending in (".md", ".txt"):
            try:
                with open(place + ending, encoding="utf-8") as file:
                    text = file.read(self.most + 1)
            except OSError:
                continue
            rest = f"… (the rest is in {place}{ending})" if len(text) > self.most else ""
            return text[: self.most].strip() + rest
        return ""


def branch(project: str) -> str:
    """The branch's name, from git's own file: no process is started for it."""
    try:
        with open(f"{project}/.git/HEAD", encoding="utf-8") as file:
            return file.read().strip().removeprefix("ref: refs/heads/")
    except OSError:
        return ""
