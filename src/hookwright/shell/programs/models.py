"""Model and data platforms: training, serving and pipelines by their own command lines.

force    trl sft --model_name_or_path qwen
force    modal run app.py
force    bentoml serve service:svc
suggest  modal deploy app.py
none     modal app list
force    langgraph dev
force    llama-cli -m model.gguf
force    meltano run tap-github target-postgres
force    trino
none     trino --execute 'select 1'
"""

from __future__ import annotations

from hookwright.shell.programs import asks, each, is_fed, looked_up, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Call
    from hookwright.shell.programs import Handler, Row

TRAINS: Row = ("force", "job", "trains or evaluates a model")
RUNS: Row = ("force", "job", "runs a pipeline over data")
MAYBE: Row = ("suggest", "job", "works over much data")
SERVES: Row = ("force", "server", "starts a server that does not end")
FOLLOWS: Row = ("force", "follow", "follows a log")
DEPLOYS: Row = ("suggest", "infra", "deploys")
BUILDS: Row = ("force", "build", "builds an image")
INSTALLS: Row = ("force", "install", "installs packages")
PERSON: Row = ("force", "terminal", "waits for a person")

VERBS = table(
    {
        TRAINS: (
            "train, sft, dpo, grpo, ppo, kto, orpo, rlhf, reward, pretrain, finetune, fine-tune, eval, evaluate, "
            "predict, infer, generate, model train, data generate, benchmark, bench, merge"
        ),
        RUNS: "run, elt, materialize, materialize-incremental, launch, exec, submit, backfill, execute, invoke",
        SERVES: (
            "serve, server, dev, ui, web, start, up, api_server, inspector, studio, playground, worker, scheduler, "
            "model serve, viz, webui"
        ),
        FOLLOWS: "logs, log, app logs, tail",
        DEPLOYS: "deploy, push, apply, publish, bundle deploy, import, export, sync, upload, add",
        BUILDS: "build, containerize, docker quickstart, local install, dockerfile",
        INSTALLS: "install, model download, setup, init-services",
        PERSON: "shell, chat, console, repl, interact",
        MAYBE: "scan, checkpoint run, check, profile, convert, quantize, test, download, pull",
    }
)


def platform(call: Call) -> Row | None:
    """modal, sky, bentoml, trl, meltano, feast, …: the verb tells."""
    if call.has_flag("--detach", "-d", "--detach-run", "--down-detach"):
        return "none", "job", "goes to the background by itself"
    return None if asks(call) else looked_up(call, VERBS)


def local_model(call: Call) -> Row | None:
    """llama.cpp, MLX, whisper.cpp: a model that runs here."""
    return TRAINS if call.args else PERSON


def query(call: Call) -> Row | None:
    """trino, beeline, snowsql: a statement may take a while, without one they wait for a person."""
    if call.has_flag("--execute", "-e", "-q", "--query"):
        return None
    if call.has_flag("-f", "--file") or is_fed(call):
        return "suggest", "database", "runs a file of statements"
    return PERSON


PROGRAMS: dict[str, Handler] = {
    **each(
        "modal sky bentoml cog trl ilab pyflyte meltano feast dask great_expectations soda datahub abctl superset "
        "langgraph mcp fastmcp adk open-webui letta comfy ploomber evidence cube metaflow truss beam dstack lerobot "
        "inspect databricks chroma airbyte",
        platform,
    ),
    **each(
        "llama-cli llama-bench llama-quantize llama-perplexity llama-finetune mlx_lm.lora mlx_lm.generate "
        "mlx_lm.convert whisper-cli alpaca_eval evalplus.evaluate",
        local_model,
    ),
    **each("mlx_lm.server dask-scheduler dask-worker sglang", SERVES),
    **each("trino presto beeline snowsql harlequin", query),
    **each("vd visidata", PERSON),
}
