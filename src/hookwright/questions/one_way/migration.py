"""Migrating a schema or data.

Why: the way back has to be written too, and rarely is.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.questions.one_way.text import Text

ID = "migration"
EXAMPLES = {
    "Run the migrations now?": "ask",
    "Migrate the data?": "ask",
    "ALTER TABLE users?": "ask",
    "Which schema library?": None,
}
WORDS = (
    *("migrate", "migrates", "migrated", "migrating", "migration", "migrations", "backfill", "backfills"),
    *("backfilling", "migrieren", "migrer", "migrar", "migración", "migrazione", "миграция", "мигрировать"),
)
PHRASES = (
    *("schema change", "schema changes", "change the schema", "alter table", "alter the table", "alter column"),
    *("rename the column", "rename the table", "convert all", "convert the data", "reindex all"),
)
FRAGMENTS = ("迁移", "遷移", "マイグレーション", "移行", "마이그레이션")


def check(text: Text) -> str:
    return text.word(WORDS) or text.phrase(PHRASES) or text.fragment(FRAGMENTS)
