"""The sender process: deliver one message to every configured channel.

job on stdin → desktop, sound, services → ends after at most half a minute
A channel that fails is retried twice; what could not be delivered is recorded and shown at the end of the next turn.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from typing import TYPE_CHECKING, Any

from hookwright.hooks.clean_text import one_line, truncate_text
from hookwright.proc.run_programs import Job, run_job

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import FrameType

    from hookwright.proc.child_process import ProgramResult

LONGEST_S = 30
TRY_S = 5.0
PAUSES_S = (1.0, 3.0)  # before the first and the second retry
SOUNDS = (
    ("afplay", "/System/Library/Sounds/Glass.aiff"),
    ("pw-play", "/usr/share/sounds/freedesktop/stereo/complete.oga"),
    ("paplay", "/usr/share/sounds/freedesktop/stereo/complete.oga"),
    ("aplay", "/usr/share/sounds/alsa/Front_Center.wav"),
)
_APPLE = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run"


class SendError(Exception):
    """A channel failed; the text says why. `retry`: trying again may help."""

    def __init__(self, why: str, *, retry: bool = False) -> None:
        super().__init__(why)
        self.retry = retry


def main() -> None:
    def raise_timeout(number: int, frame: FrameType | None) -> None:
        raise SendError("it took too long")

    job = json.loads(sys.stdin.read())
    signal.signal(signal.SIGALRM, raise_timeout)
    signal.setitimer(signal.ITIMER_REAL, LONGEST_S, 2)  # then two seconds for each remaining channel
    failures = send_to_all(job)
    signal.setitimer(signal.ITIMER_REAL, 0)
    if failures:
        record_failure(job.get("state"), "; ".join(failures))


def send_to_all(job: Mapping[str, Any], pauses: tuple[float, ...] = PAUSES_S) -> list[str]:
    """Send to every channel; returns what failed."""
    failures = []
    for name, send in list_channels(job):
        try:
            send_with_retry(send, pauses)
        except SendError as problem:
            failures.append(f"{name}: {problem}")
        except Exception as problem:  # noqa: BLE001  one failing channel must not affect the others
            failures.append(f"{name}: {type(problem).__name__}: {one_line(str(problem), 200)}")
    return failures


def send_with_retry(send: Callable[[], None], pauses: tuple[float, ...]) -> None:
    for pause in (*pauses, None):
        try:
            send()
        except SendError as problem:
            if not problem.retry or pause is None:
                raise
            time.sleep(pause)
        else:
            return


def list_channels(job: Mapping[str, Any]) -> Iterator[tuple[str, Callable[[], None]]]:
    title, body = str(job["title"]), str(job["body"])
    project = str(job.get("project") or "")
    if "desktop" in job["ways"]:
        yield "desktop", lambda: send_to_desktop(title, body, project)
    if "sound" in job["ways"]:
        yield "sound", lambda: play_sound(str(job.get("sound_file") or ""), project)
    for reference in job["urls_from"]:
        try:
            urls = resolve_urls(reference, project)
        except SendError as problem:
            yield reference, _failing_sender(problem)
            continue
        for url in urls:
            yield redact_url(url), _url_sender(url, job)


def _failing_sender(problem: SendError) -> Callable[[], None]:
    def raise_problem() -> None:
        raise problem

    return raise_problem


def _url_sender(url: str, job: Mapping[str, Any]) -> Callable[[], None]:
    return lambda: send_to_url(url, job)


def resolve_urls(reference: str, project: str) -> list[str]:
    """The URLs stored in `env:VARIABLE` or `keyring:NAME`; none if the variable is not set."""
    kind, _, name = reference.partition(":")
    if kind == "env":
        return os.environ.get(name, "").split()
    for command in (
        ["security", "find-generic-password", "-s", "hookwright", "-a", name, "-w"],
        ["secret-tool", "lookup", "service", "hookwright", "name", name],
    ):
        result = _run_tool(command, project)
        if result.ok and result.stdout.strip():
            return result.stdout.decode("utf-8", "replace").split()
    raise SendError("the keyring has no entry of this name, or there is no keyring on this machine")


def _run_tool(command: list[str], project: str) -> ProgramResult:
    """Run a program of the system, never one that lies in the project."""
    return run_job(Job(command, cwd="/", seconds=TRY_S, avoid=(project,) if project else ()))


def redact_url(url: str) -> str:
    """Scheme and host of a URL: the rest may contain secrets."""
    scheme, _, rest = url.partition("://")
    host = rest.rpartition("@")[2] if "@" in rest.partition("/")[0] else rest
    host = host.partition("/")[0].partition("?")[0]
    return one_line(f"{scheme}://{host}" if scheme in ("http", "https", "json", "jsons") else scheme, 60)


# --- channels


def send_to_desktop(title: str, body: str, project: str) -> None:
    escaped = body.replace("&", "&amp;").replace("<", "&lt;")
    problem = ""
    for command in (
        ["osascript", "-e", _APPLE, title, body],
        ["notify-send", "--app-name=Claude Code", "--", title, escaped],
        ["kdialog", "--title", title, "--passivepopup", body, "10"],
    ):
        result = _run_tool(command, project)
        if result.ok:
            return
        if not result.could_not_start:
            problem = result.problem or one_line(result.stderr, 160) or f"exit code {result.code}"
    raise SendError(problem or "no program for notifications found (notify-send, osascript)")


def play_sound(file: str, project: str) -> None:
    problem = ""
    for program, usual in SOUNDS:
        result = _run_tool([program, os.path.expanduser(file) if file else usual], project)
        if result.ok:
            return
        if not result.could_not_start:
            problem = result.problem or one_line(result.stderr, 160) or f"exit code {result.code}"
    raise SendError(problem or "no program for sounds found (pw-play, paplay, aplay, afplay)")


def send_to_url(url: str, job: Mapping[str, Any]) -> None:
    """Send to one service: ntfy and plain http directly, everything else through apprise."""
    scheme = url.partition("://")[0].lower()
    if scheme in ("ntfy", "ntfys"):
        _post_request(*build_ntfy_request(url, job))
    elif scheme in ("http", "https", "json", "jsons"):
        _post_request(*build_json_request(url, job))
    else:
        _send_by_apprise(url, job)


def build_ntfy_request(url: str, job: Mapping[str, Any]) -> tuple[str, bytes, dict[str, str]]:
    from urllib.parse import unquote, urlsplit  # noqa: PLC0415

    parts = urlsplit(url)
    place, topic = parts.netloc.rpartition("@")[2], parts.path.strip("/")
    secure = parts.scheme == "ntfys" or not topic
    if not topic:
        place, topic = "ntfy.sh", place  # ntfy://topic means the public server
    headers = {"Title": _encode_header(job["title"]), "Tags": "robot"}
    if parts.username:
        headers["Authorization"] = _basic_auth(unquote(parts.username), unquote(parts.password or ""))
    return f"{'https' if secure else 'http'}://{place}/{topic}", str(job["body"]).encode(), headers


def build_json_request(url: str, job: Mapping[str, Any]) -> tuple[str, bytes, dict[str, str]]:
    """A JSON object; Slack, Mattermost and similar services read its `text`."""
    from urllib.parse import unquote, urlsplit, urlunsplit  # noqa: PLC0415

    parts = urlsplit(url)
    scheme = {"json": "http", "jsons": "https"}.get(parts.scheme, parts.scheme)
    headers = {"Content-Type": "application/json"}
    if parts.username:
        headers["Authorization"] = _basic_auth(unquote(parts.username), unquote(parts.password or ""))
    place = parts.netloc.rpartition("@")[2]
    words = {"title": job["title"], "message": job["body"], "text": f"{job['title']}: {job['body']}"}
    rest = {key: job.get(key) for key in ("kind", "project", "session_id", "time")}
    target = urlunsplit((scheme, place, parts.path, parts.query, ""))
    return target, json.dumps({**words, **rest}).encode(), headers


def _basic_auth(user: str, password: str) -> str:
    from base64 import b64encode  # noqa: PLC0415

    return "Basic " + b64encode(f"{user}:{password}".encode()).decode()


def _encode_header(text: object) -> str:
    """Headers are ASCII only; other text is sent as an encoded word, which ntfy understands."""
    from email.header import Header  # noqa: PLC0415

    plain = str(text)
    return plain if plain.isascii() else Header(plain, "utf-8").encode()


def _post_request(url: str, data: bytes, headers: dict[str, str]) -> None:
    from urllib.error import HTTPError, URLError  # noqa: PLC0415
    from urllib.request import Request, urlopen  # noqa: PLC0415

    request = Request(url, data, {"User-Agent": "hookwright", **headers}, method="POST")  # noqa: S310  http(s) only
    try:
        with urlopen(request, timeout=TRY_S) as answer:  # noqa: S310
            answer.read(1 << 16)
    except HTTPError as error:
        error.close()
        raise SendError(f"the server answered {error.code}", retry=error.code >= 500 or error.code == 429) from None
    except (URLError, OSError) as error:
        reason = getattr(error, "reason", error)
        raise SendError(truncate_text(one_line(str(reason) or type(error).__name__, 160), 160), retry=True) from None


def _send_by_apprise(url: str, job: Mapping[str, Any]) -> None:
    try:
        import apprise  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415
    except ImportError:
        raise SendError("this kind of URL needs apprise; try: pip install 'hookwright[notify]'") from None
    import logging  # noqa: PLC0415

    logging.getLogger("apprise").setLevel(logging.CRITICAL + 1)  # its log would contain the URL with its secrets
    sender = apprise.Apprise()
    if not sender.add(url):
        raise SendError("apprise does not understand this URL")
    if not sender.notify(title=str(job["title"]), body=str(job["body"])):
        raise SendError("apprise could not deliver it", retry=True)


def record_failure(state: object, why: str) -> None:
    """Record a failure in the journal, and for a message to the user at the end of the next turn."""
    if not isinstance(state, str):
        return
    from hookwright.proc.atomic_write import write_atomic  # noqa: PLC0415
    from hookwright.protocol.json import dumps  # noqa: PLC0415
    from hookwright.store.journal import append  # noqa: PLC0415
    from hookwright.store.paths import make_private  # noqa: PLC0415

    append(state, time.time(), {"event": None, "problem": f"notify: {why}"}, dumps)
    if make_private(f"{state}/notify"):
        write_atomic(f"{state}/notify/failed", why.encode("utf-8", "replace"))
