"""Questions: answer AskUserQuestion with what the user has decided before, and log every question and answer.

payload → event → [this hook] → decision → stdout
Answers with `allow` and the complete `answers`, or not at all; then the dialog is shown. The user and Claude are told
of every answer. Irreversible questions are always asked.
"""

from __future__ import annotations

from hookwright.hooks.base import Hook, is_headless
from hookwright.hooks.questions import journal_rows, pending, preference_files
from hookwright.hooks.questions.normalize import clip_text
from hookwright.hooks.questions.preferences import ANSWER, QuestionOrigin
from hookwright.hooks.questions.question import parse_questions
from hookwright.hooks.questions.resolve import ASK, DENY, UNDECIDED, CallResolution, Resolution, resolve_questions
from hookwright.options import mode_option, option
from hookwright.protocol.decisions import Decision
from hookwright.protocol.events.result import PostToolUse
from hookwright.protocol.events.tool import PreToolUse
from hookwright.store.paths import config_dir
from hookwright.store.redact import mask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookwright.hooks.questions.preferences import Preference

TOOLS = ("AskUserQuestion", "mcp__*__AskUserQuestion")
_LOOSEST_FIRST = ("recommended", "deny", "ask")
_SHOWN = 160  # characters of a question in a message


class Questions(Hook):
    """Answer questions that the user has decided; log every question."""

    on = ((PreToolUse, *TOOLS), (PostToolUse, *TOOLS))
    mode: str = mode_option(
        shadow="decides and records what it would have answered, but answers nothing",
        tighter=("on", "shadow", "off"),  # a project may silence it, never make it answer
    )
    presence: str = option(
        "present",
        choices=("present", "away"),
        tighter=("away", "present"),
        help="present, or away: then the option `away` says what happens to undecided questions. "
        "`hookwright questions presence away --for 2h` does the same for a while.",
    )
    away: str = option(
        "ask",
        choices=UNDECIDED,
        tighter=_LOOSEST_FIRST,
        help="Undecided questions while you are away. ask: show the dialog; recommended: take the recommended option; "
        "deny: tell Claude to go on without an answer.",
    )
    headless: str = option(
        "ask",
        choices=UNDECIDED,
        tighter=_LOOSEST_FIRST,
        help="The same for headless runs (claude -p, SDK).",
    )
    one_way: tuple[str, ...] = option(
        (),
        help="More words or phrases that make a question irreversible, so that it is always asked.",
    )

    def decide(self, event: PreToolUse | PostToolUse) -> Decision | None:
        if event.hook_event_name == "PostToolUse":
            self._log_answers(event)
            return None
        return self._resolve_call(event)

    # --- PreToolUse: before the dialog
    def _resolve_call(self, event: PreToolUse | PostToolUse) -> Decision | None:
        questions = parse_questions(event.tool_input)
        if not questions:
            self.world.facts["questions_unread"] = True
            return None
        presence, scopes, problem = self._read_preferences(event)
        resolved = resolve_questions(
            questions,
            scopes,
            now=self.world.now,
            origin=_build_origin(event),
            used=lambda preference: pending.count_uses(self.world.state, preference),
            undecided=self._undecided_action(presence),
            own_words=self.one_way,
        )
        if event.tool_input.get("answers"):
            _ask_all(resolved, "the call already has answers")
        decision = self._build_decision(event, resolved, presence)
        self.world.facts["questions"] = [journal_rows.asked_row(part, len(questions)) for part in resolved.parts]
        return self._warn_once(event, problem) if problem else decision

    def _read_preferences(self, event: PreToolUse | PostToolUse) -> tuple[str, list[list[Preference]], str]:
        """Presence, the preferences that apply here (project before user), and what is wrong with their files."""
        presence = "headless" if is_headless(self.world.env) else self.presence
        config = config_dir(self.world.env)
        if config is None:
            return presence, [], ""
        start: Any = self.world.project or event.cwd
        try:
            user = preference_files.load_preferences(preference_files.user_file(config))
            paths = preference_files.project_files(config, start, self.world.home) if isinstance(start, str) else []
            scopes = [*map(preference_files.load_preferences, paths), user]
        except preference_files.UnusableFile as problem:
            self.world.facts["questions_problem"] = str(problem)
            return presence, [], str(problem)
        if presence == "present" and preference_files.is_away(user, self.world.now):
            presence = "away"
        return presence, [scope["preferences"] for scope in scopes], ""

    def _warn_once(self, event: PreToolUse | PostToolUse, problem: str) -> Decision | None:
        """A message about an unusable file of preferences, once per session."""
        from hookwright.store import limits  # noqa: PLC0415  rarely needed

        if not limits.once(limits.scope(self.world.state, event.session_id), "questions-unusable"):
            return None
        return Decision(
            message=f"{problem}; every question is asked until that is fixed. Try: hookwright questions list"
        )

    def _undecided_action(self, presence: str) -> str:
        return {"away": self.away, "headless": self.headless}.get(presence, ASK)

    def _build_decision(
        self, event: PreToolUse | PostToolUse, resolved: CallResolution, presence: str
    ) -> Decision | None:
        shadow = self.mode == "shadow"
        if resolved.verdict == ANSWER and not shadow and not self._count_uses(resolved):
            _ask_all(resolved, "its preference is used up")
        by = [
            _answered_by(part, presence) if resolved.verdict == ANSWER and not shadow else None
            for part in resolved.parts
        ]
        mark = {
            "asked": self.world.now,
            "presence": presence,
            "shadow": shadow,
            "parts": [
                {
                    "by": who,
                    "preference": _preference_id(part, presence) if who else None,
                    "answer": mask(part.answer)[0] if who and part.answer else None,
                    "would": _shadow_answer(part, resolved, presence) if shadow else None,
                }
                for part, who in zip(resolved.parts, by, strict=True)
            ],
        }
        left = pending.save_mark(self.world.state, event.session_id, event.tool_use_id, self.world.now, mark)
        if resolved.verdict == DENY:
            return _build_deny(resolved, presence)
        if resolved.verdict != ANSWER:
            return None
        if not left:
            # Without this record the log could not tell our answer from the user's.
            _ask_all(resolved, "the answer could not be recorded")
            return None
        return _build_allow(resolved, presence)

    def _count_uses(self, resolved: CallResolution) -> bool:
        """Count this use of preferences with a limited number of uses; False if one is used up."""
        limited = [part.preference for part in resolved.parts if part.preference and part.preference.get("uses")]
        counted = [pending.record_use(self.world.state, preference["id"], preference["uses"]) for preference in limited]
        return all(counted)

    # --- PostToolUse: after the answer
    def _log_answers(self, event: PreToolUse | PostToolUse) -> None:
        questions = parse_questions(event.tool_input)
        if not questions:
            self.world.facts["questions_unread"] = True
            return
        mark = pending.take_mark(self.world.state, event.session_id, event.tool_use_id, self.world.now)
        answers, notes = journal_rows.parse_answers(event.raw.get("tool_response"), questions)
        left = mark.get("parts")
        parts = left if isinstance(left, list) and len(left) == len(questions) else [{}] * len(questions)
        unread = not answers and event.tool_name.startswith("mcp__")  # a response that we cannot read
        found = []
        for question, ours in zip(questions, parts, strict=True):
            answer = ours.get("answer") if unread else answers.get(question.text)
            part = Resolution(question).check_irreversible(self.one_way)
            found.append(journal_rows.answered_row(part, len(questions), answer, notes.get(question.text, ""), ours))
        self.world.facts["questions"] = found
        self.world.facts["presence"] = mark.get("presence")
        self.world.facts["shadow"] = mark.get("shadow") is True
        asked = mark.get("asked")
        if isinstance(asked, (int, float)):
            self.world.facts["waited_ms"] = max(0, int((self.world.now - asked) * 1000))


def _build_origin(event: PreToolUse | PostToolUse) -> QuestionOrigin:
    server = None
    if event.tool_name.startswith("mcp__"):
        server = event.tool_name[5:].partition("__")[0]

    def find_skill() -> str | None:
        from hookwright.hooks.questions.skill import find_current_skill  # noqa: PLC0415  only for preferences bound to a skill

        return find_current_skill(event.transcript_path, event.tool_use_id)

    return QuestionOrigin(event.agent_type, server, find_skill)


def _ask_all(resolved: CallResolution, why: str) -> None:
    for part in resolved.parts:
        part.set_ask(why)
    resolved.verdict = ASK


def _answered_by(part: Resolution, presence: str) -> str:
    """Who answers: a preference of the user (being away counts as one), or the setting for headless runs."""
    return journal_rows.PREFERENCE if part.preference is not None or presence == "away" else journal_rows.HEADLESS


def _preference_id(part: Resolution, presence: str) -> str | None:
    if part.preference is not None:
        return str(part.preference["id"])
    return "away" if presence == "away" else None


def _shadow_answer(part: Resolution, resolved: CallResolution, presence: str) -> dict[str, Any] | None:
    """What mode `on` would have answered."""
    if resolved.verdict != ANSWER:
        return None
    return {"answer": clip_text(part.answer, journal_rows.ANSWER), "preference": _preference_id(part, presence)}


def _describe_source(part: Resolution, presence: str) -> str:
    if part.preference is not None:
        return f"preference {part.preference['id']}, {part.preference.get('scope', 'user')}"
    return f"questions.{presence} = recommended"


def _format_answer(part: Resolution, presence: str) -> str:
    question, answer = clip_text(part.question.text, _SHOWN), clip_text(part.answer, _SHOWN)
    return f"\u201c{question}\u201d \u2192 {answer} ({_describe_source(part, presence)})"


def _build_allow(resolved: CallResolution, presence: str) -> Decision:
    listed = "; ".join([_format_answer(part, presence) for part in resolved.parts])
    return Decision(
        "allow",
        f"answered as decided before: {listed}",
        changes={"answers": resolved.answers},
        message=f"answered for you: {listed}. To take it back: hookwright questions undo",
        context=f"The user did not see this dialog; a standing preference of the user answered: {listed}. "
        "It is the user's decision, so do not ask it again. If this case looks different from what the user "
        "can have meant, say so before you act on it.",
    )


def _build_deny(resolved: CallResolution, presence: str) -> Decision:
    decided = [
        f"\u201c{clip_text(part.question.text, _SHOWN)}\u201d is decided: {clip_text(part.answer, _SHOWN)}"
        for part in resolved.parts
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
