"""Sending something to people.

Why: a mail cannot be called back.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.questions.one_way.text import Text

ID = "sending"
EXAMPLES = {
    "Send the mail to all customers?": "ask",
    "Post a comment on the issue?": "ask",
    "Tweet about it?": "ask",
    "Email the users?": "ask",
    "GET or POST for this endpoint?": None,
    "Which error message?": None,
}
WORDS = ("tweet", "tweets", "newsletter", "broadcast", "broadcasts")
PHRASES = ("send it", "send now", "send to all", "post it", "post publicly", "reply all", "notify everyone",
           "notify all")  # fmt: skip
VERBS = frozenset(("send", "sends", "sent", "sending", "post", "posting", "mail", "email", "emails", "emailing",
                   "notify", "notifies", "message", "invite", "submit", "reply"))  # fmt: skip
NOUNS = frozenset(
    (*("mail", "mails", "message", "messages", "invitation", "invitations", "invites", "customers", "users", "client"),
     *("clients", "team", "everyone", "people", "subscribers", "recipients", "slack", "twitter", "linkedin", "list"),
     *("channel", "emails", "report", "application", "form", "reviewers", "comment", "comments", "sms"))
)  # fmt: skip


def check(text: Text) -> str:
    return text.word(WORDS) or text.phrase(PHRASES) or text.together(VERBS, NOUNS)
