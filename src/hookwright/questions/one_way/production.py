"""Touching what real users and real data depend on.

Why: a test that fails there is an outage.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.questions.one_way.text import Text

ID = "production"
EXAMPLES = {
    "Run it against production?": "ask",
    "Connect to the prod database?": "ask",
    "Try it with real customers?": "ask",
    "Is this for production or for a demo?": None,
    "Which logger is production-ready?": None,
}
PHRASES = (
    *("to production", "against production", "on production", "from production", "touch production", "to prod"),
    *("against prod", "on prod", "from prod", "in prod", "the production", "production database", "production db"),
    *("production data", "production server", "production servers", "production environment", "production cluster"),
    *("production system", "production systems", "production traffic", "production branch", "production config"),
    *("prod database", "prod db", "prod data", "prod server", "prod environment", "prod cluster", "prod config"),
    *("live database", "live db", "live data", "live site", "live server", "live system", "live environment"),
    *("live users", "live customers", "real users", "real customers", "real data", "customer facing"),
)


def check(text: Text) -> str:
    return text.phrase(PHRASES)
