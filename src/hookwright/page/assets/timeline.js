// The timeline: sessions as lanes with marks, and the list of events below it.

import { timeTicks } from "./charts.js";
import { KINDS, announce, ask, clock, copyable, count, duration, empty, h, lastPart, moment, number, plain, replace, shape, shapePath, shortClock, svg, when } from "./dom.js";

const TRACK = 36, GAP = 9, FIRST_LANES = 8;

export class Timeline {
  constructor(page) {
    this.page = page;
    this.lanes = [];
    this.rows = [];
    this.recent = [];  // live events: the ledger may not have them when the list is read again
    this.fresh = new Map();  // id → when it came
    this.list = h("ol", { class: "events", "aria-label": "Events, newest first" });
    this.lanesBox = h("div", { class: "lanes" });
    this.chips = h("div", { class: "chips" });
    this.moreLanes = h("button", { type: "button", class: "more", hidden: true, onclick: () => this.showMoreLanes() });
    this.moreRows = h("button", { type: "button", class: "more", hidden: true, onclick: () => this.loadRows(this.next) }, "Earlier events");
    this.note = h("span", { class: "note" });
    this.lanesNote = h("span", { class: "note" });
    this.element = h("div", {},
      h("section", { class: "card", "aria-label": "Sessions" },
        h("div", { class: "card-head" }, h("h2", {}, "Sessions"), legend()), this.lanesNote, this.lanesBox, this.moreLanes),
      h("section", { class: "card", "aria-label": "Events" },
        h("div", { class: "card-head" }, h("h2", {}, "What happened"), this.note), this.chips, this.list, this.moreRows));
    this.list.addEventListener("keydown", (event) => this.moveInList(event));
    this.lanesBox.addEventListener("keydown", (event) => this.moveInLanes(event));
    new ResizeObserver(() => { if (this.lanesBox.clientWidth !== this.drawnWidth) this.drawLanes(); }).observe(this.lanesBox);
  }

  async load() {
    await Promise.all([this.loadLanes(), this.loadRows()]);
  }

  // --- lanes
  async loadLanes(before = "") {
    const { span, project } = this.page.state;
    const found = await ask("timeline", { span, project, before });
    this.since = found.since;
    this.until = found.until;
    this.buckets = found.buckets;
    this.lanes = before ? [...this.lanes, ...found.lanes] : found.lanes;
    this.before = found.more;
    for (const row of this.recent) if (!before) this.addToLane(row, { counts: false });
    this.drawLanes();
  }

  // The first few, then all that are read, then earlier ones.
  showMoreLanes() {
    if (!this.showsAll && this.lanes.length > FIRST_LANES) {
      this.showsAll = true;
      this.drawLanes();
    } else this.loadLanes(this.before).catch((error) => this.page.tell(error.message));
  }

  drawLanes() {
    const box = this.lanesBox;
    const isNarrow = matchMedia("(max-width: 640px)").matches;
    this.drawnWidth = box.clientWidth;
    const width = Math.max(120, box.clientWidth - (isNarrow ? 0 : 202));
    this.width = width;
    if (!this.since) return;
    const ticks = timeTicks(this.since, this.until, width);
    if (!this.lanes.length) {
      replace(box);
      replace(this.lanesNote, empty("No session in this span", "Choose a longer span, or start Claude Code: events appear here as they happen.", "hookwright status"));
      return;
    }
    replace(this.lanesNote);
    const shown = this.showsAll ? this.lanes : this.lanes.slice(0, FIRST_LANES);
    const rest = this.lanes.length - shown.length;
    this.moreLanes.hidden = !rest && !this.before;
    this.moreLanes.textContent = rest ? `${number(rest)}${this.before ? "+" : ""} more sessions in this span` : "Earlier sessions";
    const first = box.querySelector('.mark[tabindex="0"]')?.dataset.id;
    const focused = document.activeElement;  // stays on the same mark or session when the lanes are drawn again
    const hadMark = box.contains(focused) && focused.matches(".mark");
    const hadSession = box.contains(focused) && focused.closest(".lane-label") && focused.closest(".lane").dataset.session;
    replace(box, h("span", { class: "axis-label" }), this.drawAxis(width, ticks), shown.map((lane) => this.drawLane(lane, width, ticks)));
    const start = [...box.querySelectorAll(".mark")].find((mark) => mark.dataset.id === first) ?? box.querySelector(".mark");
    start?.setAttribute("tabindex", "0");
    if (hadMark) start?.focus({ preventScroll: true });
    else if (hadSession) box.querySelector(`.lane[data-session="${CSS.escape(hadSession)}"] .lane-label`)?.focus({ preventScroll: true });
  }

  x(at) {
    return (at - this.since) / (this.until - this.since) * this.width;
  }

  drawAxis(width, ticks) {
    return svg("svg", { class: "axis", width, height: 20, viewBox: `0 0 ${width} 20`, "aria-hidden": "true" },
      ticks.map((tick) => svg("text", { x: this.x(tick.at), y: 13, "text-anchor": this.x(tick.at) < 24 ? "start" : this.x(tick.at) > width - 24 ? "end" : "middle" }, tick.label)));
  }

  drawLane(lane, width, ticks) {
    const isOpen = this.page.state.session === lane.session_id;
    const figures = ["stopped", "asked", "moved", "answered"].filter((kind) => lane[kind]).map((kind) => `${number(lane[kind])} ${kind}`);
    const label = `${lastPart(lane.project) || "no project"}, session ${plain(lane.session_id).slice(0, 8)}, ${count(lane.events, "event")}${figures.length ? `, ${figures.join(", ")}` : ""}`;
    const from = Math.max(0, this.x(lane.first)), to = Math.min(width, Math.max(this.x(lane.last), this.x(lane.first) + 3));
    const most = Math.max(1, ...lane.activity.map(([, n]) => n));
    const room = width / this.buckets;
    const isLive = this.until - lane.last < 300;
    const track = svg("svg", { class: "track", width, height: TRACK, viewBox: `0 0 ${width} ${TRACK}`, role: "group", "aria-label": `Marks of ${label}` },
      ticks.map((tick) => svg("line", { class: "grid-line", x1: this.x(tick.at), x2: this.x(tick.at), y1: 0, y2: TRACK })),
      svg("rect", { class: "base", x: from, y: TRACK - 6, width: Math.max(2, to - from), height: 3, rx: 1.5 }),
      lane.activity.map(([bucket, n]) => {
        const size = 2 + 9 * Math.sqrt(n / most);
        return svg("rect", { class: "bar", x: bucket * room + 0.5, y: TRACK - 3 - size, width: Math.max(1, room - 1), height: size, rx: 1 });
      }),
      isLive && svg("line", { class: "now", x1: Math.min(width, to) + 1, x2: Math.min(width, to) + 1, y1: 6, y2: TRACK - 2 }),
      this.groupMarks(lane).map((group) => this.drawMark(lane, group)));
    const name = h("button", { type: "button", class: "lane-label", "aria-pressed": String(isOpen), "aria-label": `Only ${label}`, title: `${plain(lane.project)}\n${plain(lane.session_id)}\n${moment(lane.first)} – ${moment(lane.last)}`,
      onclick: () => this.page.set({ session: isOpen ? "" : lane.session_id, from: "", to: "" }) },
      h("b", {}, lastPart(lane.project) || "no project"),
      h("small", {}, `${plain(lane.session_id).slice(0, 8)} · ${count(lane.events, "event")}${lane.whole ? "" : " · open it for its marks"}`));
    return h("div", { class: "lane", data: { session: lane.session_id } }, name, track);
  }

  // Marks that would cover each other become one, of the strictest kind.
  groupMarks(lane) {
    const kinds = Object.keys(KINDS);
    const wanted = this.page.state.kinds;
    const groups = [];
    for (const [id, at, kind] of lane.marks) {
      if (wanted.length && !wanted.includes(kind)) continue;
      const x = this.x(at), last = groups[groups.length - 1];
      if (last && x - last.x < GAP) {
        last.n += 1;
        last.to = at;
        if (kinds.indexOf(kind) < kinds.indexOf(last.kind)) Object.assign(last, { kind, id });
      } else groups.push({ id, kind, x, n: 1, from: at, to: at });
    }
    return groups;
  }

  drawMark(lane, group) {
    const { x, kind, n, id } = group;
    const label = n > 1 ? `${n} decisions, ${shortClock(group.from)} to ${shortClock(group.to)}, the strictest: ${KINDS[kind].label}` : `${KINDS[kind].label} at ${clock(group.from)}`;
    const open = () => n > 1 ? this.page.set({ session: lane.session_id, from: group.from - 0.001, to: group.to + 0.001 }).then(() => this.page.openWhy(id)) : this.page.openWhy(id);
    return svg("g", { class: `mark ${kind}`, role: "button", tabindex: "-1", "aria-label": label, "aria-current": this.page.state.id === id ? "true" : null, data: { id },
      onclick: open, onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); open(); } } },
      svg("title", {}, label),
      svg("rect", { class: "hit", x: x - 7, y: 0, width: 14, height: TRACK }),
      svg("path", { d: shapePath(kind, x, n > 1 ? 16 : 14, kind === "noted" || kind === "approved" ? 4 : 5) }),
      n > 1 && svg("text", { class: "many", x, y: 8 }, n > 99 ? "99+" : n));
  }

  // Arrow keys: along a lane, and from lane to lane.
  moveInLanes(event) {
    const mark = event.target.closest?.(".mark");
    if (!mark || !["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    const lanes = [...this.lanesBox.querySelectorAll(".track")].map((track) => [...track.querySelectorAll(".mark")]).filter((marks) => marks.length);
    const row = lanes.findIndex((marks) => marks.includes(mark)), column = lanes[row].indexOf(mark);
    const sideways = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    const other = sideways ? lanes[row] : lanes[row + (event.key === "ArrowUp" ? -1 : 1)];
    const next = other?.[sideways ? column + sideways : Math.min(column, other.length - 1)];
    if (!next) return;
    mark.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  }

  // --- list
  async loadRows(cursor = "") {
    const { span, project, session, kinds, hook, text, from, to } = this.page.state;
    this.page.abort?.abort();
    const abort = this.page.abort = new AbortController();
    let found;
    try {
      found = await ask("events", { span, project, session, kinds: kinds.join(","), hook, text, from, to, cursor }, { signal: abort.signal });
    } catch (error) {
      if (error.name === "AbortError") return;
      throw error;
    }
    if (!cursor) this.rows = [];
    this.rows.push(...found.events);
    if (!cursor) for (const row of this.recent) this.insert(row);
    this.next = found.next;
    this.moreRows.hidden = !found.next;
    const isShort = found.next && !found.events.length;
    this.moreRows.textContent = isShort ? `Nothing since ${moment(found.to)}: search further back` : "Earlier events";
    this.drawChips();
    this.drawList();
  }

  // A call is one row: what was said before it, and how it ended. The rows of its other events are left out.
  mergeCalls() {
    if (this.page.state.every) return this.rows.map((row) => ({ row, later: [] }));
    const calls = new Map(), tasks = new Map(), shown = [];
    for (const row of this.rows) if (row.task_id && row.tool_use_id) tasks.set(`${row.session_id} ${row.task_id}`, row.tool_use_id);
    for (const row of this.rows) {
      const call = row.tool_use_id ?? tasks.get(`${row.session_id} ${row.task_id}`);
      const name = call && row.session_id ? `${row.session_id} ${call}` : row.id;
      if (!calls.has(name)) {
        const added = { rows: [] };
        calls.set(name, added);
        shown.push(added);
      }
      calls.get(name).rows.push(row);
    }
    return shown.map(({ rows }) => {
      const row = rows.findLast((one) => one.kind || one.said.length) ?? rows[0];
      return { row, later: rows.slice(0, rows.indexOf(row)).reverse() };
    }).sort((a, b) => a.row.id < b.row.id ? 1 : -1);
  }

  drawList() {
    const focused = document.activeElement?.closest?.(".row")?.dataset.id;
    const calls = this.mergeCalls();
    replace(this.list, calls.map(({ row, later }) => this.drawRow(row, later)));
    if (!calls.length && !this.next) this.list.append(h("li", { class: "nothing" }, empty("Nothing matches", "No recorded event in this span fits the filters.", "")));
    this.note.textContent = calls.length ? `${number(calls.length)}${this.next ? "+" : ""} shown, newest first` : "";
    this.markCurrent();
    if (focused) this.list.querySelector(`.row[data-id="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  drawChips() {
    const { session, hook, text, from, kinds, every } = this.page.state;
    const chip = (label, change) => h("button", { type: "button", class: "chip", "aria-label": `Remove the filter ${label}`, onclick: () => this.page.set(change) }, `${label}  ×`);
    replace(this.chips,
      session && chip(`session ${plain(session).slice(0, 8)}`, { session: "", from: "", to: "" }),
      from && chip(`from ${clock(from)} to ${clock(this.page.state.to)}`, { from: "", to: "" }),
      hook && chip(`hook ${plain(hook)}`, { hook: "" }),
      kinds.length > 0 && chip(kinds.join(", "), { kinds: [] }),
      text && chip(`“${plain(text)}”`, { text: "" }),
      h("button", { type: "button", class: "chip", "aria-pressed": String(Boolean(every)), onclick: () => this.page.set({ every: every ? "" : "1" }) }, every ? "One row for each call" : "Every event"));
  }

  drawRow(row, later) {
    const isFresh = Date.now() - (this.fresh.get(row.id) ?? this.fresh.get(later[0]?.id) ?? 0) < 2500;
    const spoke = row.said[0];
    const failed = row.said.find((said) => said.failure);
    const name = row.command ? h("code", {}, plain(row.command)) : plain(row.tool || row.event || "problem");
    const why = h("button", { type: "button", class: `row ${row.kind ? "" : "silent-row"}`, data: { id: row.id }, onclick: () => this.page.openWhy(row.id) },
      h("time", { datetime: new Date(row.time * 1000).toISOString(), title: moment(row.time) }, when(row.time)),
      shape(row.kind, 13),
      h("span", { class: "what" }, row.kind && h("span", { class: "hidden" }, `${KINDS[row.kind].label}: `), name),
      h("span", { class: "how" }, describeCall(row, later)),
      (spoke || row.problem) && h("span", { class: "because" }, spoke && [h("b", { class: failed ? "bad" : row.kind }, `${plain(spoke.hook)} ${plain(spoke.verdict)}${spoke.mode === "shadow" ? " (shadow, not sent)" : ""}`), " ", plain(failed ? `failed: ${failed.failure}` : spoke.reason)], plain(row.problem)));
    const change = row.said.length ? row.commands[0] : null;
    return h("li", { class: isFresh ? "fresh" : null, data: { id: row.id } }, why, change && copyable(change.command, { short: true }));
  }

  markCurrent() {
    for (const row of this.list.querySelectorAll(".row")) row.toggleAttribute("aria-current", false);
    for (const mark of this.lanesBox.querySelectorAll(".mark")) mark.toggleAttribute("aria-current", false);
    for (const one of this.element.querySelectorAll(`[data-id="${CSS.escape(this.page.state.id || "-")}"]`)) if (one.matches(".row, .mark")) one.setAttribute("aria-current", "true");
  }

  moveInList(event) {
    const keys = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };
    if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.step(keys[event.key]);
  }

  // Focus the next or the previous event.
  step(by) {
    const rows = [...this.list.querySelectorAll(".row")];
    const at = rows.indexOf(document.activeElement.closest?.(".row"));
    const next = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
    if (!this.page.why.hidden && next) this.page.openWhy(next.dataset.id, { focus: false });
  }

  // --- live
  addLive(row) {
    if (this.recent.some((known) => known.id === row.id)) return;
    this.recent.push(row);
    if (this.recent.length > 300) this.recent.shift();
    if (this.addToList(row) && row.kind) announce(`${KINDS[row.kind].label}: ${plain(row.command || row.tool)}`);
    this.addToLane(row);
  }

  addToList(row) {
    if (!this.insert(row)) return false;
    this.fresh.set(row.id, Date.now());
    this.rows.length = Math.min(this.rows.length, 800);
    cancelAnimationFrame(this.listing);
    this.listing = requestAnimationFrame(() => this.drawList());
    return true;
  }

  insert(row) {
    if (!this.matches(row) || this.rows.some((known) => known.id === row.id)) return false;
    const place = this.rows.findIndex((known) => known.id < row.id);
    this.rows.splice(place < 0 ? this.rows.length : place, 0, row);
    return true;
  }

  addToLane(row, { counts = true } = {}) {
    if (!row.session_id || !this.since || (this.page.state.project && row.project !== this.page.state.project)) return;
    const span = this.until - this.since;
    if (row.time > this.until) {
      this.until = row.time + 1;
      this.since = this.until - span;
    }
    let lane = this.lanes.find((one) => one.session_id === row.session_id);
    if (!lane) {
      lane = { session_id: row.session_id, project: row.project, first: row.time, last: row.time, events: 0, stopped: 0, asked: 0, moved: 0, answered: 0, marks: [], activity: [], whole: true };
      this.lanes.unshift(lane);
    }
    lane.last = Math.max(lane.last, row.time);
    if (counts) lane.events += 1;
    if (row.kind) {
      if (counts && row.kind in lane) lane[row.kind] += 1;
      if (!lane.marks.some(([id]) => id === row.id)) lane.marks.push([row.id, row.time, row.kind]);
    }
    cancelAnimationFrame(this.drawing);
    this.drawing = requestAnimationFrame(() => this.drawLanes());
  }

  matches(row) {
    const { project, session, kinds, hook, text, from } = this.page.state;
    if (from || (project && row.project !== project) || (session && row.session_id !== session)) return false;
    if (kinds.length && !kinds.includes(row.kind)) return false;
    if (hook && !row.said.some((said) => said.hook === hook)) return false;
    const words = [row.command, row.key, row.tool, row.event, row.project, row.session_id, row.id, row.outcome, ...row.rules, ...row.said.flatMap((said) => [said.hook, said.verdict, said.reason])];
    return !text || words.some((word) => word && String(word).toLowerCase().includes(text.toLowerCase()));
  }
}

// What is known of a call: how it ended, if that is known.
function describeCall(row, later) {
  const end = later.find((one) => ["UserPromptSubmit", "BackgroundEnd"].includes(one.event)) ?? later.findLast((one) => one.outcome) ?? later[later.length - 1];
  if (!end) return describeEvent(row);
  if (end.event === "UserPromptSubmit" || end.event === "BackgroundEnd") return `${end.outcome === "ok" ? "done" : plain(end.outcome)} · ${duration(end.time - row.time)}`;
  return end.outcome === "background" ? "in the background" : describeEvent(end);
}

function describeEvent(row) {
  const parts = [];
  if (row.event === "PreToolUse") parts.push(row.kind && row.kind !== "noted" ? "" : "started");
  else if (row.outcome) parts.push(row.outcome === "ok" ? "done" : row.outcome.replace("_", " "));
  else if (row.event) parts.push(plain(row.event).replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase());
  if (row.exit_code) parts.push(`exit ${row.exit_code}`);
  if (row.duration_ms !== null && row.duration_ms !== undefined && row.outcome !== "background") parts.push(duration(row.duration_ms / 1000));
  return parts.filter(Boolean).join(" · ");
}

function legend() {
  return h("div", { class: "legend" }, ["stopped", "asked", "moved", "answered"].map((kind) => h("span", {}, shape(kind, 12), KINDS[kind].label.toLowerCase())), h("span", {}, "▂ activity"));
}
