"""Deploying, rolling out, rolling back.

Why: users meet the result before anybody else does.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.questions.one_way.text import Text

ID = "deployment"
EXAMPLES = {
    "Deploy now?": "ask",
    "Roll back to the last version?": "ask",
    "Go live on Friday?": "ask",
    "Ship it?": "ask",
    "Which database is easiest to deploy?": None,
    "Which shipping address format?": None,
}
HARMLESS = (
    *("easy to deploy", "easier to deploy", "simple to deploy", "simpler to deploy", "easiest to deploy"),
    *("simplest to deploy", "harder to deploy", "nothing to deploy", "no server to deploy"),
)
WORDS = (
    *("deploy", "deploys", "deployed", "deploying", "deployment", "deployments", "redeploy", "undeploy", "rollout"),
    *("rollback", "rollbacks", "hotfix", "deployen", "ausrollen", "déployer", "déploiement", "desplegar", "despliegue"),
    *("implantar", "развернуть", "задеплоить", "деплой", "выкатить"),
)
PHRASES = (
    *("roll out", "roll back", "roll it out", "go live", "goes live", "going live", "ship it", "ship now", "ship to"),
    *("promote to", "canary release", "blue green", "cut over", "switch traffic", "release to users"),
)
FRAGMENTS = ("部署", "上线", "デプロイ", "배포")


def check(text: Text) -> str:
    text = text.without(HARMLESS)
    return text.word(WORDS) or text.phrase(PHRASES) or text.fragment(FRAGMENTS)
