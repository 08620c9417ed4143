"""The sender: one message to every way that is configured, in a process of its own.

job on stdin → desktop, sound, services → gone after at most half a minute
A way that fails is tried again a little; what is lost in the end is noted for the next time the user is there.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from typing import TYPE_CHECKING, Any

from hookwright.work.programs import Job, run_one
from hookwright.work.words import cut, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import FrameType

LONGEST_S = 30
TRY_S = 5.0
PAUSES_S = (1.0, 3.0)  # before the second and the third try
SOUNDS = (
    ("afplay", "/System/Library/Sounds/Glass.aiff"),
    ("pw-play", "/usr/share/sounds/freedesktop/stereo/complete.oga"),
    ("paplay", "/usr/share/sounds/freedesktop/stereo/complete.oga"),
    ("aplay", "/usr/share/sounds/alsa/Front_Center.wav"),
)
_APPLE = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run"


class Lost(Exception):
    """A way did not work; the text says why. `again`: another try may help."""

    def __init__(self, why: str, *, again: bool = False) -> None:
        super().__init__(why)
        self.again = again


def main() -> None:
    def late(number: int, frame: FrameType | None) -> None:
        raise Lost("it took too long")

    job = json.loads(sys.stdin.read())
    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, LONGEST_S, 2)  # then two seconds for each way that is left
    lost = send(job)
    signal.setitimer(signal.ITIMER_REAL, 0)
    if lost:
        note(job.get("state"), "; ".join(lost))


def send(job: Mapping[str, Any], pauses: tuple[float, ...] = PAUSES_S) -> list[str]:
    """Send to all ways; what did not work."""
    lost = []
    for name, way in ways_of(job):
        try:
            attempt(way, pauses)
        except Lost as problem:
            lost.append(f"{name}: {problem}")
        except Exception as problem:  # noqa: BLE001  one way's failure is never the others'
            lost.append(f"{name}: {type(problem).__name__}: {one_line(str(problem), 200)}")
    return lost


def attempt(way: Callable[[], None], pauses: tuple[float, ...]) -> None:
    for pause in (*pauses, None):
        try:
            way()
        except Lost as problem:
            if not problem.again or pause is None:
                raise
            time.sleep(pause)
        else:
            return


def ways_of(job: Mapping[str, Any]) -> Iterator[tuple[str, Callable[[], None]]]:
    title, body = str(job["title"]), str(job["body"])
    if "desktop" in job["ways"]:
        yield "desktop", lambda: to_desktop(title, body)
    if "sound" in job["ways"]:
        yield "sound", lambda: play(str(job.get("sound_file") or ""))
    for reference in job["urls_from"]:
        try:
            urls = urls_of(reference)
        except Lost as problem:
            yield reference, _raiser(problem)
            continue
        for url in urls:
            yield safe_name(url), _poster(url, job)


def _raiser(problem: Lost) -> Callable[[], None]:
    def way() -> None:
        raise problem

    return way


def _poster(url: str, job: Mapping[str, Any]) -> Callable[[], None]:
    return lambda: to_url(url, job)


def urls_of(reference: str) -> list[str]:
    """The URLs behind `env:VARIABLE` or `keyring:NAME`; none if the variable is not set."""
    kind, _, name = reference.partition(":")
    if kind == "env":
        return os.environ.get(name, "").split()
    for command in (
        ["security", "find-generic-password", "-s", "hookwright", "-a", name, "-w"],
        ["secret-tool", "lookup", "service", "hookwright", "name", name],
    ):
        result = run_one(Job(command, cwd="/", seconds=TRY_S))
        if result.ok and result.stdout.strip():
            return result.stdout.decode("utf-8", "replace").split()
    raise Lost("nothing is stored under this name, or there is no keyring here")


def safe_name(url: str) -> str:
    """The service without its secrets: scheme and host."""
    scheme, _, rest = url.partition("://")
    host = rest.rpartition("@")[2] if "@" in rest.partition("/")[0] else rest
    host = host.partition("/")[0].partition("?")[0]
    return one_line(f"{scheme}://{host}" if scheme in ("http", "https", "json", "jsons") else scheme, 60)


# --- ways


def to_desktop(title: str, body: str) -> None:
    escaped = body.replace("&", "&amp;").replace("<", "&lt;")
    problem = ""
    for command in (
        ["osascript", "-e", _APPLE, title, body],
        ["notify-send", "--app-name=Claude Code", "--", title, escaped],
        ["kdialog", "--title", title, "--passivepopup", body, "10"],
    ):
        result = run_one(Job(command, cwd="/", seconds=TRY_S))
        if result.ok:
            return
        if not result.could_not_start:
            problem = result.problem or one_line(result.stderr, 160) or f"exit code {result.code}"
    raise Lost(problem or "no program here shows notifications (notify-send, osascript)")


def play(file: str) -> None:
    problem = ""
    for program, usual in SOUNDS:
        result = run_one(Job([program, os.path.expanduser(file) if file else usual], cwd="/", seconds=TRY_S))
        if result.ok:
            return
        if not result.could_not_start:
            problem = result.problem or one_line(result.stderr, 160) or f"exit code {result.code}"
    raise Lost(problem or "no program here plays sounds (pw-play, paplay, aplay, afplay)")


def to_url(url: str, job: Mapping[str, Any]) -> None:
    """One service: ntfy and plain http by ourselves, everything else through apprise."""
    scheme = url.partition("://")[0].lower()
    if scheme in ("ntfy", "ntfys"):
        _post(*ntfy_request(url, job))
    elif scheme in ("http", "https", "json", "jsons"):
        _post(*json_request(url, job))
    else:
        _by_apprise(url, job)


def ntfy_request(url: str, job: Mapping[str, Any]) -> tuple[str, bytes, dict[str, str]]:
    from urllib.parse import unquote, urlsplit  # noqa: PLC0415

    parts = urlsplit(url)
    place, topic = parts.netloc.rpartition("@")[2], parts.path.strip("/")
    secure = parts.scheme == "ntfys" or not topic
    if not topic:
        place, topic = "ntfy.sh", place  # ntfy://topic means the public server
    headers = {"Title": _header(job["title"]), "Tags": "robot"}
    if parts.username:
        headers["Authorization"] = _basic(unquote(parts.username), unquote(parts.password or ""))
    return f"{'https' if secure else 'http'}://{place}/{topic}", str(job["body"]).encode(), headers


def json_request(url: str, job: Mapping[str, Any]) -> tuple[str, bytes, dict[str, str]]:
    """A JSON object; `text` is what Slack, Mattermost and their like look for."""
    from urllib.parse import unquote, urlsplit, urlunsplit  # noqa: PLC0415

    parts = urlsplit(url)
    scheme = {"json": "http", "jsons": "https"}.get(parts.scheme, parts.scheme)
    headers = {"Content-Type": "application/json"}
    if parts.username:
        headers["Authorization"] = _basic(unquote(parts.username), unquote(parts.password or ""))
    place = parts.netloc.rpartition("@")[2]
    words = {"title": job["title"], "message": job["body"], "text": f"{job['title']}: {job['body']}"}
    rest = {key: job.get(key) for key in ("kind", "project", "session_id", "time")}
    target = urlunsplit((scheme, place, parts.path, parts.query, ""))
    return target, json.dumps({**words, **rest}).encode(), headers


def _basic(user: str, password: str) -> str:
    from base64 import b64encode  # noqa: PLC0415

    return "Basic " + b64encode(f"{user}:{password}".encode()).decode()


def _header(text: object) -> str:
    """A header may only hold ASCII; anything else goes as an encoded word, which ntfy understands."""
    from email.header import Header  # noqa: PLC0415

    plain = str(text)
    return plain if plain.isascii() else Header(plain, "utf-8").encode()


def _post(url: str, data: bytes, headers: dict[str, str]) -> None:
    from urllib.error import HTTPError, URLError  # noqa: PLC0415
    from urllib.request import Request, urlopen  # noqa: PLC0415

    request = Request(url, data, {"User-Agent": "hookwright", **headers}, method="POST")  # noqa: S310  http(s) only
    try:
        with urlopen(request, timeout=TRY_S) as answer:  # noqa: S310
            answer.read(1 << 16)
    except HTTPError as error:
        error.close()
        raise Lost(f"the server answered {error.code}", again=error.code >= 500 or error.code == 429) from None
    except (URLError, OSError) as error:
        reason = getattr(error, "reason", error)
        raise Lost(cut(one_line(str(reason) or type(error).__name__, 160), 160), again=True) from None


def _by_apprise(url: str, job: Mapping[str, Any]) -> None:
    try:
        import apprise  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415
    except ImportError:
        raise Lost("this kind of service needs apprise: install hookwright[notify]") from None
    import logging  # noqa: PLC0415

    logging.getLogger("apprise").setLevel(logging.CRITICAL + 1)  # its log would repeat the URL with its secrets
    sender = apprise.Apprise()
    if not sender.add(url):
        raise Lost("apprise does not understand this URL")
    if not sender.notify(title=str(job["title"]), body=str(job["body"])):
        raise Lost("apprise could not deliver it", again=True)


def note(state: object, why: str) -> None:
    """For the user, the next time that a turn ends; and for the record."""
    if not isinstance(state, str):
        return
    from hookwright.protocol.json import dumps  # noqa: PLC0415
    from hookwright.state.journal import append  # noqa: PLC0415
    from hookwright.state.paths import make_private  # noqa: PLC0415

    append(state, time.time(), {"event": None, "problem": f"notify: {why}"}, dumps)
    if make_private(f"{state}/notify"):
        with open(f"{state}/notify/failed", "w", encoding="utf-8") as file:
            file.write(why)
