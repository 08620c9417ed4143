"""The labelled lines: commands with a secret between ⟦ and ⟧, and harmless ones."""

import random
import re
import string
from pathlib import Path

ALPHABETS = {
    "a": string.ascii_letters + string.digits,
    "h": "0123456789abcdef",
    "u": string.ascii_uppercase + "234567",
    "d": string.digits,
}
_MARKED = re.compile("⟦(.*?)⟧", re.DOTALL)


def read_lines(name):
    """The lines of a set; `{a36}` is filled with characters of chance, the same in every run."""
    chance = random.Random(5)

    def characters(found):
        return "".join(chance.choices(ALPHABETS[found[1]], k=int(found[2])))

    text = Path(__file__).parent.joinpath("labelled", f"{name}.txt").read_text()
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [re.sub(r"\{([ahud])(\d+)\}", characters, line).replace("\\n", "\n") for line in lines]


def read_secrets():
    """Commands, each with its secrets; of a secret of several lines, each line."""
    found = []
    for line in read_lines("secrets"):
        secrets = [part for secret in _MARKED.findall(line) for part in secret.split("\n") if part]
        found.append((_MARKED.sub(r"\1", line), secrets))
    return found
