"""What the name of a script or task promises: `npm run test:e2e`, `make deploy`, `./run_tests.sh`, `python train.py`.

node.py, builds.py, scripts.py → [this, for names that people choose] → row
A name is a hint, not a proof: where the project says what the task runs, that is classified instead (duration.py). The
lists of words are texts: to build sets of five hundred words would cost more than all searches in them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hookwright.shell.programs import Row

# A task that only prints, tidies or stops something is quick, whatever else is in its name.
QUIET = (
    " version versions help list ls show print info status stats lint lints linter eslint format fmt formatter "
    "prettier clean stop kill down reset tidy bump doctor config configs env envs hello echo login logout diff "
    "todo todos changelog summary inspect describe validate count size licenses license outdated why open prune "
    "tag restart reload hook hooks husky commit commitlint precommit whoami ping health healthcheck readme toc "
    "sort rename copy parse check checks ps summarize summarise compare find view fix "
)
# As the first word of a name these act on what the other words name: modify_server.py changes the server's code,
# delete-test-entities runs no test.
ACTS = (
    " modify edit update patch create delete remove add rename replace rewrite refactor insert append adjust correct "
    "get set read write move extract inject comment uncomment disable enable tweak change cleanup clear drop purge "
    "wipe archive register unregister grant revoke assign explain apply configure probe ask dump "
)
# Files of these kinds are no programs: `server.pem`.
DATA = (
    " pem key crt cert csr json yaml yml toml ini conf cfg env md txt rst log csv tsv xml html css svg png jpg jpeg "
    "pdf lock sql db sqlite sqlite3 bak orig tmp pid sock "
)
# With these a lint task covers the whole project; lint:css and lint-docs only a small part of it.
LINTED = " lint fix all ci check strict js ts code src py go "
ENDLESS = " serve server servers runserver devserver worker workers daemon bot consumer listener "
# As the name of a task these start something that keeps running; as the name of a script file some only may.
STARTS = " studio dev develop start serve server preview storybook emulators emulator tunnel playground "
# With one of these a task only prepares such a program, or starts it in the background: dev:setup, db:start.
BESIDE = (
    " setup install deps requirements env venv seed migrate migrations generate deploy db database docker services "
    "infra redis postgres containers sync init types "
)
# Words that make a script about models a quick one: train_test_split, training_curves.
ASIDE = " split utils util helpers metrics curve curves log logs viz visualize table tables data labels "
TESTS = " test tests spec specs unit unittest unittests testsuite coverage cov jest vitest pytest "
BROWSERS = " e2e cy cypress playwright integration acceptance regression selenium "
BUILDS = (
    " build builds rebuild compile bundle dist make package pack image docs site wheel apk ipa bin binary all "
    "assemble precompile prod production artifacts "
)
TRAINS = " train training trainer finetune finetuning pretrain pretraining "
EXPERIMENTS = (
    " experiment experiments sweep sweeps ablation ablations hpo hyperopt hyperparam hyperparams hyperparameter "
    "hyperparameters gridsearch sft dpo ppo grpo rlhf lora qlora clm mlm glue distill "
)
# A program with one of these in its name is a server, unless a word of TOOLS makes it a tool for the server.
SERVICES = ENDLESS + (
    "api apis gateway web webapp website backend proxy scheduler grpc http rest service services microservice "
    "relay broker dashboard indexer watcher webhook webhooks subscriber processor "
)
TOOLS = (
    " client clients config configs info cli gen generate generator codegen migrate migrations migration seed test "
    "tests check lint tool tools util utils types schema bench example examples dump export import validate "
    "version "
)
# `npm run web`: a part of the application, if it is the whole name.
SIDES = ("api", "web", "frontend", "backend", "client", "mobile", "website", "webapp", "gateway", "proxy")
APPS = " android ios desktop electron tauri "
# A script file with `dev` in its name is a server only if all its words are in here: dev.sh, run-dev-server.sh.
DEVELOPS = ENDLESS + ("dev run start serve local web api up app all launch docker compose main ")
VIEWS = " dash dashboard gradio streamlit app main run ui web demo my "
ONE_TEST = ("test", "spec")
RUNNING = ("run", "all", "full", "integration", "e2e")
GENERIC = ("index", "main", "app", "__main__", "run", "cli", "start")
LONG = (
    " deploy deployment release publish migrate migrations migration seed seeder import importer export exporter "
    "ingest ingestion etl backfill crawl crawler scrape scraper sync synchronize download downloads fetch "
    "preprocess process processing pipeline batch simulate simulation simulations sim benchmark benchmarks bench "
    "perf stress fuzz loadtest load generate generator codegen gen index reindex setup bootstrap install "
    "provision backup restore ci evaluate evaluation eval inference infer predict analyze analyse analysis "
    "convert transcode encode render optimize optimise embed embeddings typecheck tsc types typing experiment "
    "experiments sweep tune transform warehouse collect upgrade populate replay rollout e2e verify everything "
    "main app up upload mirror warmup rotate cron job jobs audit mutation solve report reports profile quality "
    "cloud infra terraform "
)


def holds_any(text: str, words: Iterable[str]) -> bool:
    """Whether one of these words is in a list that is written as text."""
    return any(" " + word + " " in text for word in words)


def holds_all(text: str, words: Iterable[str]) -> bool:
    return all(" " + word + " " in text for word in words)


def split_name(name: str) -> list[str]:
    """The words of a name: `test:e2e`, `run_tests`, `startServer`, `db.migrate`."""
    words: list[str] = []
    word = ""
    for c in name:
        if not c.isalnum():
            if word:
                words.append(word)
            word = ""
        elif c.isupper() and word and not word[-1].isupper():
            words.append(word.lower())
            word = c
        else:
            word += c
    if word:
        words.append(word)
    return [word.lower() for word in words]


def is_server_name(name: str) -> bool:
    """Whether a program of the project is a server by its name: `./cmd/api`, `Acme.Web`, `order-worker`."""
    words = split_name(name)
    return holds_any(SERVICES, words) and not holds_any(TOOLS, words)


def classify_task_name(name: str, *, tier: str = "suggest") -> Row | None:
    """The row of a task by its name. `tier`: the verdict of a plain `build` or `test` (npm: force, make: suggest)."""
    words = split_name(name)
    if not words:
        return None
    has = set(words)
    if "watch" in has or "watcher" in has:
        return "force", "watch", "watches for changes"
    if words[0] in {"menuconfig", "nconfig", "xconfig", "gconfig"}:
        return "force", "terminal", "needs a terminal"
    if not has.isdisjoint({"typecheck", "tsc", "typing"}) or {"type", "check"} <= has or {"check", "types"} <= has:
        return "suggest", "check", "checks the types of the whole project"
    if words[-1] in {"open", "ui"} and holds_any(BROWSERS, has):
        return "force", "server", "opens a window and stays"
    if words[0] == "lint" and holds_all(LINTED, words):
        return "suggest", "check", "checks the whole project"
    if holds_any(QUIET, words[:1]) or holds_any(QUIET, words[-1:]):
        whole = words[0] in {"check", "checks", "validate"} and not has.isdisjoint({"all", "everything", "ci"})
        return ("suggest", "check", "checks everything") if whole else None
    if len(words) > 1 and holds_any(ACTS, words[:1]):
        return classify_name_hints(has - {"up"}, "script")
    if not {"bench", "benchmark", "benchmarks", "benches"}.isdisjoint(has):
        return "force", "test", "runs benchmarks"
    if holds_any(BROWSERS, has):
        return ("force" if tier == "force" or "e2e" in has else "suggest"), "test", "runs end-to-end tests"
    if holds_any(TESTS, has):
        return tier, "test", "runs a test suite"
    if holds_any(BUILDS, has - {"all"} if holds_any(STARTS, words[:1]) else has):
        return tier, "build", "builds"
    if holds_any(TRAINS, has):
        return "force", "job", "trains a model"
    if holds_any(STARTS, words[:1]) or holds_any(STARTS, words[-1:]) or holds_any(ENDLESS, has):
        if holds_any(BESIDE, has) and "studio" not in has:
            return "suggest", "script", "may take long, by its name"
        return "force", "server", "starts something that stays"
    if len(words) == 1 and name in SIDES and tier == "force":
        return "force", "server", "starts something that stays"
    if holds_any(APPS, has) and tier == "force":
        return "force", "build", "builds and starts the app"
    if has & {"logs", "tail", "follow"}:
        return "suggest", "follow", "may follow a log"
    if has & {"shell", "console", "repl", "psql", "bash"}:
        return "suggest", "terminal", "may wait for a person"
    return classify_name_hints(has, "script")


def classify_script_name(path: str, *, language: str = "") -> Row | None:
    """The row of a script file by its name; `language`: that of its interpreter."""
    folder, _, stem = path.rpartition("/")
    dot = stem.rfind(".")
    name = stem[:dot] if dot > 0 else stem
    words = split_name(name)
    if name in GENERIC and holds_any(ENDLESS, split_name(folder.rpartition("/")[2])):
        return "force", "server", "starts something that stays"  # dist/server/index.js
    if name in GENERIC:
        words = [*words, *split_name(folder.rpartition("/")[2])]  # benchmark/run.py
    if not words:
        return None
    has = set(words)
    if holds_any(QUIET, has) or not has.isdisjoint({"plot", "example", "demo"}):
        return None
    if dot > 0 and " " + stem[dot + 1 :].lower() + " " in DATA:
        return None
    if len(words) > 1 and holds_any(ACTS, words[:1]):
        return classify_name_hints(has - {"up"}, "script")
    if language and len(words) > 1 and (words[0] in ONE_TEST or (words[-1] in ONE_TEST and words[0] not in RUNNING)):
        return "none", "test", "runs one test file"
    if "watch" in has or "watcher" in has:
        return "force", "watch", "watches for changes"
    if holds_any(ASIDE, has) and (holds_any(TRAINS + EXPERIMENTS, has) or "eval" in has):
        return "suggest", "job", "may take long, by its name"
    if holds_any(TRAINS, has):
        return "force", "job", "trains a model"
    if holds_any(EXPERIMENTS, has):
        return "force", "job", "runs experiments"
    if language == "python" and not has.isdisjoint({"eval", "evaluate", "evaluation"}):
        return "force", "job", "evaluates a model"
    if (holds_any(ENDLESS, has) and not holds_any(TOOLS, has)) or ("dev" in has and holds_all(DEVELOPS, has)):
        return "force", "server", "starts something that stays"
    if (
        language == "python"
        and not has.isdisjoint({"dash", "dashboard", "gradio", "streamlit"})
        and holds_all(VIEWS, has)
    ):
        return "force", "server", "starts something that stays"
    if not language and words[0] in {"fuzz", "fuzzer"}:
        return "force", "test", "fuzzes without end"
    if holds_any(TESTS, has) or holds_any(BROWSERS, has):
        return "suggest", "test", "runs tests"
    if holds_any(BUILDS, has):
        return "suggest", "build", "builds"
    if name == "run":
        return "suggest", "script", "runs the project"
    if has & {"start", "up", "launch"}:
        return "suggest", "server", "may start something that stays"
    return classify_name_hints(has, "script")


def classify_name_hints(words: set[str], work: str) -> Row | None:
    """The row of a name that suggests much data or many steps."""
    if not holds_any(LONG, words):
        return None
    return "suggest", work, "may take long, by its name"
