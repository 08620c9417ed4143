"""What the name of a script or task promises: `npm run test:e2e`, `make deploy`, `./run_tests.sh`, `python train.py`.

node.py, builds.py, scripts.py → [this, for names that people choose] → row
A name is a hint, not a proof: where the project tells what the task runs, that is judged instead (duration.py).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.programs import Row

# A task that only tells, tidies or stops something is quick whatever else its name holds.
QUIET = frozenset(
    (
        "version versions help list ls show print info status stats lint lints linter eslint format fmt formatter "
        "prettier clean stop kill down reset tidy bump doctor config configs env envs hello echo login logout diff "
        "todo todos changelog summary inspect describe validate count size licenses license outdated why open prune "
        "tag restart reload hook hooks husky commit commitlint precommit whoami ping health healthcheck readme toc "
        "sort rename copy parse check checks ps summarize summarise compare find view fix"
    ).split()
)
# With these a lint is still one of the whole project; lint:css and lint-docs are a small part of it.
LINTED = frozenset("lint fix all ci check strict js ts code src py go".split())
ENDLESS = frozenset("serve server servers runserver devserver worker workers daemon bot consumer listener".split())
# Of a task runner these start something that stays; as the name of a script file some of them are only likely.
STARTS = frozenset(
    "studio dev develop start serve server preview storybook emulators emulator tunnel playground".split()
)
# With one of these a task only prepares or asks for what stays: dev:setup, db:start, worker:deploy.
BESIDE = frozenset(
    "setup install deps requirements env venv seed migrate migrations generate deploy db database docker services "
    "infra redis postgres containers sync init types".split()
)
# Words that make a script about models a small one: train_test_split, training_curves.
ASIDE = frozenset(
    "split utils util helpers metrics curve curves log logs viz visualize table tables data labels".split()
)
TESTS = frozenset("test tests spec specs unit unittest unittests testsuite coverage cov jest vitest pytest".split())
BROWSERS = frozenset("e2e cy cypress playwright integration acceptance regression selenium".split())
BUILDS = frozenset(
    "build builds rebuild compile bundle dist make package pack image docs site wheel apk ipa bin binary all "
    "assemble precompile prod production artifacts".split()
)
TRAINS = frozenset("train training trainer finetune finetuning pretrain pretraining".split())
EXPERIMENTS = frozenset(
    "experiment experiments sweep sweeps ablation ablations hpo hyperopt hyperparam hyperparams hyperparameter "
    "hyperparameters gridsearch sft dpo ppo grpo rlhf lora "
    "qlora clm mlm glue distill".split()
)
# A program of the project that is named so serves, unless another word makes it a tool beside the server.
SERVICES = ENDLESS | frozenset(
    "api apis gateway web webapp website backend proxy scheduler grpc http rest service services microservice relay "
    "broker dashboard indexer watcher webhook webhooks subscriber processor".split()
)
TOOLS = frozenset(
    "client clients config configs info cli gen generate generator codegen migrate migrations migration seed test "
    "tests check lint tool tools "
    "util utils types schema bench example examples dump export import validate version".split()
)
# `npm run web`: a side of the application, named alone.
SIDES = frozenset("api web frontend backend client mobile website webapp gateway proxy".split())
APPS = frozenset("android ios desktop electron tauri".split())
# A script file about development stays only when its name says no more: dev.sh, run-dev-server.sh.
DEVELOPS = ENDLESS | frozenset("dev run start serve local web api up app all launch docker compose main".split())
VIEWS = frozenset("dash dashboard gradio streamlit app main run ui web demo my".split())
ONE_TEST = frozenset(("test", "spec"))
RUNNING = frozenset("run all full integration e2e".split())
GENERIC = frozenset("index main app __main__ run cli start".split())
LONG = frozenset(
    "deploy deployment release publish migrate migrations migration seed seeder import importer export exporter "
    "ingest ingestion etl backfill crawl crawler scrape scraper sync synchronize download downloads fetch "
    "preprocess process processing pipeline batch simulate simulation simulations sim benchmark benchmarks bench "
    "perf stress fuzz loadtest load generate generator codegen gen index reindex setup bootstrap install provision "
    "backup restore ci evaluate evaluation eval inference infer predict analyze analyse analysis convert transcode "
    "encode render optimize optimise embed embeddings typecheck tsc types typing experiment experiments sweep tune "
    "transform warehouse collect upgrade populate replay rollout e2e verify everything main app up upload mirror "
    "warmup rotate cron job jobs audit mutation solve report reports profile quality cloud infra terraform".split()
)


def parts(name: str) -> list[str]:
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


def serves(name: str) -> bool:
    """Whether a program of the project is a server by its name: `./cmd/api`, `Acme.Web`, `order-worker`."""
    words = parts(name)
    return not SERVICES.isdisjoint(words) and TOOLS.isdisjoint(words)


def task(name: str, *, tier: str = "suggest") -> Row | None:
    """A task of a runner. `tier` is the verdict of a plain `build` or `test` there: npm forces, make does not."""
    words = parts(name)
    if not words:
        return None
    has = set(words)
    if "watch" in has or "watcher" in has:
        return "force", "watch", "watches for changes"
    if words[0] in {"menuconfig", "nconfig", "xconfig", "gconfig"}:
        return "force", "terminal", "needs a terminal"
    if not has.isdisjoint({"typecheck", "tsc", "typing"}) or {"type", "check"} <= has or {"check", "types"} <= has:
        return "suggest", "check", "checks the types of the whole project"
    if words[-1] in {"open", "ui"} and not BROWSERS.isdisjoint(has):
        return "force", "server", "opens a window and stays"
    if words[0] == "lint" and LINTED.issuperset(words):
        return "suggest", "check", "checks the whole project"
    if words[0] in QUIET or words[-1] in QUIET:
        whole = words[0] in {"check", "checks", "validate"} and not has.isdisjoint({"all", "everything", "ci"})
        return ("suggest", "check", "checks everything") if whole else None
    if not {"bench", "benchmark", "benchmarks", "benches"}.isdisjoint(has):
        return "force", "test", "runs benchmarks"
    if not BROWSERS.isdisjoint(has):
        return ("force" if tier == "force" or "e2e" in has else "suggest"), "test", "runs end-to-end tests"
    if not TESTS.isdisjoint(has):
        return tier, "test", "runs a test suite"
    if not BUILDS.isdisjoint(has - {"all"} if words[0] in STARTS else has):
        return tier, "build", "builds"
    if not TRAINS.isdisjoint(has):
        return "force", "job", "trains a model"
    if words[0] in STARTS or words[-1] in STARTS or not ENDLESS.isdisjoint(has):
        if not has.isdisjoint(BESIDE) and "studio" not in has:
            return "suggest", "script", "may take long, by its name"
        return "force", "server", "starts something that stays"
    if len(words) == 1 and name in SIDES and tier == "force":
        return "force", "server", "starts something that stays"
    if not APPS.isdisjoint(has) and tier == "force":
        return "force", "build", "builds and starts the app"
    if has & {"logs", "tail", "follow"}:
        return "suggest", "follow", "may follow a log"
    if has & {"shell", "console", "repl", "psql", "bash"}:
        return "suggest", "terminal", "may wait for a person"
    return hinted(has, "script")


def script(path: str, *, language: str = "") -> Row | None:
    """A script file by its name; `language` names its interpreter."""
    folder, _, stem = path.rpartition("/")
    dot = stem.rfind(".")
    name = stem[:dot] if dot > 0 else stem
    words = parts(name)
    if name in GENERIC and not ENDLESS.isdisjoint(parts(folder.rpartition("/")[2])):
        return "force", "server", "starts something that stays"  # dist/server/index.js
    if name in GENERIC:
        words = [*words, *parts(folder.rpartition("/")[2])]  # benchmark/run.py
    if not words:
        return None
    has = set(words)
    if not QUIET.isdisjoint(has) or not has.isdisjoint({"plot", "example", "demo"}):
        return None
    if language and len(words) > 1 and (words[0] in ONE_TEST or (words[-1] in ONE_TEST and words[0] not in RUNNING)):
        return "none", "test", "runs one test file"
    if "watch" in has or "watcher" in has:
        return "force", "watch", "watches for changes"
    if not ASIDE.isdisjoint(has) and not (TRAINS | EXPERIMENTS | {"eval"}).isdisjoint(has):
        return "suggest", "job", "may take long, by its name"
    if not TRAINS.isdisjoint(has):
        return "force", "job", "trains a model"
    if not EXPERIMENTS.isdisjoint(has):
        return "force", "job", "runs experiments"
    if language == "python" and not has.isdisjoint({"eval", "evaluate", "evaluation"}):
        return "force", "job", "evaluates a model"
    if (not ENDLESS.isdisjoint(has) and TOOLS.isdisjoint(has)) or ("dev" in has and has <= DEVELOPS):
        return "force", "server", "starts something that stays"
    if language == "python" and not has.isdisjoint({"dash", "dashboard", "gradio", "streamlit"}) and has <= VIEWS:
        return "force", "server", "starts something that stays"
    if not language and words[0] in {"fuzz", "fuzzer"}:
        return "force", "test", "fuzzes without end"
    if not TESTS.isdisjoint(has) or not BROWSERS.isdisjoint(has):
        return "suggest", "test", "runs tests"
    if has & BUILDS:
        return "suggest", "build", "builds"
    if name == "run":
        return "suggest", "script", "runs the project"
    if has & {"start", "up", "launch"}:
        return "suggest", "server", "may start something that stays"
    return hinted(has, "script")


def hinted(words: set[str], work: str) -> Row | None:
    """A name that speaks of work on much data or many steps."""
    if words.isdisjoint(LONG):
        return None
    return "suggest", work, "may take long, by its name"
