"""How long will a command keep the foreground? First form: the first words of each part of a command line.

command → [judge] → ("force" | "suggest" | "none", evidence)
"""

from __future__ import annotations

_ASKING = frozenset(("--version", "--help", "--dry-run", "-h", "-V", "-v"))
_RUNNERS = frozenset(("npm", "yarn", "pnpm", "bun"))
_QUICK = frozenset(
    (
        "make -n",
        "make clean",
        "make help",
        "make format",
        "make lint",
        "make check",
        "npm run lint",
        "npm run format",
    )
)
_FORCE = {
    "installs packages": (
        "npm install,npm ci,npm add,yarn install,yarn add,pnpm install,pnpm add,bun install,bun add,pip install,"
        "pip3 install,uv sync,uv add,uv pip install,brew install,brew upgrade,brew update,apt install,apt update,"
        "apt upgrade,apt dist-upgrade,apt-get install,apt-get update,apt-get upgrade,apt-get dist-upgrade,"
        "conda install,conda update,conda create"
    ),
    "builds": (
        "npm run build,yarn run build,pnpm run build,bun run build,cargo build,docker build,docker compose build,"
        "docker compose up"
    ),
    "runs a test suite": (
        "npm test,npm run test,yarn test,yarn run test,pnpm test,pnpm run test,bun test,bun run test,cargo test,"
        "go test ./..."
    ),
    "starts a server that does not end": (
        "npm run dev,npm run start,npm run serve,npm run watch,npm start,yarn run dev,yarn run start,yarn run serve,"
        "yarn run watch,yarn start,pnpm run dev,pnpm run start,pnpm run serve,pnpm run watch,pnpm start,bun run dev,"
        "bun run start,bun run serve,bun run watch,bun start,next dev,next start,vite,flask run,uvicorn,gunicorn"
    ),
    "downloads a repository": "git clone",
}
_SUGGEST = "pytest,docker exec,docker run,wget,rsync,scp,make,tsc"


def judge(command: str) -> tuple[str, str]:
    """The longest of the command's parts decides."""
    best = ("none", "")
    for part in _parts(command):
        verdict = _judge_words(part.split())
        if verdict[0] == "force":
            return verdict
        if verdict[0] == "suggest" and best[0] == "none":
            best = verdict
    return best


def _parts(command: str) -> list[str]:
    for separator in ("&&", "||", ";", "|", "\n"):
        command = command.replace(separator, "\0")
    return command.split("\0")


def _judge_words(words: list[str]) -> tuple[str, str]:
    while words and (words[0] == "sudo" or "=" in words[0].split("/")[0]):
        words = words[1:]
    if not words or not _ASKING.isdisjoint(words) or words[-1] == "&":
        return "none", ""
    if words[0] == "sleep" and len(words) > 1 and words[1].isdigit():
        return "force", f"sleeps {words[1]} s"
    heads = [" ".join(words[:count]) for count in (3, 2, 1)]
    for head in heads:
        if head in _QUICK:
            return "none", ""
    for evidence, table in _FORCE.items():
        for head in heads:
            if head in table.split(","):
                return "force", f"`{head}` {evidence}"
    for head in heads:
        if head in _SUGGEST.split(","):
            return "suggest", f"`{head}` may take a minute or more"
    return "none", ""
