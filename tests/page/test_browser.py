"""The page as a person uses it, in a real browser: live events, why, filters, keyboard, hostile text, no other host."""

import json
import subprocess
import threading
import time
from pathlib import Path
from urllib.parse import quote

import pytest

from hookwright.page.server import PageServer
from tests.page.browser import Browser, find_chromium
from tests.page.played_past import PlayedPast, play_past

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_chromium() is None, reason="no Chromium here (scripts/test_tools.sh)"),
    pytest.mark.xdist_group("browser"),  # one browser for all
]

READY = "document.documentElement.dataset.ready"
LIVE = "document.documentElement.dataset.live == 'on'"
HOSTILE = (
    "<img src=x onerror=window.hacked=1>",
    "<script>window.hacked=1</script>",
    "\"><svg onload=window.hacked=1>'",
    "javascript:window.hacked=1",
    "{{constructor.constructor('window.hacked=1')()}}",
    "\u202egnp.tidE\u202c \u2066evil\u2069",
    "\x1b[2J\x1b]0;owned\x07\x9b8m",
    "line one\nline two\r\u2028three",
    "${window.hacked=1}`",
    "\ud83d",
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    browser = Browser(find_chromium(), tmp_path_factory.mktemp("browser"))
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A home with a past of some hours."""
    home = tmp_path_factory.mktemp("past") / "ann"
    home.mkdir()
    play_past(home, time.time())
    return home


@pytest.fixture(scope="module")
def server(home):
    patch = pytest.MonkeyPatch()
    patch.setenv("HOME", str(home))
    for name in (
        "HOOKWRIGHT_STATE_HOME",
        "HOOKWRIGHT_CONFIG_HOME",
        "XDG_STATE_HOME",
        "XDG_CONFIG_HOME",
        "CLAUDE_CONFIG_DIR",
    ):
        patch.delenv(name, raising=False)
    server = PageServer(f"{home}/.local/state/hookwright", 0)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    yield server
    server.shutdown()
    server.close()
    patch.undo()


@pytest.fixture
def page(browser, server):
    page = browser.open(server.access.url)
    page.wait(READY)
    yield page
    own = (f"http://127.0.0.1:{server.access.port}/", "about:blank")
    assert [url for url in page.requests if not url.startswith(own)] == [], "a request to another host"
    assert [problem for problem in page.problems if "401" not in str(problem)] == []
    page.close()


@pytest.fixture
def live(home):
    """Writes events as the hook process does, now."""
    return PlayedPast(home, time.time() + 1e6)


def texts(page, selector):
    return page.run(f"[...document.querySelectorAll({json.dumps(selector)})].map((each) => each.innerText)")


def test_the_token_leaves_the_address_and_the_page_shows_the_past(page):
    assert "token" not in page.run("location.href")
    assert page.run("document.cookie") == "", "no script can read the cookie"
    assert page.wait("document.querySelectorAll('.lane').length") == 6
    assert page.run("document.querySelectorAll('.mark').length") > 20
    assert page.run("document.querySelectorAll('.events .row').length") > 20
    figures = dict(zip(texts(page, ".figure .name"), texts(page, ".figure .value"), strict=True))
    assert int(figures["Stopped"]) > 0
    assert int(figures["Moved"]) > 0
    assert int(figures["Answered"]) > 0


def test_a_new_event_appears_by_itself_and_why_opens_at_once(page, live):
    page.wait(LIVE)
    before = page.run("Number(document.querySelectorAll('.figure .value')[1].innerText)")
    live.run(time.time(), "live-session", "/tmp", "git push --force origin main", 1.0)
    page.wait("document.querySelector('.events .row').innerText.includes('git push --force origin main')")
    page.wait("[...document.querySelectorAll('.lane-label')].some((each) => each.innerText.includes('live-ses'))")
    page.wait(f"Number(document.querySelectorAll('.figure .value')[1].innerText) > {before}")
    page.click(".events .row")
    page.wait("document.querySelector('#why').innerText.includes('command_guard')")
    shown = page.text("#why")
    for words in (
        "Stopped",
        "git push --force origin main",
        "Hooks, in order",
        "git-force-push",
        "Evidence",
        "It did not run",
        "hookwright allow",
    ):
        assert words in shown, words
    assert page.run("document.querySelectorAll('.events li.fresh').length") >= 0


def test_the_latency_from_the_record_to_the_screen(page, live):
    """Seen within half a second of its record; the best of many tries, because a loaded machine may be slow."""
    page.wait(LIVE)
    page.run(
        "window.seen = {}; new MutationObserver(() => { for (const row of document.querySelectorAll('.events .row code')) "
        "window.seen[row.innerText] ??= Date.now() / 1000 }).observe(document.querySelector('.events'), {childList: true, subtree: true})"
    )
    best = 60.0
    for number in range(20):
        began = time.time()
        live.run(began, "live-session", "/tmp", f"echo measured {number}", 0.0)
        best = min(best, page.wait(f"window.seen['echo measured {number}']") - began)
        if best < 0.5:
            break
    assert best < 0.5


def test_a_mark_opens_why_and_escape_closes_it(page):
    page.click(".mark.stopped")
    page.wait("!document.querySelector('#why').hidden")
    page.wait("document.querySelector('#why h2').innerText.includes('Stopped')")
    assert page.run("location.hash").startswith("#") is True
    assert "id=" in page.run("location.hash")
    page.press("Escape")
    page.wait("document.querySelector('#why').hidden")


def test_filters_narrow_the_list_and_can_be_removed(page):
    page.click(".figure[aria-pressed]:nth-of-type(2), .figure:nth-child(2)")
    page.wait("document.querySelector('.figure:nth-child(2)').getAttribute('aria-pressed') == 'true'")
    page.wait(
        "[...document.querySelectorAll('.events .row .shape')].every((each) => each.classList.contains('stopped'))"
    )
    page.click(".chip")
    page.wait("document.querySelectorAll('.events .shape.silent').length > 0")
    page.run("document.querySelector('#search').focus()")
    page.type("terraform")
    page.wait(
        "document.querySelectorAll('.events .row').length && [...document.querySelectorAll('.events .row')].every((each) => each.innerText.includes('terraform'))"
    )
    page.run(
        "document.querySelector('#search').value = ''; document.querySelector('#search').dispatchEvent(new Event('input'))"
    )
    page.wait("document.querySelectorAll('.events .row').length > 20")
    page.click(".lane-label")
    page.wait("location.hash.includes('session=')")
    page.wait("document.querySelectorAll('.events .row').length > 3")


def test_everything_is_reached_by_keyboard(page):
    page.press("/")
    assert page.run("document.activeElement.id") == "search"
    page.press("Escape")
    page.press("j")
    page.press("j")
    page.wait("document.activeElement.classList.contains('row')")
    second = page.run("document.activeElement.dataset.id")
    page.press("k")
    page.press("ArrowDown")
    assert page.run("document.activeElement.dataset.id") == second
    page.press("Enter")
    page.wait("!document.querySelector('#why').hidden")
    page.wait("document.activeElement.id == 'why'")
    page.press("Escape")
    page.wait("document.activeElement.dataset.id == " + json.dumps(second))
    page.press("2")
    page.wait(f"{READY} == 'background'")
    page.run("document.querySelector('#tab-background').focus()")
    page.press("ArrowRight")
    page.wait("document.activeElement.id == 'tab-questions'")
    page.press("1")
    page.wait(f"{READY} == 'timeline' && document.querySelector('.mark[tabindex=\"0\"]')")
    page.run("document.querySelector('.mark[tabindex=\"0\"]').focus()")
    first = page.run("document.activeElement.dataset.id")
    page.press("ArrowDown")
    page.wait(f"document.activeElement.matches('.mark') && document.activeElement.dataset.id != {json.dumps(first)}")
    second = page.run("document.activeElement.dataset.id")
    page.show(1100, 900)  # everything is drawn again
    page.wait("document.querySelector('.axis').clientWidth < 900")
    assert page.run("document.activeElement.dataset.id") == second
    page.press("Enter")
    page.wait("!document.querySelector('#why').hidden")


def test_hostile_text_is_shown_and_never_executed(page, live, home):
    page.wait(LIVE)
    project = f"/tmp/{HOSTILE[0]}\n{HOSTILE[5]}"
    for number, text in enumerate(HOSTILE):
        live.run(time.time(), f"s{number}{text}", project, f"rm -rf / {text}", 1.0)
        live.play("Notification", time.time(), f"s{number}", project, message=text)
    page.wait(
        f"[...document.querySelectorAll('.events .row')].filter((each) => each.innerText.includes('rm -rf /')).length >= {len(HOSTILE)}"
    )
    for view in ("timeline", "background", "questions", "time", "hooks", "durations", "whatif"):
        page.run(f"location.hash = 'view={view}&project={quote(project)}'")
        page.wait(f"{READY} == '{view}'")
    page.run("location.hash = 'view=timeline&text=' + encodeURIComponent('rm -rf / <img')")
    page.wait(
        "document.querySelectorAll('.events .row').length == 1 && document.querySelector('.events .row').innerText.includes('<img')"
    )
    page.click(".events .row")
    page.wait("document.querySelector('#why').innerText.includes('<img src=x onerror')")
    assert page.run("window.hacked") is None
    assert page.run("document.querySelectorAll('main img, aside img, main script, aside script').length") == 0
    page.run("location.hash = 'view=timeline&text=owned'")
    page.wait(
        "document.querySelectorAll('.events .row').length >= 1 && document.querySelector('.events .row').innerText.includes('owned')"
    )
    assert "\\u001b[2J" in page.text(".events")
    hidden = page.run(
        "/[\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]/.test(document.body.innerText.replaceAll('\\t', ''))"
    )
    assert hidden is False
    copied = page.run("[...document.querySelectorAll('.copy')].map((each) => each.title).join('')")
    assert "\n" not in copied.replace("\\n", "")


@pytest.mark.parametrize("address", ["?token=wrong", ""])
def test_without_the_token_there_is_nothing(browser, server, address):
    page = browser.open(f"http://127.0.0.1:{server.access.port}/{address}")
    page.wait("document.body.innerText.includes('this page needs its token')")
    assert page.run("document.querySelector('script')") is None
    page.close()


def test_another_host_name_gets_nothing(browser, server):
    """A name that points to this machine, as a rebinding site would have."""
    page = browser.open(f"http://rebound.localhost:{server.access.port}/?token={server.access.token}")
    page.wait("document.body.innerText.includes('this host name is not ours')")
    assert page.run("document.cookie") == ""
    page.close()


@pytest.mark.parametrize(
    ("view", "words"),
    [
        ("background", ("Earlier", "cargo test", "hookwright off auto_background --here")),
        ("questions", ("Who answered", "Which test runner", "hookwright questions forget")),
        ("time", ("By command", "make check", "By project")),
        ("hooks", ("command_guard", "hookwright off command_guard", "99 of 100 within")),
        ("durations", ("Learned durations", "median", "hookwright explain")),
        ("whatif", ("What if it were configured differently?", "command_guard", "Replay the past")),
    ],
)
def test_every_view_shows_its_part_and_fits_a_phone(page, home, view, words):
    project = f"&project={home}/work/shop" if view == "durations" else ""
    page.run(f"location.hash = 'view={view}{project}'")
    page.wait(f"{READY} == '{view}'")
    for text in words:
        page.wait(f"document.querySelector('main').innerText.includes({json.dumps(text)})")
    for width in (390, 1280):
        page.show(width, 800)
        page.wait("document.documentElement.scrollWidth <= innerWidth")


def test_a_running_command_is_on_the_page_with_its_expected_end(page, live, tmp_path):
    live.now = time.time()
    output = tmp_path / "bg-session/tasks/b77.output"
    output.parent.mkdir(parents=True)
    with output.open("wb") as file:
        process = subprocess.Popen(["sleep", "600"], stdout=file, start_new_session=True)
    try:
        project = str(next(Path(live.home, "work").iterdir()))
        live.run(time.time() - 5, "bg-session", project, "npm run build", 1e5, task="b77")
        page.run("location.hash = 'view=background'")
        page.wait("document.querySelector('.task .progress')")
        page.wait("document.querySelector('main').innerText.includes('hookwright background end b77')")
        assert page.text("#tab-background .badge") == "1"
    finally:
        process.kill()
        process.wait()


def test_what_if_draws_the_difference(page, home):
    """Past calls are in the client's transcripts; with the guard off nothing is stopped."""
    folder = home / ".claude/projects/-tmp"
    folder.mkdir(parents=True, exist_ok=True)
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() - 600))
    common = {"sessionId": "t1", "cwd": "/tmp", "version": "2.1.325", "timestamp": stamp}
    call = {"type": "tool_use", "id": "toolu_x", "name": "Bash", "input": {"command": "git push --force origin main"}}
    result = {"type": "tool_result", "tool_use_id": "toolu_x", "content": "ok"}
    lines = [
        {"type": "assistant", "uuid": "1", **common, "message": {"role": "assistant", "content": [call]}},
        {
            "type": "user",
            "uuid": "2",
            **common,
            "message": {"role": "user", "content": [result]},
            "toolUseResult": {"stdout": ""},
        },
    ]
    (folder / "t1.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    page.run("location.hash = 'view=whatif'")
    page.wait(f"{READY} == 'whatif'")
    page.run(
        "(() => { const label = [...document.querySelectorAll('.modes label')].find((each) => each.innerText.includes('command_guard'));"
        " const select = label.querySelector('select'); select.value = 'off'; select.dispatchEvent(new Event('change')) })()"
    )
    page.run("document.querySelector('form').requestSubmit()")
    page.wait("document.querySelector('main').innerText.includes('The difference')")
    shown = page.text("main")
    assert "1 past call" in shown
    assert "git push --force origin main" in shown
    assert "hookwright off command_guard" in shown
    assert "1 now" in shown
    assert "0 (−1)" in shown


def test_light_and_dark_differ_and_can_be_switched(page):
    colour = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.run(colour)
    page.show(scheme="dark")
    dark = page.run(colour)
    assert light != dark
    page.click("#theme")
    assert page.run(colour) == light


CONTRAST = """
(() => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => { const f = (v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4 }; return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b) };
  const behind = (element) => { for (let at = element; at; at = at.parentElement) { const c = parse(getComputedStyle(at).backgroundColor); if (c.length < 4 || c[3] > 0.99) return c } return [255, 255, 255] };
  const bad = [];
  for (const element of document.querySelectorAll('body *')) {
    if (![...element.childNodes].some((each) => each.nodeType == 3 && each.data.trim()) || !element.offsetParent || element.closest('.hidden, .skip')) continue;
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) bad.push([element.className, element.innerText.slice(0, 30), ratio]);
  }
  return bad;
})()
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast_and_every_control_a_name(page, scheme):
    page.show(scheme=scheme)
    for view in ("timeline", "background", "hooks", "durations"):
        page.run(f"location.hash = 'view={view}'")
        page.wait(f"{READY} == '{view}'")
        page.wait(f"({CONTRAST}).length == 0")  # colours fade in
    page.run("location.hash = 'view=timeline'")
    page.wait("document.querySelector('.mark')")
    tree = page.call("Accessibility.getFullAXTree")["nodes"]
    unnamed = [
        node["nodeId"] for node in tree
        if node.get("role", {}).get("value") in ("button", "tab", "radio", "combobox", "searchbox", "link", "textbox")
        and not node.get("ignored") and not node.get("name", {}).get("value")
    ]  # fmt: skip
    assert unnamed == []


def test_the_page_says_when_its_server_has_ended(browser, home):
    server = PageServer(f"{home}/.local/state/hookwright", 0)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    page = browser.open(server.access.url)
    page.wait(LIVE)
    server.shutdown()
    server.close()
    page.wait("document.documentElement.dataset.live == 'off'")
    page.wait("document.querySelector('#live-text').innerText.includes('not connected')")
    page.close()
