// The page: state in the address, figures, tabs, keyboard, the live stream.

import { KINDS, ask, count, day, duration, h, lastPart, number, plain, replace, shape } from "./dom.js";
import { Timeline } from "./timeline.js";
import { drawBackground, drawDurations, drawHooks, drawQuestions, drawTime, drawWhatIf, drawWhy } from "./views.js";

const VIEWS = {
  timeline: { label: "Timeline" },
  background: { label: "Background", draw: drawBackground },
  questions: { label: "Questions", draw: drawQuestions },
  time: { label: "Where time goes", draw: drawTime },
  hooks: { label: "Hooks", draw: drawHooks },
  durations: { label: "Durations", draw: drawDurations },
  whatif: { label: "What if", draw: drawWhatIf },
};
const SPANS = ["1h", "24h", "7d", "30d", "90d"];
const FIGURES = ["stopped", "asked", "moved", "answered", "approved"];
const $ = (id) => document.getElementById(id);

class Page {
  constructor() {
    this.main = $("main");
    this.why = $("why");
    this.badges = {};
    this.readAddress();
    this.timeline = new Timeline(this);
    this.drawTools();
    this.drawTabs();
    addEventListener("hashchange", () => { if (this.writing) return; this.readAddress(); this.syncTools(); this.show(); });
    addEventListener("keydown", (event) => this.onKey(event));
  }

  // --- state: everything that is chosen is in the address, so that back and reload work
  readAddress() {
    const from = new URLSearchParams(location.hash.slice(1));
    const get = (name) => from.get(name) ?? "";
    this.isStill = from.has("still");
    this.state = {
      view: get("view") in VIEWS ? get("view") : "timeline",
      span: SPANS.includes(get("span")) ? get("span") : "24h",
      every: get("every"), project: get("project"), session: get("session"), hook: get("hook"), text: get("text"), id: get("id"),
      kinds: get("kinds").split(",").filter((kind) => kind in KINDS),
      from: Number(get("from")) || "", to: Number(get("to")) || "",
    };
  }

  writeAddress() {
    const into = new URLSearchParams();
    for (const [name, value] of Object.entries(this.state)) {
      const text = Array.isArray(value) ? value.join(",") : String(value ?? "");
      if (text && !(name === "view" && text === "timeline") && !(name === "span" && text === "24h")) into.set(name, text);
    }
    if (this.isStill) into.set("still", "");
    this.writing = true;
    history.pushState(null, "", `#${into}`);
    this.writing = false;
  }

  async set(change) {
    Object.assign(this.state, change);
    this.writeAddress();
    this.syncTools();
    await this.show();
  }

  // --- tools
  drawTools() {
    replace($("spans"), SPANS.map((span) => h("button", { type: "button", role: "radio", data: { span }, onclick: () => this.set({ span, from: "", to: "" }) }, span)));
    $("spans").addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      const next = SPANS[(SPANS.indexOf(this.state.span) + by + SPANS.length) % SPANS.length];
      this.set({ span: next }).then(() => $("spans").querySelector('[aria-checked="true"]').focus());
    });
    $("project").addEventListener("change", () => this.set({ project: $("project").value, session: "" }));
    let timer;
    $("search").addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(() => this.set({ view: "timeline", text: $("search").value.trim() }), 200); });
    $("theme").addEventListener("click", () => {
      const isDark = (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
      document.documentElement.dataset.theme = isDark ? "light" : "dark";
      localStorage.setItem("theme", document.documentElement.dataset.theme);
    });
    const theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    $("help").addEventListener("click", () => this.showKeys());
    this.syncTools();
  }

  syncTools() {
    for (const button of $("spans").children) {
      const isChosen = button.dataset.span === this.state.span;
      button.setAttribute("aria-checked", String(isChosen));
      button.tabIndex = isChosen ? 0 : -1;
    }
    if (document.activeElement !== $("search")) $("search").value = this.state.text;
    if ($("project").value !== this.state.project) this.drawProjects(this.projects ?? []);
    for (const tab of $("tabs").children) {
      const isChosen = tab.dataset.view === this.state.view;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      if (isChosen) $("tabs").scrollLeft = Math.max(0, tab.offsetLeft - $("tabs").offsetLeft - 60);
    }
  }

  drawProjects(projects) {
    this.projects = projects;
    const all = this.state.project && !projects.includes(this.state.project) ? [this.state.project, ...projects] : projects;
    const names = all.map(lastPart);
    replace($("project"), h("option", { value: "" }, "All projects"), all.map((project, i) => h("option", { value: project, title: plain(project) }, names.indexOf(names[i]) === names.lastIndexOf(names[i]) ? names[i] : plain(project))));
    $("project").value = this.state.project;
  }

  drawTabs() {
    replace($("tabs"), Object.entries(VIEWS).map(([view, { label }]) => h("button", { type: "button", role: "tab", id: `tab-${view}`, "aria-controls": "main", data: { view }, onclick: () => this.set({ view }) }, label, h("span", { class: "badge", hidden: true }))));
    $("tabs").addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      const names = Object.keys(VIEWS);
      const next = names[(names.indexOf(this.state.view) + by + names.length) % names.length];
      this.set({ view: next }).then(() => $(`tab-${next}`).focus());
    });
    this.syncTools();
  }

  setBadge(view, n, isLate = false) {
    const badge = $(`tab-${view}`).querySelector(".badge");
    badge.hidden = !n;
    badge.textContent = n;
    badge.classList.toggle("late", isLate);
  }

  // --- views
  async show() {
    const { view } = this.state;
    this.main.setAttribute("aria-labelledby", `tab-${view}`);
    this.main.setAttribute("role", "tabpanel");
    const shown = this.showing = Symbol(view);
    try {
      const summary = this.loadSummary();
      if (view === "timeline") {
        if (this.main.firstChild !== this.timeline.element) replace(this.main, this.timeline.element);
        await this.timeline.load();
      } else {
        const drawn = await VIEWS[view].draw(this);
        if (this.showing === shown) replace(this.main, drawn);
      }
      await summary;
      if (this.state.id && (this.why.hidden || this.shownId !== this.state.id)) await this.openWhy(this.state.id, { focus: false, keep: true });
      if (!this.state.id && !this.why.hidden) this.closeWhy();
    } catch (error) {
      this.tell(error.message);
    }
    document.documentElement.dataset.ready = view;
  }

  async loadSummary() {
    const { span, project } = this.state;
    const found = await ask("summary", { span, project });
    this.figures = found.figures;
    this.drawProjects(found.projects);
    this.drawFigures();
    $("ledger").textContent = `hookwright ${found.version} · ${count(found.ledger.events, "event")} in the ledger${found.ledger.first ? ` since ${day(found.ledger.first)}` : ""}`;
    this.tell(found.problem ? found.problem : found.catching_up ? "The journal is being read into the ledger; older events appear when that is done." : "");
  }

  drawFigures() {
    const { kinds } = this.state;
    replace($("figures"),
      h("div", { class: "figure" }, h("div", { class: "name" }, "Time not waited"), h("div", { class: "value" }, duration(this.figures.seconds_saved)), h("div", { class: "sub" }, `in ${count(this.figures.moved, "moved command")}`)),
      FIGURES.map((kind) => h("button", { type: "button", class: "figure", "aria-pressed": String(kinds.includes(kind)), title: `Show only: ${KINDS[kind].label.toLowerCase()}`,
        onclick: () => this.set({ view: "timeline", kinds: kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [kind] }).then(() => this.drawFigures()) },
        h("div", { class: "name" }, shape(kind, 12), KINDS[kind].label), h("div", { class: "value" }, number(this.figures[kind])), h("div", { class: "sub" }, KINDS[kind].help))));
  }

  tell(text) {
    $("notice").hidden = !text;
    $("notice").textContent = plain(text).replaceAll("⏎", "\n");
  }

  // --- why
  async openWhy(id, { focus = true, keep = false } = {}) {
    this.state.id = id;
    if (!keep) this.writeAddress();
    this.returnTo = focus && !this.why.contains(document.activeElement) ? document.activeElement : this.returnTo;
    try {
      const found = await ask("why", { id });
      if (this.state.id !== id) return;
      this.shownId = id;
      replace(this.why, drawWhy(this, found));
    } catch (error) {
      replace(this.why, h("div", { class: "why-head" }, h("h2", {}, "Why"), h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: () => this.closeWhy() }, "×")), h("p", { class: "bad" }, plain(error.message)));
    }
    this.why.hidden = false;
    this.why.scrollTop = 0;
    this.why.parentElement.classList.add("with-why");
    this.timeline.markCurrent();
    if (focus) this.why.focus({ preventScroll: true });
  }

  closeWhy() {
    this.why.hidden = true;
    this.shownId = "";
    this.why.parentElement.classList.remove("with-why");
    if (this.state.id) {
      this.state.id = "";
      this.writeAddress();
    }
    this.timeline.markCurrent();
    if (this.returnTo?.isConnected) this.returnTo.focus({ preventScroll: true });
  }

  // --- keyboard
  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = event.target.matches?.("input, textarea, select");
    if (event.key === "Escape") {
      if (isTyping) event.target.blur();
      else if (!this.why.hidden) this.closeWhy();
      return;
    }
    if (isTyping) {
      if (event.key === "Enter" && event.target === $("search")) this.timeline.step(1);
      return;
    }
    const views = Object.keys(VIEWS);
    if (event.key === "/") { event.preventDefault(); $("search").focus(); $("search").select(); }
    else if (event.key === "?") this.showKeys();
    else if (event.key >= "1" && event.key <= String(views.length)) this.set({ view: views[Number(event.key) - 1] });
    else if (["j", "k"].includes(event.key) && this.state.view === "timeline" && !event.target.closest?.(".events")) { event.preventDefault(); this.timeline.step(event.key === "j" ? 1 : -1); }
  }

  showKeys() {
    const keys = [["/", "search"], ["j  k", "next, previous event"], ["↑ ↓ ← →", "along the lanes and lists"], ["Enter", "open why"], ["Esc", "close"], ["1 – 7", "views"], ["?", "this list"]];
    replace($("keys"), h("h2", { id: "keys-title" }, "Keyboard"), h("table", {}, h("tbody", {}, keys.map(([key, does]) => h("tr", {}, h("td", {}, h("kbd", {}, key)), h("td", {}, does))))), h("p", {}, h("button", { type: "button", class: "quiet", onclick: () => $("keys").close() }, "Close")));
    $("keys").showModal();
  }

  // --- live
  connect() {
    if (this.isStill) {
      $("live-text").textContent = "not live";
      return;
    }
    const stream = new EventSource("api/live");
    const state = (on, text) => { $("live").className = `live ${on ? "on" : "off"}`; $("live-text").textContent = text; };
    stream.addEventListener("open", () => { state(true, "live"); document.documentElement.dataset.live = "on"; });
    stream.addEventListener("error", () => { state(false, stream.readyState === EventSource.CLOSED ? "ended: run hookwright open again" : "not connected, trying again"); document.documentElement.dataset.live = "off"; });
    stream.addEventListener("record", (event) => this.addLive(JSON.parse(event.data)));
    stream.addEventListener("ledger", () => this.refreshSoon());
    stream.addEventListener("gap", () => this.show());
  }

  addLive(row) {
    this.timeline.addLive(row);
    if (this.figures && (!this.state.project || this.state.project === row.project)) {
      this.figures.events += 1;
      if (row.kind in this.figures) this.figures[row.kind] += 1;
      this.drawFigures();
    }
  }

  // The ledger has news: figures and views that are made of it are read again, at most every few seconds.
  refreshSoon() {
    if (this.refreshing) return;
    this.refreshing = setTimeout(() => {
      this.refreshing = 0;
      if (document.hidden || this.state.view === "whatif") return;
      if (this.state.view === "timeline") {
        this.loadSummary().catch((error) => this.tell(error.message));
        if (!this.timeline.rows.length || !this.timeline.lanes.length) this.timeline.load().catch(() => {});
      } else this.show();
    }, this.timeline.rows.length ? 3000 : 50);
  }
}

const page = new Page();
page.connect();
page.show().then(() => drawBackground(page)).catch(() => {});
