"""What an MCP tool does, by the words of its name: reads, deletes, sends, changes something for everybody.

server, tool, arguments → [classify_call] → kind and what it is about, or ("", "")
A name is a sentence in the imperative: its first verb decides (`list_deleted_files` lists). The tables are texts that
are split when needed. KNOWN has the tools whose names mislead, in both directions.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

ERASE = "erase"  # a whole store at once
DESTROY = "destroy"
SEND = "send"
CHANGE = "change"  # what others use, or what costs money
SECRET = "secret"  # noqa: S105  prints one
READ = "read"

HARMLESS = frozenset(
    (
        "get list search read find fetch query describe show view count check inspect lookup resolve explain "
        "analyze analyse diff compare preview validate verify screenshot snapshot wait hover scroll navigate open "
        "select retrieve browse watch tail export download summarize estimate suggest recommend think "
        "sequentialthinking ping health status info help whoami lint format calculate convert translate parse "
        "detect dry plan draft render generate capture crawl scrape map extract scan monitor observe profile "
        "audit measure log logs head stat tree grep glob tabs console network click type fill press drag resize "
        "emulate is has can create add insert update edit write append save set put upsert copy duplicate clone "
        "import upload index store remember rename mark label assign unassign tag star unstar subscribe comment "
        "annotate link modify change manage move transition prepare stage commit fork checkout switch pull sync "
        "login connect follow reveal decrypt test complete play"
    ).split()
)
DESTROYS = frozenset(
    (
        "delete remove drop destroy purge wipe truncate erase trash uninstall del hdel srem zrem xdel unlink "
        "rmdir rm prune flush flushall flushdb nuke obliterate discard clear clean empty reset cleanup revoke "
        "deregister terminate deprovision decommission expunge"
    ).split()
)
SENDS = frozenset(
    "send post reply respond publish tweet email broadcast dm sms forward invite share notify announce dial".split()
)
CHANGES = frozenset(
    (
        "merge deploy redeploy promote release rollback rollout revert restore apply approve transfer pay charge "
        "refund buy purchase order checkout_session payout withdraw trade capture finalize void cancel drain "
        "cordon evict scale restart reboot shutdown stop pause suspend resume failover upgrade downgrade patch "
        "grant deny ban kick block impersonate rotate disable archive unpublish trigger dispatch rerun rebase "
        "force bypass mutate unblock deactivate offboard decline reject unsubscribe_all"
    ).split()
)
# Verbs that only introduce another one: `enable_auto_merge`, `run_rollback`; alone they are harmless.
INTRODUCING = frozenset("enable start begin schedule submit run perform do request migrate execute confirm try".split())
# What is sent to people, whatever the verb: `conversations_add_message`, `create_tweet`.
MESSAGES = frozenset("message messages email emails mail sms tweet dm post comment".split())
MESSENGERS = ("slack", "discord", "telegram", "whatsapp", "teams", "mail", "twilio", "sms", "twitter", "bluesky",
              "mastodon", "linkedin", "reddit", "outlook", "signal", "intercom", "sendgrid", "resend",
              "x_api", "zendesk", "freshdesk", "helpscout")  # fmt: skip
# Whole stores: without them there is nothing left to restore from.
WHOLE = frozenset(
    (
        "database databases db dbs schema keyspace repository repo bucket buckets cluster namespace organization org "
        "workspace project account tenant collection table tables stack volume volumes"
    ).split()
)
MINOR = frozenset(
    (
        "label labels reaction reactions emoji star watcher assignee assignees reviewer tab tabs breakpoint bookmark "
        "notification notifications tag tags highlight selection filter filters console cookies cache caches "
        "context process processes session sessions timer job_log field cursor history emulation throttling viewport "
        "element elements shape frame node nodes layer text input form pending draft drafts todo todos task_item "
        "thought thoughts route mock mocks intercept subscription_topic dialog"
    ).split()
)
MONEY = frozenset("refund payout transfer charge payment payments withdrawal order trade".split())
MAKES = frozenset("create add make submit place confirm capture execute issue new".split())
SECRETS = frozenset("secret secrets password passwords credential credentials".split())
KEY_WORDS = ("api_key", "api_keys", "private_key", "access_key", "access_token", "env_var", "env_vars", "service_role",
             "environment_variable", "environment_variables", "connection_string", "service_key",
             "ssh_key")  # fmt: skip
PUBLIC_KEYS = ("publishable", "anon", "public", "list_secrets", "names", "metadata")
INFRA_CHANGES = frozenset("update create set install run start enable put edit".split())
PASSWORD_SERVERS = ("bitwarden", "1password", "lastpass", "keepass", "dashlane", "vaultwarden")
CLUSTERS = ("kube", "k8s", "helm", "argo", "ansible", "openshift", "nomad")
CLUSTER_CHANGES = frozenset("create update install sync run upgrade set add put".split())
CLOSED = ("closed", "abandoned", "declined")  # states of a pull request
ERASERS = ("delete", "drop", "destroy", "purge", "wipe", "nuke")
SHOWS = (
    "reveal",
    "decrypt",
    "get",
    "read",
    "show",
    "retrieve",
    "fetch",
    "describe",
    "view",
    "export",
    "download",
    "list",
)
BROWSERS = ("browser", "puppeteer", "playwright", "chrome", "devtools", "selenium", "stagehand")
RUN_CODE = frozenset("run execute".split())
RUNS = frozenset("run exec execute start spawn shell bash terminal process send".split())
VARIABLE_SERVERS = ("railway", "heroku", "render", "fly", "doppler", "infisical", "netlify", "vercel")
ACTIONS = ("action", "operation", "method", "command", "op", "verb")
DRY = ("dry_run", "dryRun", "dryrun", "preview", "validate_only", "validateOnly", "simulate", "plan_only")
FLAGS_OF_LOSS = ("archived", "in_trash", "trashed", "is_destroy", "deleted", "permanent", "hard_delete")
# Part of the server's name, tool → kind. Also what servers declare as readOnlyHint under a name that sounds otherwise.
KNOWN: dict[str, dict[str, str]] = {
    "git": {
        "git_reset": READ,  # unstages only
        "merge_pull_request": CHANGE,
        "create_repository": CHANGE,
        "create_release": CHANGE,
        "run_workflow": CHANGE,
        "rerun_workflow_run": READ,
        "rerun_failed_jobs": READ,
        "cancel_workflow_run": CHANGE,
        "dismiss_notification": READ,
        "merge_merge_request": CHANGE,
        "delete_pending_pull_request_review": READ,
        "share_project": CHANGE,
        "push_files": READ,
        "get_secret_scanning_alert": READ,
        "list_secret_scanning_alerts": READ,
        "request_copilot_review": READ,
    },
    "supabase": {
        "confirm_cost": READ,
        "pause_project": CHANGE,
        "restore_project": CHANGE,
        "create_project": CHANGE,
        "reset_branch": DESTROY,
        "apply_migration": READ,  # judged by its SQL
        "create_branch": READ,
        "get_publishable_keys": READ,
        "deploy_edge_function": CHANGE,
    },
    "neon": {"reset_from_parent": DESTROY, "create_branch": READ, "create_project": CHANGE},
    "memory": {},
    "figma": {"get_variable_defs": READ},
    "sentry": {"update_issue": READ, "update_project": READ, "create_project": READ, "create_dsn": READ},
    "stripe": {"create_invoice": READ, "create_payment_link": READ, "update_subscription": CHANGE},
    "vercel": {"deploy_to_vercel": CHANGE, "web_fetch_vercel_url": READ, "get_access_to_vercel_url": READ,
               "search_vercel_documentation": READ, "create_deployment": CHANGE},
    "terraform": {"create_run": CHANGE, "apply_run": CHANGE, "action_run": CHANGE, "create_workspace": READ,
                  "update_workspace": READ, "create_variable_set": READ},
    "docker": {"stop_container": READ, "remove_container": READ, "stop": READ, "pause": READ, "restart": READ,
               "run_container": READ, "create_container": READ, "start_container": READ, "restart_container": READ,
               "recreate_container": READ, "create_network": READ, "create_volume": READ, "remove_network": READ,
               "pull_image": READ, "build_image": READ, "remove_image": READ, "push_image": CHANGE,
               "deploy_compose": READ, "fetch_container_logs": READ},
    "desktop": {"kill_process": READ, "force_terminate": READ, "send_feedback": READ},
    "calendar": {"respond_to_event": SEND},
    "aws": {"suggest_aws_commands": READ, "create_resource": CHANGE, "update_resource": CHANGE, "call_aws": READ},
    "mongodb": {"drop_database": ERASE, "drop_collection": ERASE, "rename_collection": CHANGE},
    "task": {"stop_task": READ, "cancel_task": READ},
}  # fmt: skip


def split_words(name: str) -> list[str]:
    """`API-post-page`, `createIssue`, `ExecuteTerraformCommand` → words in lower case."""
    parts = []
    before = ""
    for c in name:
        if not c.isalnum():
            parts.append(" ")
        elif c.isupper() and (before.islower() or before.isdigit()):
            parts.append(" " + c)
        else:
            parts.append(c)
        before = c
    return "".join(parts).lower().split()


def classify_call(server: str, tool: str, given: Mapping[str, Any]) -> tuple[str, str]:
    """The kind of a call and the words that say so."""
    if any(given.get(name) is True for name in DRY):
        return READ, ""
    words = split_words(tool)
    known = find_known(server.lower(), "_".join(words))
    if known:
        return known, " ".join(words)
    kind = classify_words(server.lower(), list_action_words(words, given) + words)
    if kind == READ or not kind:
        for name in FLAGS_OF_LOSS:
            if given.get(name) is True:
                return DESTROY, f"{name} = true"
        if str(given.get("event", "")).upper() == "APPROVE":
            return CHANGE, "approves a review"
        state = str(given.get("state") or given.get("status") or "").lower()
        if state in CLOSED and ("pull" in words or "merge" in words):
            return CHANGE, "closes a pull request"
    return kind, " ".join(words)


def list_action_words(words: list[str], given: Mapping[str, Any]) -> list[str]:
    """The words of an argument that says what to do: `action: "remove"`. Not of a shell command, nor an HTTP method."""
    found: list[str] = []
    for name in ACTIONS:
        value = given.get(name)
        if not isinstance(value, str) or len(value) > 40 or not value.replace("_", "").replace("-", "").isalpha():
            continue
        if value.isupper() or (name == "command" and not RUNS.isdisjoint(words)):
            continue
        found += split_words(value)
    return found


def find_known(server: str, tool: str) -> str:
    for part, tools in KNOWN.items():
        if part in server:
            for name in (tool, tool.removeprefix(part + "_")):
                if name in tools:
                    return tools[name]
    return ""


def classify_words(server: str, words: list[str]) -> str:
    """The kind of the first verb, seen together with the other words."""
    objects = set(words)
    if "search" in objects or (words[:1] == ["api"] and "query" in objects):
        return READ  # notion's API-post-search
    browser = any(name in server for name in BROWSERS)
    for index, word in enumerate(words):
        rest = objects.difference((word,))
        if words[0] == "api" and word in ("patch", "post", "put"):
            return READ  # the method of a REST interface
        if word in DESTROYS:
            return READ if browser else classify_deletion(words, index, rest)
        if word in CHANGES:
            return READ if browser or not MINOR.isdisjoint(rest) else CHANGE
        if word in SENDS:
            port = word == "forward" and MESSAGES.isdisjoint(rest)
            return READ if browser or port or "draft" in objects else SEND
        if word in MAKES and not MONEY.isdisjoint(rest):
            return CHANGE
        if word in CLUSTER_CHANGES and any(name in server for name in CLUSTERS):
            return CHANGE
        if word in HARMLESS and words[index + 1 : index + 2] != ["and"]:
            return classify_harmless(server, words, word, rest)
    return READ if not INTRODUCING.isdisjoint(objects) and not objects & RUN_CODE else ""


def classify_deletion(words: list[str], index: int, rest: set[str]) -> str:
    if not MINOR.isdisjoint(rest) and WHOLE.isdisjoint(rest):
        return READ
    whole = [name for name in words[index + 1 :] or words if name in WHOLE]
    if words[index] in ("flushall", "flushdb"):
        return ERASE
    return ERASE if words[index] in ERASERS and whole and is_whole(words, index, whole) else DESTROY


def classify_harmless(server: str, words: list[str], verb: str, rest: set[str]) -> str:
    """A verb that harms with certain objects only: `create_refund`, `add_message`, `get_secret`."""
    if verb in ("update", "set", "add", "upsert", "create", "put") and "variables" in rest and is_host(server):
        return CHANGE
    if verb in ("create", "add", "new") and is_message(server, rest) and "draft" not in rest:
        return SEND
    if verb in INFRA_CHANGES and "kubectl" in words:
        return CHANGE
    if verb in SHOWS and prints_secret(server, verb, rest, "_".join(words)):
        return SECRET
    return READ


def is_whole(words: list[str], index: int, whole: list[str]) -> bool:
    """`delete_database` means the store itself, `delete_database_entry` or `delete_project_item` a part of it."""
    after = words[index + 1 :]
    return not after or after[-1] in whole or words[-1] == words[index]


def is_host(server: str) -> bool:
    """A platform on which variables are the secrets of what runs there."""
    return any(name in server for name in VARIABLE_SERVERS)


def is_message(server: str, rest: set[str]) -> bool:
    return not MESSAGES.isdisjoint(rest) and any(name in server for name in MESSENGERS)


def prints_secret(server: str, verb: str, rest: set[str], text: str) -> bool:
    if any(word in text for word in PUBLIC_KEYS):
        return False
    if "variables" in rest and is_host(server):
        return True
    if verb not in ("list", "describe") and any(name in server for name in PASSWORD_SERVERS):
        return True
    if verb == "list":
        return "env_var" in text or "environment_variable" in text  # these come with values, secrets by name
    return not SECRETS.isdisjoint(rest) or any(word in text for word in KEY_WORDS)
