"""Renders docs/page.png from a real page: sessions decided by the real hooks, shown in a headless Chromium.

python scripts/page_picture.py          make page
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from hookwright.page.server import PageServer  # noqa: E402
from tests.page.browser import Browser, find_chromium  # noqa: E402
from tests.page.played_past import play_past  # noqa: E402

TARGET = ROOT / "docs/page.png"
WIDTH, HEIGHT = 1280, 860


def main() -> int:
    chromium = find_chromium()
    if chromium is None:
        print("there is no Chromium here: scripts/test_tools.sh --install", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = Path(folder, "ann")
        home.mkdir()
        server = PageServer(play_past(home, time.time(), "/home/ann/work"), 0)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = Browser(chromium, folder)
        try:
            page = browser.open(server.access.url, width=WIDTH, height=HEIGHT)
            page.wait("document.documentElement.dataset.live == 'on' && document.querySelector('.mark.stopped')")
            page.run("location.hash = 'id=' + document.querySelector('.mark.stopped').dataset.id")
            page.wait("!document.querySelector('#why').hidden")
            page.wait("document.fonts.status == 'loaded'")
            time.sleep(0.5)
            page.picture(TARGET)
        finally:
            browser.close()
            server.close()
    print(f"{TARGET.relative_to(ROOT)}: {TARGET.stat().st_size >> 10} KiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
