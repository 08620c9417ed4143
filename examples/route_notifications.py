"""A message goes where it belongs: questions to the phone, the end of work to the desktop, errors to the team.

The first route that fits runs its command, without a shell and without Claude waiting for it. {text}, {kind} and
{project} are filled in. Kinds: permission_prompt, idle_prompt and the like, done, failed.

    [[route_notifications.routes]]
    kind = "permission_prompt"
    run = ["ntfy", "publish", "ann-phone", "{text}"]

    [[route_notifications.routes]]
    kind = "done"
    project = "shop"
    run = ["notify-send", "Claude", "{text}"]
"""

from hookwright import Event, Hook, Notification, Stop, StopFailure, option
from hookwright.options import REQUIRED


class RouteNotifications(Hook):
    """Send each message to its place."""

    on = ((Notification,), (Stop,), (StopFailure,))
    routes = option(
        (),
        kind="tables",
        help="Where messages go; the first that fits.",
        columns={
            "kind": option("", help="permission_prompt, idle_prompt, …, done, failed; empty: any"),
            "project": option("", help="the name of the project's folder; empty: any"),
            "run": option(REQUIRED, kind="texts", help="the command, word by word"),
        },
    )

    def decide(self, event: Event) -> None:
        if isinstance(event, Stop) and event.waits_for():
            return  # it is not done: one of its commands still runs
        project = (self.world.project or event.cwd).rstrip("/").rpartition("/")[2]
        kind, text = message(event)
        for route in self.routes:
            if route["kind"] in ("", kind) and route["project"] in ("", project):
                start([fill(word, text=f"{project}: {text}", kind=kind, project=project) for word in route["run"]])
                return


def message(event: Event) -> tuple[str, str]:
    if isinstance(event, Notification):
        return event.notification_type, event.message
    if isinstance(event, StopFailure):
        return "failed", event.error_details or event.error
    return "done", (getattr(event, "last_assistant_message", None) or "done").strip().partition("\n")[0][:200]


def fill(word: str, **values: str) -> str:
    for name, value in values.items():
        word = word.replace("{" + name + "}", value)
    return word


def start(command: list[str]) -> None:
    """In its own session, so that it outlives us; we do not wait for it."""
    import subprocess

    quiet = subprocess.DEVNULL
    subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
