"""Stops deletions through the AWS command line, and asks before it changes anything.

Why: the API asks nothing back; a terminated instance, an emptied bucket or a deleted database is gone.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, deny, shown
from hookwright.rules.production import names_production

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call, Word

ID = "aws-change"
EXAMPLES = {
    "aws s3 rb s3://bucket --force": "deny",
    "aws s3 rm s3://bucket --recursive": "deny",
    "aws ec2 terminate-instances --instance-ids i-0123": "deny",
    "aws rds delete-db-instance --db-instance-identifier a --skip-final-snapshot": "deny",
    "aws cloudformation delete-stack --stack-name a": "deny",
    "aws s3 sync . s3://bucket --delete": "ask",
    "aws s3 cp dist s3://bucket --recursive": "ask",
    "aws iam create-access-key --user-name x": "ask",
    "aws lambda update-function-code --function-name f --zip-file fileb://x.zip": "ask",
    "aws secretsmanager get-secret-value --secret-id prod": "ask",
    "aws s3 ls": None,
    "aws s3 cp s3://bucket/a.txt .": None,
    "aws ec2 describe-instances": None,
    "aws sts get-caller-identity": None,
    "aws s3 rm s3://bucket/x --dryrun": None,
    "aws configure set region eu-west-1": "ask",
    "aws configure list": None,
    "aws logs tail /aws/lambda/f --follow": None,
    "aws sso login": None,
}

READS = ("describe-", "list-", "get-", "head-", "batch-get-", "lookup-", "search-", "query", "scan",
         "select", "wait", "ls", "help", "test-", "validate-", "estimate-", "check-", "detect-",
         "preview-", "view-", "tail", "login", "logout", "list", "presign", "filter-", "simulate-",
         "start-query", "export-credentials", "assume-role", "decode-", "package", "update-kubeconfig",
         "retrieve-", "verify", "start-session", "ecr-login")  # fmt: skip
# Of what can be deleted: what is one of many, or made again in a moment.
LIGHT = ("-tags", "-tag", "-message", "-messages", "-parameter", "-parameters", "-alarms", "-alarm", "-rule",
         "-rules", "-targets", "-item", "-object", "-permission", "-event", "-log-stream", "-subscription",
         "-version", "-alias", "-listener", "-schedule", "-job", "-task-definition", "-launch-template",
         "-from-group", "-security-group", "-route", "-key-pair", "-change-set")  # fmt: skip


def check(call: Call, scene: Scene) -> Finding | None:
    operands = call.operands("--profile", "--region", "--output", "--query", "--endpoint-url")
    if operands == ["configure"]:
        return ask(f"`{shown(call)}` changes the account that every later call uses", "aws configure list")
    if len(operands) < 2 or call.has_flag(
        "--dry-run", "--dryrun", "--no-execute-changeset", "help", "--generate-cli-skeleton"
    ):
        return None
    service, verb = operands[0], operands[1]
    if (call.option("--endpoint-url") or "").startswith(("http://localhost", "http://127.")):
        return None
    if service == "s3":
        return s3(call, verb, operands[2:])
    if service == "configure" and verb == "set":
        return ask(f"`{shown(call)}` changes the account that every later call uses", "aws configure list")
    if verb.startswith(READS) or service in ("configure", "sts", "help", "sso"):
        return secret(call, service, verb)
    look = f"aws {service} help"
    takes = verb.startswith(
        ("delete-", "terminate-", "purge-", "deregister-", "remove-", "destroy-", "schedule-key-deletion")
    )
    if takes and (names_production(call) or not verb.endswith(LIGHT)):
        return deny(f"`{shown(call)}` deletes it for good; the API asks nothing back", look)
    return ask(f"`{shown(call)}` {'deletes' if takes else 'changes'} something in the account", look)


def secret(call: Call, service: str, verb: str) -> Finding | None:
    shows = (service == "secretsmanager" and verb == "get-secret-value") or "--with-decryption" in call.words
    return (
        ask(f"`{shown(call)}` prints a secret into the conversation", "aws secretsmanager list-secrets")
        if shows
        else None
    )


def s3(call: Call, verb: str, operands: list[Word]) -> Finding | None:
    if verb in ("ls", "presign"):
        return None
    look = "aws s3 ls"
    if verb == "rb" or (verb == "rm" and call.has_flag("--recursive")):
        return deny(f"`{shown(call)}` deletes every object in it for good", look)
    if verb == "rm":
        return ask(f"`{shown(call)}` deletes an object", look)
    writes = verb == "mb" or (operands[-1:] and operands[-1].startswith("s3://"))
    if verb == "mv" or writes or call.has_flag("--delete"):
        return ask(f"`{shown(call)}` changes what is in the bucket", look)
    return None
