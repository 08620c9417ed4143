"""Notify: a word to you when Claude needs you or is done, where you have asked for it, and not more often than needed.

Notification, Stop, StopFailure, SessionEnd → [this hook] → a sender of its own, which outlives us | silence
Says nothing until a channel is named. Never waits for a network: the sender runs detached, bounded and on its own.
"""

from __future__ import annotations

import posix
import time

from hookwright.hooks.base import QUIET, Hook, is_headless
from hookwright.options import MODES, option
from hookwright.state import limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.protocol.decisions import Decision
    from hookwright.protocol.events.base import Event

CHANNELS = ("terminal", "desktop", "sound")
EVENTS = ("needs-you", "done", "failed", "ended")
_NEEDS_YOU = ("permission_prompt", "idle_prompt", "elicitation_dialog", "elicitation_url_dialog", "agent_needs_input")
_LEFT = ("clear", "resume")  # a session that ends so goes on in another form
URLS = "HOOKWRIGHT_NOTIFY_URLS"


def _some_of(words: tuple[str, ...], value: tuple[str, ...]) -> tuple[str, ...]:
    from hookwright.options import BadValue  # noqa: PLC0415  only when files are read

    wrong = [word for word in value if word not in words]
    if wrong:
        raise BadValue(f"must be some of {', '.join(words)}, got {', '.join(wrong)}")
    return value


def _references(value: tuple[str, ...]) -> tuple[str, ...]:
    from hookwright.options import BadValue  # noqa: PLC0415

    for text in value:
        if not text.startswith(("env:", "keyring:")):
            raise BadValue("must name where the URL is, since files get copied: env:VARIABLE or keyring:NAME")
    return value


def _hours(value: str) -> str:
    from hookwright.options import BadValue  # noqa: PLC0415

    if value and hours_of(value) is None:
        raise BadValue(f"must be such as 22:00-07:30, got {value!r}")
    return value


class Notify(Hook):
    """Tell you when Claude needs you or is done."""

    on = (("Notification",), ("Stop",), ("StopFailure",), ("SessionEnd",), ("UserPromptSubmit",))
    section = "notify"
    mode: str = option(
        "on",
        choices=MODES,
        env={"AGENT_OS_HOOKS_QUIET": QUIET},
        help="on, off, or shadow: says in the record what it would send, but sends nothing.",
    )
    channels: tuple[str, ...] = option(
        (),
        check=lambda value: _some_of(CHANNELS, value),
        help="terminal (an escape sequence or the bell), desktop, sound. None: only the services of urls_from.",
    )
    urls_from: tuple[str, ...] = option(
        (f"env:{URLS}",),
        check=_references,
        help="Where the URLs of services are: env:VARIABLE (several, divided by blanks) or keyring:NAME. ntfy, http(s) "
        "and json URLs are built in; with hookwright[notify] all that apprise knows.",
    )
    events: tuple[str, ...] = option(
        ("needs-you", "done", "failed"),
        check=lambda value: _some_of(EVENTS, value),
        help="needs-you (permission, question, idle), done (a turn ended), failed (by an error of the API), ended.",
    )
    ignore_tasks: tuple[str, ...] = option(
        (), help='Background tasks that may run while Claude is done, by words of their command, such as "npm run dev".'
    )
    done_after: int = option(30, help="Seconds that a turn must have taken for `done` to be told; 0: always.")
    quiet_hours: str = option("", check=_hours, help="No message in these hours of the day, such as 22:00-07:30.")
    per_minute: int = option(4, tighter="lower", help="Messages a minute at most, of all sessions together.")
    repeat_after: int = option(120, tighter="higher", help="Seconds until the same message may come again.")
    preview: bool = option(False, help="Add the first line of what Claude said last. It leaves your machine.")
    reminders: bool = option(
        False, help="When Claude waits: servers left running in the background, tests that failed several times."
    )
    sound_file: str = option("", help="What the sound channel plays; a sound of the system if empty.")
    headless: bool = option(False, help="Also in runs without a person (claude -p, SDK).")

    def decide(self, event: Event) -> Decision | None:
        if not (self.channels or self._services()) or (not self.headless and is_headless(self.world.env)):
            return None
        here = limits.scope(self.world.state, event.session_id)
        if here is None:
            return None  # without memory there is no limit
        name = event.hook_event_name
        if name == "UserPromptSubmit":
            if not getattr(event, "is_synthetic", False):
                mark(f"{here}/turn", self.world.now)
                limits.forget(here, "notified")
            return None
        kind = self._kind(event, here)
        if not kind or kind not in self.events or self._is_quiet():
            return None
        return self._tell(event, here, kind)

    def _services(self) -> list[str]:
        """The references behind which a URL may be."""
        env = self.world.env
        return [one for one in self.urls_from if one.startswith("keyring:") or env(one[4:])]

    def _kind(self, event: Event, here: str) -> str:
        """What this event means to the user; "" for nothing."""
        name, get = event.hook_event_name, event.raw.get
        if name == "Notification":
            kind = get("notification_type")
            if kind == "idle_prompt" and posix.access(f"{here}/busy", posix.F_OK):
                return ""  # it waits for its own background tasks, not for you
            return "needs-you" if kind in _NEEDS_YOU else ""
        if name == "Stop":
            limits.forget(here, "notified")
            waits_for = getattr(event, "waits_for", None)
            if waits_for and waits_for(self.ignore_tasks):
                mark(f"{here}/busy", self.world.now)
                return ""
            unmark(f"{here}/busy")
            if any(decision.permission == "block" for _, decision in self.world.said):
                return ""  # Claude is kept going
            return "done" if self._took_long(here) else ""
        if name == "StopFailure":
            return "failed"
        return "" if get("reason") in _LEFT else "ended"

    def _took_long(self, here: str) -> bool:
        began = when(f"{here}/turn")
        return began is None or self.done_after <= 0 or abs(self.world.now - began) >= self.done_after

    def _is_quiet(self) -> bool:
        hours = hours_of(self.quiet_hours) if self.quiet_hours else None
        if hours is None:
            return False
        now = time.localtime(self.world.now)
        minute = now.tm_hour * 60 + now.tm_min
        first, last = hours
        return first <= minute < last if first <= last else minute >= first or minute < last

    def _tell(self, event: Event, here: str, kind: str) -> Decision | None:
        from hookwright.work import notices  # noqa: PLC0415  there is work now

        if event.raw.get("notification_type") == "idle_prompt" and not limits.once(here, "notified"):
            return None  # this turn's end has been told
        title, body = notices.worded(event, kind, self.world, preview=self.preview, reminders=self.reminders)
        everyone = f"{self.world.state}/notify"
        now = self.world.now
        if not limits.allow(here, f"notify {kind} {body}", now, most=1, per_seconds=self.repeat_after):
            return None
        if not limits.allow(everyone, "all", now, most=self.per_minute, per_seconds=60):
            return None
        self.world.facts["notified"] = kind
        if kind == "done":
            limits.once(here, "notified")
        if self.mode == "on":
            job = {"kind": kind, "title": title, "body": body, "session_id": event.session_id}
            self._send({**job, "project": self.world.project, "time": now, "state": self.world.state})
        return notices.for_the_terminal(event, self.world, title, body, bell="terminal" in self.channels)

    def _send(self, job: dict[str, object]) -> None:
        from hookwright.work import notices  # noqa: PLC0415

        ways = [channel for channel in self.channels if channel != "terminal"]
        services = self._services()
        if ways or services:
            notices.start_sender({**job, "ways": ways, "urls_from": services, "sound_file": self.sound_file})


def hours_of(text: str) -> tuple[int, int] | None:
    """`22:00-07:30` as minutes of the day."""
    first, dash, last = text.replace(" ", "").partition("-")
    found = (_minute(first), _minute(last))
    return (found[0], found[1]) if dash and found[0] is not None and found[1] is not None else None


def _minute(text: str) -> int | None:
    hour, colon, minute = text.partition(":")
    if not (hour.isdecimal() and (minute.isdecimal() if colon else True)):
        return None
    number = int(hour) * 60 + int(minute or 0)
    return number if number <= 1440 and int(minute or 0) < 60 else None


def mark(path: str, now: float) -> None:
    from hookwright.plan.keep import write  # noqa: PLC0415

    write(path, ((), now, ()))


def when(path: str) -> float | None:
    from hookwright.plan.read import read  # noqa: PLC0415

    kept = read(path)
    return kept[1] if kept else None


def unmark(path: str) -> None:
    if posix.access(path, posix.F_OK):
        posix.unlink(path)
