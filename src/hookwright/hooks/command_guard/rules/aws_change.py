"""Stops deletions through the AWS command line, and asks before it changes anything.

Why: the API asks for no confirmation; a terminated instance, an emptied bucket or a deleted database is gone.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.production_names import names_production
from hookwright.hooks.command_guard.rule_api import ask, deny, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call, Word

ID = "aws-change"
EXAMPLES = {
    "aws s3 rb s3://bucket --force": "deny",
    "aws s3 rm s3://bucket --recursive": "deny",
    "aws ec2 terminate-instances --instance-ids i-0123": "deny",
    "aws rds delete-db-instance --db-instance-identifier a --skip-final-snapshot": "deny",
    "aws cloudformation delete-stack --stack-name a": "deny",
    "aws «sqs purge-queue --queue-url q|ec2 deregister-image --image-id ami-1»": "deny",
    "aws kms schedule-key-deletion --key-id k": "deny",
    "aws iam remove-role-from-instance-profile --role-name r --instance-profile-name p": "deny",
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
    "aws «sqs delete-message|ssm delete-parameter|ssm delete-parameters|cloudwatch delete-alarms»": "ask",
    "aws lightsail delete-alarm": "ask",
    "aws «events delete-rule|events remove-targets|dynamodb delete-item|s3api delete-object»": "ask",
    "aws lambda remove-permission": "ask",
    "aws «ssm-incidents delete-timeline-event|logs delete-log-stream|rds delete-event-subscription»": "ask",
    "aws lambda delete-alias": "ask",
    "aws «iam delete-policy-version|elbv2 delete-listener|scheduler delete-schedule|glue delete-job»": "ask",
    "aws «ecs deregister-task-definition|iam remove-user-from-group|cloudformation delete-change-set»": "ask",
    "aws configure": "ask",
    "aws s3 rm s3://bucket/a.txt": "ask",
    "aws s3 mv s3://bucket/a.txt .": "ask",
    "aws s3 mb s3://bucket": "ask",
    "aws ssm get-parameter --name p --with-decryption": "ask",
    "aws ec2 «delete-tags|delete-launch-template|delete-security-group|delete-route|delete-key-pair»": "ask",
    "aws configure list": None,
    "aws logs tail /aws/lambda/f --follow": None,
    "aws sso login": None,
    "aws «--profile|--region|--output|--query|--endpoint-url» x ec2 describe-instances": None,
    "aws --endpoint-url «http://localhost:4566|http://127.0.0.1:4566» s3 rb s3://bucket": None,
    "aws ec2 run-instances «--dry-run|--generate-cli-skeleton»": None,
    "aws cloudformation deploy --no-execute-changeset --stack-name s": None,
    "aws «iam list-users|lambda get-function|s3api head-object|dynamodb batch-get-item»": None,
    "aws cloudtrail lookup-events": None,
    "aws «glue search-tables|dynamodb query|dynamodb scan|s3api select-object-content»": None,
    "aws ec2 wait instance-running": None,
    "aws «events test-event-pattern|cloudformation validate-template|cloudformation estimate-template-cost»": None,
    "aws «route53domains check-domain-availability|comprehend detect-sentiment|inspector preview-agents»": None,
    "aws «route53domains view-billing|codeartifact login|cloudformation package|eks update-kubeconfig»": None,
    "aws kms verify": None,
    "aws «logs filter-log-events|iam simulate-principal-policy|logs start-query|ssm start-session»": None,
    "aws «configure sso|sts tag-session|sso login|help topics»": None,
    "aws s3 «ls|presign» s3://bucket/a.txt": None,
    "aws ec2 «--profile|--region|--output|--query|--endpoint-url» x describe-instances": None,
}

READS = ("describe-", "list-", "get-", "head-", "batch-get-", "lookup-", "search-", "query", "scan",
         "select", "wait", "ls", "help", "test-", "validate-", "estimate-", "check-", "detect-",
         "preview-", "view-", "tail", "login", "logout", "list", "presign", "filter-", "simulate-",
         "start-query", "export-credentials", "assume-role", "decode-", "package", "update-kubeconfig",
         "retrieve-", "verify", "start-session", "ecr-login", "receive-message", "admin-get-", "admin-list-",
         "transact-get-", "download-", "generate-cli", "discover-", "explain-", "is-", "can-", "count-", "compare-",
         "batch-describe-", "batch-check-", "generate-presigned", "generate-db-auth")  # fmt: skip
# Resources whose deletion loses little: one of many, or quickly created again.
LIGHT = ("-tags", "-tag", "-message", "-messages", "-parameter", "-parameters", "-alarms", "-alarm", "-rule",
         "-rules", "-targets", "-item", "-object", "-permission", "-event", "-log-stream", "-subscription",
         "-version", "-alias", "-listener", "-schedule", "-job", "-task-definition", "-launch-template",
         "-from-group", "-security-group", "-route", "-key-pair", "-change-set")  # fmt: skip


def check(call: Call, scene: Scene) -> Finding | None:
    operands = call.operands("--profile", "--region", "--output", "--query", "--endpoint-url")
    if operands == ["configure"]:
        return ask(f"`{format_call(call)}` changes the account that every later call uses", "aws configure list")
    if len(operands) < 2 or call.has_flag("--dry-run", "--dryrun", "--no-execute-changeset", "--generate-cli-skeleton"):
        return None
    service, verb = operands[0], operands[1]
    if (call.option("--endpoint-url") or "").startswith(("http://localhost", "http://127.")):
        return None
    if service == "s3":
        return check_s3(call, verb, operands[2:])
    if service == "configure" and verb == "set":
        return ask(f"`{format_call(call)}` changes the account that every later call uses", "aws configure list")
    if verb.startswith(READS) or service in ("configure", "sts", "help", "sso"):
        return check_secret(call, service, verb)
    look = f"aws {service} help"
    takes = verb.startswith(
        ("delete-", "terminate-", "purge-", "deregister-", "remove-", "destroy-", "schedule-key-deletion")
    )
    if takes and (names_production(call) or not verb.endswith(LIGHT)):
        return deny(f"`{format_call(call)}` deletes it for good; the API asks nothing back", look)
    return ask(f"`{format_call(call)}` {'deletes' if takes else 'changes'} something in the account", look)


def check_secret(call: Call, service: str, verb: str) -> Finding | None:
    shows = (service == "secretsmanager" and verb == "get-secret-value") or "--with-decryption" in call.words
    return (
        ask(f"`{format_call(call)}` prints a secret into the conversation", "aws secretsmanager list-secrets")
        if shows
        else None
    )


def check_s3(call: Call, verb: str, operands: list[Word]) -> Finding | None:
    if verb in ("ls", "presign"):
        return None
    look = "aws s3 ls"
    if verb == "rb" and not call.has_flag("--force"):
        return ask(f"`{format_call(call)}` deletes the bucket if it is empty", look)
    if verb == "rb" or (verb == "rm" and call.has_flag("--recursive")):
        return deny(f"`{format_call(call)}` deletes every object in it for good", look)
    if verb == "rm":
        return ask(f"`{format_call(call)}` deletes an object", look)
    writes = verb == "mb" or (operands[-1:] and operands[-1].startswith("s3://"))
    if verb == "mv" or writes or call.has_flag("--delete"):
        return ask(f"`{format_call(call)}` changes what is in the bucket", look)
    return None
