"""Random settings files: any nesting, spelling, spacing and order, with hooks of other tools everywhere."""

import json

from hypothesis import HealthCheck, strategies as st

OURS = "/opt/ours/python"
# No test may fail because the machine is slow.
NO_TIMING = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}
OTHER_EVENTS = ("PreToolUse", "PostToolUse", "Stop", "SessionStart", "Notification", "UserPromptSubmit", "FutureEvent")


def is_ours(handler):
    return handler.get("command") == OURS


def our_handler(form=1):
    return {"type": "command", "command": OURS, "args": ["-I", "-S", f"form {form}"], "timeout": 5}


WORDS = st.text(max_size=8) | st.sampled_from(["é", "\u2028", "\U0001f600", 'a"b\\c', "/x/", "\t", "\x7f", "ß\ud800"])
SCALARS = st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.sampled_from([1.5, -0.0, 1e300]) | WORDS
KEYS = st.text('abcxyz é/\\"\n', max_size=5).map(lambda text: "x-" + text)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=6
)
HANDLERS = st.one_of(
    st.builds(
        lambda words, extra: {**extra, "type": "command", "command": words},
        WORDS,
        st.dictionaries(KEYS, SCALARS, max_size=2),
    ),
    st.builds(lambda number: {"type": "http", "url": f"http://h/{number}", "timeout": number + 1}, st.integers(0, 9)),
    st.just({"type": "prompt", "prompt": "é $ARGUMENTS"}),
)
MATCHERS = st.sampled_from([None, "", "*", "Bash", "Edit|Write", "mcp__.*", "^x(", "日本"])


def group(handlers, matcher, remark):
    made = {"hooks": handlers} if matcher is None else {"matcher": matcher, "hooks": handlers}
    return {**remark, **made}


GROUPS = st.builds(group, st.lists(HANDLERS, max_size=3), MATCHERS, st.dictionaries(KEYS, SCALARS, max_size=1))
EVENT_LISTS = st.none() | st.lists(GROUPS, max_size=3)
HOOKS = st.none() | st.dictionaries(st.sampled_from(OTHER_EVENTS), EVENT_LISTS, max_size=4)
MEMBERS = st.fixed_dictionaries(
    {},
    optional={
        "hooks": HOOKS,
        "permissions": st.just({"allow": ["Bash(git *)"], "deny": [], "defaultMode": "plan"}),
        "env": st.dictionaries(st.sampled_from(["A", "B"]), WORDS, max_size=2),
        "model": WORDS,
        "$schema": st.just("https://json.schemastore.org/claude-code-settings.json"),
    },
)


class Writer:
    """Writes JSON with the habits of a person: the client's, a minimiser's, or none at all."""

    def __init__(self, random, habit):
        self.random, self.habit = random, habit

    def space(self):
        return "".join(self.random.choices([" ", "\t", "\n", "\r\n", ""], k=self.random.randrange(4)))

    def text(self, value):
        if self.habit == "wild":
            return self.space() + self.wild(value) + self.space()
        return {
            "client": lambda: json.dumps(value, indent=2, ensure_ascii=False) + "\n",
            "tabs": lambda: json.dumps(value, indent="\t").replace("\n", "\r\n"),
            "dense": lambda: json.dumps(value, separators=(",", ":"), ensure_ascii=False),
            "line": lambda: json.dumps(value) + "\n",
            "brackets": lambda: json.dumps(value, indent=4).replace("[\n", "[").replace("\n]", "]"),
        }[self.habit]()

    def wild(self, value):
        gap = self.space
        if isinstance(value, dict):
            members = [f"{gap()}{self.string(k)}{gap()}:{gap()}{self.wild(v)}{gap()}" for k, v in value.items()]
            return "{" + ",".join(members) + ("" if members else gap()) + "}"
        if isinstance(value, list):
            elements = [f"{gap()}{self.wild(v)}{gap()}" for v in value]
            return "[" + ",".join(elements) + ("" if elements else gap()) + "]"
        return self.string(value) if isinstance(value, str) else json.dumps(value)

    def string(self, value):
        plain = json.dumps(value, ensure_ascii=self.random.random() < 0.5)
        if self.random.random() < 0.3 and value.isascii() and value.isalnum():
            return '"' + "".join(f"\\u{ord(char):04X}" for char in value) + '"'
        return plain.replace("/", "\\/") if self.random.random() < 0.3 else plain


HABITS = ("client", "tabs", "dense", "line", "brackets", "wild", "wild")


@st.composite
def settings_texts(draw, hooks=None):
    """The text of a settings file that the client accepts."""
    values = {**draw(st.dictionaries(KEYS, VALUES, max_size=3)), **draw(MEMBERS)}
    if hooks is not None:
        values["hooks"] = draw(hooks)
    random = draw(st.randoms(use_true_random=False))
    keys = list(values)
    random.shuffle(keys)
    text = Writer(random, draw(st.sampled_from(HABITS))).text({key: values[key] for key in keys})
    return draw(st.sampled_from([text, text, text, text, "", " \n", "{}", "{ }\n"]))


def with_ours(values):
    """A hooks object in which older forms of our handler stand somewhere among the strangers."""

    @st.composite
    def built(draw):
        hooks = draw(values) or {}
        for _ in range(draw(st.integers(1, 3))):
            event = draw(st.sampled_from(OTHER_EVENTS[:4]))
            groups = hooks[event] = hooks.get(event) or []
            if not groups or draw(st.booleans()):
                groups.append(group([], draw(MATCHERS), {}))
            handlers = draw(st.sampled_from(groups))["hooks"]
            handlers.insert(draw(st.integers(0, len(handlers))), our_handler(draw(st.integers(0, 1))))
        return hooks

    return built()
