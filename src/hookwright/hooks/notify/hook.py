"""Notify: send the user a message when Claude needs them or is done.

Notification, Stop, StopFailure, SessionEnd → [this hook] → detached sender process (send.py) | nothing
Sends nothing until a channel is configured, limits repetitions, and never waits for the network.
"""

from __future__ import annotations

import time

from hookwright.hooks.base import Hook, is_headless
from hookwright.hooks.session_state import forget_state, read_state, write_state
from hookwright.options import LEGACY_QUIET, mode_option, option
from hookwright.store import limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.protocol.decisions import Decision
    from hookwright.protocol.events.base import Event

CHANNELS = ("terminal", "desktop", "sound")
EVENTS = ("needs-you", "done", "failed", "ended")
_NEEDS_YOU = ("permission_prompt", "idle_prompt", "elicitation_dialog", "elicitation_url_dialog", "agent_needs_input")
_NOT_ENDED = ("clear", "resume")  # reasons of SessionEnd after which the session continues in another form
URLS = "HOOKWRIGHT_NOTIFY_URLS"


def _check_subset(words: tuple[str, ...], value: tuple[str, ...]) -> tuple[str, ...]:
    from hookwright.options import BadValue  # noqa: PLC0415  only when configuration is read

    wrong = [word for word in value if word not in words]
    if wrong:
        raise BadValue(f"must be some of {', '.join(words)}, got {', '.join(wrong)}")
    return value


def _check_references(value: tuple[str, ...]) -> tuple[str, ...]:
    from hookwright.options import BadValue  # noqa: PLC0415

    for text in value:
        if not text.startswith(("env:", "keyring:")):
            raise BadValue("must name where the URL is stored, not the URL itself: env:VARIABLE or keyring:NAME")
    return value


def _check_hours(value: str) -> str:
    from hookwright.options import BadValue  # noqa: PLC0415

    if value and parse_hours(value) is None:
        raise BadValue(f"must look like 22:00-07:30, got {value!r}")
    return value


class Notify(Hook):
    """Tell you when Claude needs you or is done."""

    on = (("Notification",), ("Stop",), ("StopFailure",), ("SessionEnd",), ("UserPromptSubmit",))
    mode: str = mode_option(shadow="records what it would send, but sends nothing", tighter=None, env=LEGACY_QUIET)
    channels: tuple[str, ...] = option(
        (),
        check=lambda value: _check_subset(CHANNELS, value),
        help="terminal (an escape sequence or the bell), desktop, sound. Empty: only the services of urls_from.",
    )
    urls_from: tuple[str, ...] = option(
        (f"env:{URLS}",),
        check=_check_references,
        help="Where the URLs of services are stored: env:VARIABLE (URLs separated by spaces) or keyring:NAME. ntfy, "
        "http(s) and json URLs are built in; hookwright[notify] adds everything that apprise supports.",
    )
    events: tuple[str, ...] = option(
        ("needs-you", "done", "failed"),
        check=lambda value: _check_subset(EVENTS, value),
        help="needs-you (permission, question, idle), done (a turn ended), failed (API error), ended (the session).",
    )
    ignore_tasks: tuple[str, ...] = option(
        (), help='Background tasks that do not count as running, by a part of their command, such as "npm run dev".'
    )
    done_after: int = option(30, help="Minimum seconds of a turn for a `done` message; 0: always.")
    quiet_hours: str = option("", check=_check_hours, help="No messages during these hours, such as 22:00-07:30.")
    per_minute: int = option(4, tighter="lower", help="Maximum messages per minute, of all sessions together.")
    repeat_after: int = option(120, tighter="higher", help="Seconds before the same message may be sent again.")
    preview: bool = option(False, help="Add the first line of Claude's last message, which then leaves your machine.")
    reminders: bool = option(
        False, help="When Claude waits, mention servers left running in the background and tests that keep failing."
    )
    sound_file: str = option("", help="File that the sound channel plays; a system sound if empty.")
    headless: bool = option(False, help="Also notify in headless runs (claude -p, SDK).")

    def decide(self, event: Event) -> Decision | None:
        if not (self.channels or self._list_services()) or (not self.headless and is_headless(self.world.env)):
            return None
        here = limits.scope(self.world.state, event.session_id)
        if here is None:
            return None  # limits cannot be kept without a state directory
        name = event.hook_event_name
        if name == "UserPromptSubmit":
            if not getattr(event, "is_synthetic", False):
                write_state(here, "turn", str(self.world.now))
                limits.forget(here, "notified")
            return None
        kind = self._classify_event(event, here)
        if not kind or kind not in self.events or self._in_quiet_hours():
            return None
        return self._notify_user(event, here, kind)

    def _list_services(self) -> list[str]:
        """The references that may lead to a URL."""
        env = self.world.env
        return [one for one in self.urls_from if one.startswith("keyring:") or env(one[4:])]

    def _classify_event(self, event: Event, here: str) -> str:
        """The kind of message for this event; "" for none."""
        name, get = event.hook_event_name, event.raw.get
        if name == "Notification":
            kind = get("notification_type")
            if kind == "idle_prompt" and read_state(here, "busy") is not None:
                return ""  # it waits for its own background tasks, not for the user
            return "needs-you" if kind in _NEEDS_YOU else ""
        if name == "Stop":
            limits.forget(here, "notified")
            waits_for = getattr(event, "waits_for", None)
            if waits_for and waits_for(self.ignore_tasks):
                write_state(here, "busy", "")
                return ""
            forget_state(here, "busy")
            if any(decision.permission == "block" for _, decision in self.world.said):
                return ""  # Claude is kept going
            return "done" if self._took_long(here) else ""
        if name == "StopFailure":
            return "failed"
        return "" if get("reason") in _NOT_ENDED else "ended"

    def _took_long(self, here: str) -> bool:
        began = read_state(here, "turn")
        return began is None or self.done_after <= 0 or abs(self.world.now - float(began)) >= self.done_after

    def _in_quiet_hours(self) -> bool:
        hours = parse_hours(self.quiet_hours) if self.quiet_hours else None
        if hours is None:
            return False
        now = time.localtime(self.world.now)
        minute = now.tm_hour * 60 + now.tm_min
        first, last = hours
        return first <= minute < last if first <= last else minute >= first or minute < last

    def _notify_user(self, event: Event, here: str, kind: str) -> Decision | None:
        from hookwright.hooks.notify import message  # noqa: PLC0415  only when there is work

        if event.raw.get("notification_type") == "idle_prompt" and not limits.once(here, "notified"):
            return None  # the end of this turn was already notified
        title, body = message.build_message(event, kind, self.world, preview=self.preview, reminders=self.reminders)
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
            self._send_message({**job, "project": self.world.project, "time": now, "state": self.world.state})
        return message.build_terminal_decision(event, self.world, title, body, bell="terminal" in self.channels)

    def _send_message(self, job: dict[str, object]) -> None:
        from hookwright.hooks.notify import message  # noqa: PLC0415

        ways = [channel for channel in self.channels if channel != "terminal"]
        services = self._list_services()
        if ways or services:
            message.start_sender({**job, "ways": ways, "urls_from": services, "sound_file": self.sound_file})


def parse_hours(text: str) -> tuple[int, int] | None:
    """`22:00-07:30` as minutes of the day; None if it is not of this form."""
    first, dash, last = text.replace(" ", "").partition("-")
    found = (_parse_minute(first), _parse_minute(last))
    return (found[0], found[1]) if dash and found[0] is not None and found[1] is not None else None


def _parse_minute(text: str) -> int | None:
    hour, colon, minute = text.partition(":")
    if not (hour.isdecimal() and (minute.isdecimal() if colon else True)):
        return None
    number = int(hour) * 60 + int(minute or 0)
    return number if number <= 1440 and int(minute or 0) < 60 else None
