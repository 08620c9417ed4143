"""Deleting: what is gone is gone, and a backup is a hope.

Why: a deleted branch, file, record or account is often the only copy, and the wrong one is noticed too late.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.questions.one_way.text import Text

ID = "deletion"
EXAMPLES = {
    "Delete the old branches?": "ask",
    "Shall I run rm -rf build?": "ask",
    "Remove unused files?": "ask",
    "Call deleteUser() for all of them?": "ask",
    "De\u200blete it?": "ask",
    "Soll ich die Tabelle löschen?": "ask",
    "要删除这些文件吗": "ask",
    "Which library removes the need for a build step?": None,
    "Remove the blank line?": None,
    "Which name is clear?": None,
}
HARMLESS = ("removes the need", "remove the need", "removing the need", "clear and concise")
WORDS = (
    *("delete", "deletes", "deleted", "deleting", "deletion", "deletions", "erase", "erases", "erased", "erasing"),
    *("wipe", "wipes", "wiped", "wiping", "purge", "purges", "purged", "purging", "destroy", "destroys", "destroyed"),
    *("destroying", "destruction", "truncate", "truncates", "truncating", "unlink", "overwrite", "overwrites"),
    *("overwriting", "overwritten", "rmdir", "shred", "nuke", "obliterate"),
    *("löschen", "lösche", "löscht", "gelöscht", "löschung", "supprimer", "supprime", "suppression", "effacer"),
    *("borrar", "borra", "eliminar", "elimina", "excluir", "apagar", "cancellare", "eliminare", "verwijderen"),
    *("удалить", "удаление", "удалять", "стереть"),
)
PHRASES = ("rm rf", "rm r", "rm f", "get rid of", "throw away", "clean slate", "start from scratch", "factory reset")
FRAGMENTS = ("删除", "刪除", "清空", "削除", "消去", "삭제")
VERBS = frozenset(
    (*("remove", "removes", "removed", "removing", "removal", "clear", "clears", "clearing", "empty", "clean"),
     *("cleanup", "prune", "pruning", "reset", "format", "reformat", "uninstall"))
)  # fmt: skip
NOUNS = frozenset(
    (*("file", "files", "folder", "folders", "directory", "directories", "branch", "branches", "tag", "tags", "data"),
     *("database", "databases", "db", "table", "tables", "column", "columns", "record", "records", "row", "rows"),
     *("user", "users", "account", "accounts", "customer", "customers", "repo", "repository", "bucket", "buckets"),
     *("volume", "volumes", "disk", "partition", "snapshot", "snapshots", "backup", "backups", "history", "logs"),
     *("namespace", "cluster", "server", "servers", "instance", "container", "containers", "image", "images"),
     *("everything", "all", "project", "workspace", "worktree", "worktrees", "stash", "inbox", "emails"))
)  # fmt: skip


def check(text: Text) -> str:
    text = text.without(HARMLESS)
    return text.word(WORDS) or text.phrase(PHRASES) or text.fragment(FRAGMENTS) or text.together(VERBS, NOUNS)
