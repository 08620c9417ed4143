"""Questions: what the user has decided once is not asked again; every question and answer is logged.

payload → event → [this hook] → decision → stdout
Answers only with `allow` and the full `answers` together, says so to the user and to Claude, and stays silent
otherwise, so that the dialog is shown. One-way doors are always asked.
"""

from __future__ import annotations

from hookwright.hooks.base import Hook, is_headless
from hookwright.options import MODES, option
from hookwright.protocol.decisions import Decision
from hookwright.protocol.events.result import PostToolUse
from hookwright.protocol.events.tool import PreToolUse
from hookwright.questions import files, marks, rows
from hookwright.questions.preferences import ANSWER, Place
from hookwright.questions.question import read
from hookwright.questions.settle import ASK, DENY, UNDECIDED, Part, Settled, settle
from hookwright.questions.text import clipped
from hookwright.state.paths import config_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookwright.questions.preferences import Preference

TOOLS = ("AskUserQuestion", "mcp__*__AskUserQuestion")
_LOOSEST_FIRST = ("recommended", "deny", "ask")
_SHOWN = 160  # characters of a question in a message


class Questions(Hook):
    """Answer questions that the user has decided; log every question."""

    on = ((PreToolUse, *TOOLS), (PostToolUse, *TOOLS))
    section = "questions"
    mode: str = option(
        "on",
        choices=MODES,
        tighter=("on", "shadow", "off"),  # a project may silence it, never make it answer
        help="on, off, or shadow: decides and records what it would have answered, but answers nothing.",
    )
    presence: str = option(
        "present",
        choices=("present", "away"),
        tighter=("away", "present"),
        help="present, or away: then `away` says what becomes of undecided questions. "
        "`hookwright questions presence away --for 2h` does the same for a while.",
    )
    away: str = option(
        "ask",
        choices=UNDECIDED,
        tighter=_LOOSEST_FIRST,
        help="Undecided questions while you are away: ask; recommended: take the recommended option; deny: Claude is "
        "told to go on in prose.",
    )
    headless: str = option(
        "ask",
        choices=UNDECIDED,
        tighter=_LOOSEST_FIRST,
        help="The same for runs without a person (claude -p, SDK).",
    )
    one_way: tuple[str, ...] = option(
        (),
        help="More words or phrases that make a question a one-way door, which is always asked.",
    )

    def decide(self, event: PreToolUse | PostToolUse) -> Decision | None:
        if event.hook_event_name == "PostToolUse":
            self._log(event)
            return None
        return self._judge(event)

    # --- before the question is asked
    def _judge(self, event: PreToolUse | PostToolUse) -> Decision | None:
        questions = read(event.tool_input)
        if not questions:
            self.world.facts["questions_unread"] = True
            return None
        presence, scopes, problem = self._decided(event)
        settled = settle(
            questions,
            scopes,
            now=self.world.now,
            place=_place(event),
            used=lambda preference: marks.used(self.world.state, preference),
            undecided=self._undecided(presence),
            own_words=self.one_way,
        )
        if event.tool_input.get("answers"):
            _ask_all(settled, "the call brings answers of its own")
        decision = self._said(event, settled, presence)
        self.world.facts["questions"] = [rows.asked_row(part, len(questions)) for part in settled.parts]
        return self._complaint(event, problem) if problem else decision

    def _decided(self, event: PreToolUse | PostToolUse) -> tuple[str, list[list[Preference]], str]:
        """Presence, the preferences that count here, the nearest first, and what is wrong with their files."""
        presence = "headless" if is_headless(self.world.env) else self.presence
        config = config_dir(self.world.env)
        if config is None:
            return presence, [], ""
        start: Any = self.world.project or event.cwd
        try:
            user = files.load(files.user_file(config))
            paths = files.project_files(config, start, self.world.home) if isinstance(start, str) else []
            scopes = [*map(files.load, paths), user]
        except files.Unusable as problem:
            self.world.facts["questions_problem"] = str(problem)
            return presence, [], str(problem)
        if presence == "present" and files.is_away(user, self.world.now):
            presence = "away"
        return presence, [scope["preferences"] for scope in scopes], ""

    def _complaint(self, event: PreToolUse | PostToolUse, problem: str) -> Decision | None:
        """Tell it once a session."""
        from hookwright.state import limits  # noqa: PLC0415  hardly ever needed

        if not limits.once(limits.scope(self.world.state, event.session_id), "questions-unusable"):
            return None
        return Decision(
            message=f"{problem}; until it is mended every question is asked. Try: hookwright questions list"
        )

    def _undecided(self, presence: str) -> str:
        return {"away": self.away, "headless": self.headless}.get(presence, ASK)

    def _said(self, event: PreToolUse | PostToolUse, settled: Settled, presence: str) -> Decision | None:
        shadow = self.mode == "shadow"
        if settled.verdict == ANSWER and not shadow and not self._count(settled):
            _ask_all(settled, "its preference is used up")
        by = [_by(part, presence) if settled.verdict == ANSWER and not shadow else None for part in settled.parts]
        mark = {
            "asked": self.world.now,
            "presence": presence,
            "shadow": shadow,
            "parts": [
                {
                    "by": who,
                    "preference": _named(part, presence) if who else None,
                    "answer": part.answer if who else None,
                    "would": _would(part, settled, presence) if shadow else None,
                }
                for part, who in zip(settled.parts, by, strict=True)
            ],
        }
        left = marks.leave(self.world.state, event.session_id, event.tool_use_id, self.world.now, mark)
        if settled.verdict == DENY:
            return _denied(settled, presence)
        if settled.verdict != ANSWER:
            return None
        if not left:
            # Whoever reads the log must be able to tell our answer from the user's.
            _ask_all(settled, "the answer could not be recorded")
            return None
        return _answered(settled, presence)

    def _count(self, settled: Settled) -> bool:
        """Count this use where a preference may be used so often only."""
        limited = [part.preference for part in settled.parts if part.preference and part.preference.get("uses")]
        counted = [marks.use(self.world.state, preference["id"], preference["uses"]) for preference in limited]
        return all(counted)

    # --- after it is answered
    def _log(self, event: PreToolUse | PostToolUse) -> None:
        questions = read(event.tool_input)
        if not questions:
            self.world.facts["questions_unread"] = True
            return
        mark = marks.take(self.world.state, event.session_id, event.tool_use_id, self.world.now)
        answers, notes = rows.answers_in(event.raw.get("tool_response"), questions)
        left = mark.get("parts")
        parts = left if isinstance(left, list) and len(left) == len(questions) else [{}] * len(questions)
        unread = not answers and event.tool_name.startswith("mcp__")  # a server that says nothing we can read
        found = []
        for question, ours in zip(questions, parts, strict=True):
            answer = ours.get("answer") if unread else answers.get(question.text)
            part = Part(question).look_for_door(self.one_way)
            found.append(rows.answered_row(part, len(questions), answer, notes.get(question.text, ""), ours))
        self.world.facts["questions"] = found
        self.world.facts["presence"] = mark.get("presence")
        self.world.facts["shadow"] = mark.get("shadow") is True
        asked = mark.get("asked")
        if isinstance(asked, (int, float)):
            self.world.facts["waited_ms"] = max(0, int((self.world.now - asked) * 1000))


def _place(event: PreToolUse | PostToolUse) -> Place:
    server = None
    if event.tool_name.startswith("mcp__"):
        server = event.tool_name[5:].partition("__")[0]

    def skill() -> str | None:
        from hookwright.questions.skill import current  # noqa: PLC0415  only preferences bound to a skill ask

        return current(event.transcript_path, event.tool_use_id)

    return Place(event.agent_type, server, skill)


def _ask_all(settled: Settled, why: str) -> None:
    for part in settled.parts:
        part.asked(why)
    settled.verdict = ASK


def _by(part: Part, presence: str) -> str:
    """Who answers this: a preference of the user's (being away is one), or the headless run's setting."""
    return rows.PREFERENCE if part.preference is not None or presence == "away" else rows.HEADLESS


def _named(part: Part, presence: str) -> str | None:
    if part.preference is not None:
        return str(part.preference["id"])
    return "away" if presence == "away" else None


def _would(part: Part, settled: Settled, presence: str) -> dict[str, Any] | None:
    """What would have been answered, had it been switched on."""
    if settled.verdict != ANSWER:
        return None
    return {"answer": clipped(part.answer, rows.ANSWER), "preference": _named(part, presence)}


def _source(part: Part, presence: str) -> str:
    if part.preference is not None:
        return f"preference {part.preference['id']}, {part.preference.get('scope', 'user')}"
    return f"questions.{presence} = recommended"


def _told(part: Part, presence: str) -> str:
    question, answer = clipped(part.question.text, _SHOWN), clipped(part.answer, _SHOWN)
    return f"\u201c{question}\u201d \u2192 {answer} ({_source(part, presence)})"


def _answered(settled: Settled, presence: str) -> Decision:
    listed = "; ".join([_told(part, presence) for part in settled.parts])
    return Decision(
        "allow",
        f"answered as decided before: {listed}",
        changes={"answers": settled.answers},
        message=f"answered for you: {listed}. To take it back: hookwright questions undo",
        context=f"The user did not see this dialog; a standing preference of the user answered: {listed}. "
        "It is the user's decision, so do not ask it again. If this case looks different from what the user "
        "can have meant, say so before you act on it.",
    )


def _denied(settled: Settled, presence: str) -> Decision:
    decided = [
        f"\u201c{clipped(part.question.text, _SHOWN)}\u201d is decided: {clipped(part.answer, _SHOWN)}"
        for part in settled.parts
        if part.verdict == ANSWER
    ]
    who = "The user is away" if presence == "away" else "Nobody is there to answer in this run"
    known = f" {'; '.join(decided)}." if decided else ""
    return Decision(
        "deny",
        f"{who} and wants no dialogs now.{known} Do not ask with this tool again; go on in prose: write the question, "
        "its options and what you recommend into your reply, do whatever does not depend on it, and leave undone what "
        "cannot be taken back.",
    )
