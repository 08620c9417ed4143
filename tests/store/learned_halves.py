"""Learn from the first half of made sessions, decide the calls of the second half, and count."""

from dataclasses import dataclass, field

from hookwright.hooks.auto_background.hook import AutoBackground
from hookwright.hooks.base import World
from hookwright.store import refresh
from hookwright.store.learn import learn
from hookwright.store.transcripts import find_transcripts
from hookwright.testing.builders import bash
from tests.store.made_sessions import make_sessions

QUICK_S = 5.0


@dataclass
class Score:
    """What one policy did with the calls of the second half."""

    decided: list[tuple[bool, float]] = field(default_factory=list)  # moved?, true seconds
    quick_seen: int = 0
    quick_moved: int = 0

    @property
    def moved(self) -> int:
        return sum(moved for moved, _ in self.decided)

    def precision(self, long_s: float) -> float:
        right = sum(seconds >= long_s for moved, seconds in self.decided if moved)
        return right / self.moved if self.moved else 1.0

    def recall(self, long_s: float) -> float:
        long = [moved for moved, seconds in self.decided if seconds >= long_s]
        return sum(long) / len(long) if long else 1.0


def measure_halves(folder, policies, seed=4):
    """Policy → score, and `calls`: how many were decided."""
    first, second = make_sessions(folder / "claude", seed)
    state = folder / "state"
    store, _ = refresh.open_ledger(str(state))
    now = second[0].time
    learn(store, find_transcripts(str(folder / "claude")), now=now)
    refresh.refresh(store, str(state), now)
    store.close()
    seen = {(call.project, call.command) for call in first}
    found = {"calls": len(second)}
    verdicts = {}
    for name, options in policies.items():
        score = found[name] = Score()
        for call in second:
            place = (name, call.project, call.command)
            if place not in verdicts:
                world = World(state=str(state), project=call.project, now=call.time)
                event = bash(call.command, cwd=call.project)
                verdicts[place] = AutoBackground(world, **options).classify_command(event, call.command)[0]
            moved = verdicts[place] == "force"
            score.decided.append((moved, call.seconds))
            if call.seconds < QUICK_S and (call.project, call.command) in seen:
                score.quick_seen += 1
                score.quick_moved += moved
    return found
