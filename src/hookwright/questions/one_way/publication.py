"""Publishing: from then on it is out.

Why: registries keep versions for ever, and what was public for a minute has been copied.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.questions.one_way.text import Text

ID = "publication"
EXAMPLES = {
    "Publish to npm?": "ask",
    "Cut a release?": "ask",
    "Make the repository public?": "ask",
    "Which public API style?": None,
    "Where do release notes belong?": None,
}
WORDS = (
    *("publish", "publishes", "published", "publishing", "publication", "unpublish", "republish", "announce"),
    *("announces", "announced", "announcing", "announcement", "veröffentlichen", "veröffentlicht", "publier"),
    *("publicar", "pubblicare", "publiceren", "опубликовать", "публикация"),
)
PHRASES = (
    *("make it public", "make the repo public", "make public", "make the repository public", "go public"),
    *("open source it", "upload to pypi", "upload to npm", "push to pypi", "push to npm", "push to the registry"),
    *("push to docker hub", "release it", "release now", "release to", "release the", "cut a release"),
    *("create a release", "create the release", "make a release", "tag a release", "tag the release", "new release"),
    *("release a", "release version", "app store", "play store", "submit to the store", "gh release"),
)
FRAGMENTS = ("发布", "發佈", "公開", "게시", "공개")


def check(text: Text) -> str:
    return text.word(WORDS) or text.phrase(PHRASES) or text.fragment(FRAGMENTS)
