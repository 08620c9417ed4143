// Build elements. Text from commands, files and repositories only ever becomes a text node.

const SVG = "http://www.w3.org/2000/svg";

export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
    else if (name === "data") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

export function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

// What moves a cursor, hides text or shows it in another order is made visible.
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

export function plain(text) {
  if (text === null || text === undefined) return "";
  return String(text).replace(HIDDEN, (c) => c === "\n" ? "⏎" : c === "\t" ? " " : `\\u${c.codePointAt(0).toString(16).padStart(4, "0")}`);
}

export function lastPart(path) {
  const parts = plain(path).split("/").filter(Boolean);
  return parts[parts.length - 1] ?? "";
}

// --- times and numbers
const TIME = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
const SHORT = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hour12: false });
const DAY = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium", hour12: false });
const WHOLE = new Intl.NumberFormat("en");

const date = (seconds) => new Date(seconds * 1000);
export const clock = (seconds) => TIME.format(date(seconds));
export const shortClock = (seconds) => SHORT.format(date(seconds));
export const day = (seconds) => DAY.format(date(seconds));
export const moment = (seconds) => FULL.format(date(seconds));
export const number = (value) => WHOLE.format(value);

export function when(seconds, now = Date.now() / 1000) {
  return new Date(seconds * 1000).toDateString() === new Date(now * 1000).toDateString() ? clock(seconds) : `${day(seconds)} ${shortClock(seconds)}`;
}

export function duration(seconds) {
  if (seconds === null || seconds === undefined || !isFinite(seconds)) return "–";
  if (seconds < 0) return `−${duration(-seconds)}`;
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172800) return `${(seconds / 3600).toFixed(1)} h`;
  return `${(seconds / 86400).toFixed(1)} d`;
}

export function micros(value) {
  return value === null || value === undefined ? "–" : `${number(value)} µs`;
}

export function count(n, one, many = `${one}s`) {
  return `${number(n)} ${n === 1 ? one : many}`;
}

// --- kinds of answers: a shape and a colour each, never a colour alone
export const KINDS = {
  stopped: { label: "Stopped", help: "denied or blocked" },
  asked: { label: "Asked", help: "left to you" },
  moved: { label: "Moved", help: "to the background" },
  answered: { label: "Answered", help: "questions, for you" },
  approved: { label: "Approved", help: "without a prompt" },
  noted: { label: "Noted", help: "context or another change" },
};

export function shapePath(kind, x, y, r) {
  switch (kind) {
    case "stopped": return `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`;
    case "asked": return `M${x} ${y - r * 1.3}l${r * 1.3} ${r * 1.3}l${-r * 1.3} ${r * 1.3}l${-r * 1.3} ${-r * 1.3}z`;
    case "moved": return `M${x - r} ${y - r * 1.15}l${2.1 * r} ${r * 1.15}l${-2.1 * r} ${r * 1.15}z`;
    case "answered": return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
    case "approved": return `M${x - r} ${y}l${r * 0.7} ${r * 0.8}l${r * 1.3} ${-r * 1.6}`;
    default: return `M${x} ${y - r}v${2 * r}`;
  }
}

export function shape(kind, size = 12) {
  return svg("svg", { class: `shape ${kind || "silent"}`, width: size, height: size, viewBox: "0 0 12 12", "aria-hidden": "true" },
    kind ? svg("path", { d: shapePath(kind, 6, 6, 4) }) : svg("circle", { cx: 6, cy: 6, r: 1.6 }));
}

// --- commands to copy
export function commandList(commands) {
  return h("ul", { class: "commands" }, commands.map((one) => h("li", {}, copyable(one.command), h("span", { class: "does" }, plain(one.does)))));
}

export function copyable(command, { short = false } = {}) {
  const shown = plain(command);
  const label = short ? shown.replace(/^cd (?:'[^']*'|\S+) && /, "") : shown;
  const mark = h("span", { class: "copy-mark", "aria-hidden": "true" }, copyIcon());
  const button = h("button", { type: "button", class: short ? "copy short" : "copy", title: `Copy: ${shown}`, "aria-label": `Copy the command ${shown}` },
    h("code", {}, label), mark);
  button.addEventListener("click", async (event) => {
    event.stopPropagation();
    const done = await copy(command);
    replace(mark, done ? "copied" : "select it");
    announce(done ? "Copied" : "Copying is not possible here; select the text");
    setTimeout(() => replace(mark, copyIcon()), 1500);
  });
  return button;
}

function copyIcon() {
  return svg("svg", { width: 12, height: 12, viewBox: "0 0 12 12", class: "copy-icon" }, svg("path", { d: "M4 3.5V1.5a1 1 0 0 1 1-1h5a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H8.5M1.5 4.5h5a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1h-5a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1z" }));
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

export function announce(text) {
  const place = document.getElementById("announcer");
  if (place) place.textContent = text;
}

// --- requests
export async function ask(name, parameters = {}, options = {}) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) if (value !== "" && value !== null && value !== undefined) query.set(key, value);
  let response;
  try {
    response = await fetch(`api/${name}?${query}`, { credentials: "same-origin", cache: "no-store", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The page's server does not answer. It ends when its terminal is closed: run hookwright open again.");
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) {
    const error = new Error([body.error ?? `error ${response.status}`, body.fix && `Try: ${body.fix}`].filter(Boolean).join(". "));
    error.status = response.status;
    throw error;
  }
  return body;
}

export function empty(title, text, command) {
  return h("div", { class: "empty" }, h("strong", {}, title), h("p", {}, text), command && copyable(command));
}

export function card(title, note, ...children) {
  return h("section", { class: "card" }, h("div", { class: "card-head" }, h("h2", {}, title), note && h("span", { class: "note" }, note)), children);
}
