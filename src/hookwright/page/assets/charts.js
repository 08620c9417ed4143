// Charts as plain SVG: a width in, an element out. Each has a text alternative.

import { day, duration, number, shortClock, svg } from "./dom.js";

const STEPS = [60, 300, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800, 1209600];

// Ticks of a time axis, on whole local hours and days.
export function timeTicks(since, until, width) {
  const wanted = Math.max(2, Math.floor(width / 90));
  const step = STEPS.find((one) => (until - since) / one <= wanted) ?? STEPS[STEPS.length - 1];
  const start = new Date(since * 1000);
  const zero = new Date(start.getFullYear(), start.getMonth(), start.getDate()).getTime() / 1000;
  const ticks = [];
  for (let at = zero; at < until; at += step) if (at > since) ticks.push({ at, label: step >= 86400 ? day(at) : shortClock(at) });
  return ticks;
}

function frame(width, height, label, ...children) {
  return svg("svg", { class: "chart", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, children);
}

// Seconds (or counts) per day or hour.
export function columns(series, { width, height = 140, step, since, until, format = duration, label }) {
  const left = 44, bottom = 20, top = 8;
  const first = Math.floor(since / step), last = Math.floor((until - 1) / step);
  const n = Math.max(1, last - first + 1);
  const most = Math.max(1e-9, ...series.map(([, value]) => value));
  const room = (width - left) / n;
  const y = (value) => top + (height - top - bottom) * (1 - value / most);
  const parts = [0, 0.5, 1].map((share) => [
    svg("line", { class: "line", x1: left, x2: width, y1: y(most * share), y2: y(most * share) }),
    svg("text", { x: left - 6, y: y(most * share) + 4, "text-anchor": "end" }, share ? format(most * share) : "0"),
  ]);
  for (const [at, value] of series) {
    const x = left + (Math.floor(at / step) - first) * room;
    parts.push(svg("rect", { class: "bar", x: x + Math.min(2, room * 0.1), y: y(value), width: Math.max(1, room - Math.min(4, room * 0.2)), height: Math.max(0.5, height - bottom - y(value)), rx: Math.min(3, room / 4) },
      svg("title", {}, `${step >= 86400 ? day(at) : shortClock(at)}: ${format(value)}`)));
  }
  const every = Math.max(1, Math.ceil(n / Math.max(2, Math.floor((width - left) / 70))));
  for (let i = 0; i < n; i += every) {
    const at = (first + i) * step;
    parts.push(svg("text", { x: left + i * room + room / 2, y: height - 4, "text-anchor": "middle" }, step >= 86400 ? day(at + 43200) : shortClock(at)));
  }
  return frame(width, height, label, parts);
}

// A learned duration on a logarithmic axis: the distribution, the runs as dots, median and 90th percentile.
export const DURATION_TICKS = [0.1, 1, 10, 60, 600, 3600];
const LOW = Math.log(0.01), HIGH = Math.log(7200);
export const durationX = (seconds, width) => width * Math.min(1, Math.max(0, (Math.log(Math.max(seconds, 1e-3)) - LOW) / (HIGH - LOW)));

function studentDensity(x, freedom) {
  return (1 + x * x / freedom) ** (-(freedom + 1) / 2);
}

export function distribution(row, { width, height = 46, limit }) {
  const floor = height - 8;
  const points = [];
  for (let i = 0; i <= 80; i++) {
    const at = LOW + (HIGH - LOW) * i / 80;
    points.push(`${(width * i / 80).toFixed(1)} ${(floor - (floor - 4) * studentDensity((at - row.m) / row.scale, row.freedom)).toFixed(1)}`);
  }
  const x = (seconds) => durationX(seconds, width);
  const mark = (kind, seconds) => svg("line", { class: kind, x1: x(seconds), x2: x(seconds), y1: 2, y2: floor });
  return frame(width, height, `median ${duration(row.median_s)}, nine of ten within ${duration(row.p90_s)}, ${Math.round(row.p_long * 100)} % longer than ${duration(limit)}`,
    svg("path", { class: "curve", d: `M0 ${floor}L${points.join("L")}L${width} ${floor}` }),
    mark("limit", limit), mark("middle", row.median_s), mark("late", row.p90_s),
    row.dots.map(([, seconds, kind], i) => svg("circle", { class: kind === "exact" ? "dot" : "dot bound", cx: x(seconds), cy: floor + 3 - (i % 3) * 1.5, r: 2.2 },
      svg("title", {}, `${duration(seconds)}${kind === "exact" ? "" : kind === "least" ? " at least" : " at most"}`))));
}

export function durationAxis(width) {
  return frame(width, 16, "seconds, logarithmic", DURATION_TICKS.map((seconds) => svg("text", { x: durationX(seconds, width), y: 12, "text-anchor": "middle" }, duration(seconds))));
}

// How long a hook took, in powers of two.
export function histogram(pairs, { width, height = 40, label }) {
  const most = Math.max(1, ...pairs.map(([, n]) => n));
  const room = width / 20;
  return frame(width, height, label,
    pairs.map(([bits, n]) => svg("rect", { class: "bar", x: Math.min(19, bits - 1) * room + 1, width: Math.max(1, room - 2), y: (height - 12) * (1 - n / most), height: Math.max(1, (height - 12) * n / most), rx: 1.5 },
      svg("title", {}, `under ${number(2 ** bits)} µs: ${number(n)}`))),
    svg("line", { class: "line", x1: 0, x2: width, y1: height - 12, y2: height - 12 }),
    [[3, "8 µs"], [7, "128 µs"], [11, "2 ms"], [15, "33 ms"], [19, "0.5 s"]].map(([bits, text]) => svg("text", { x: bits * room, y: height - 1, "text-anchor": "middle" }, text)));
}

// Before and after a changed configuration.
export function comparison(rows, { width }) {
  const left = Math.min(190, width * 0.42), right = 92, line = 44;
  const most = Math.max(1, ...rows.flatMap((row) => [row.before, row.after]));
  const size = (value) => Math.max(value ? 2 : 0, (width - left - right) * value / most);
  const label = rows.map((row) => `${row.name}: ${row.before} before, ${row.after} after`).join("; ");
  return frame(width, rows.length * line, label, rows.map((row, i) => {
    const y = i * line + 6, change = row.after - row.before;
    const kind = change > 0 ? "more" : change < 0 ? "fewer" : "before";
    return [
      svg("text", { class: "value", x: 0, y: y + 18 }, row.name),
      svg("rect", { class: "bar before", x: left, y, width: size(row.before), height: 12, rx: 3 }),
      svg("rect", { class: `bar ${kind}`, x: left, y: y + 15, width: size(row.after), height: 12, rx: 3 }),
      svg("text", { x: left + size(row.before) + 6, y: y + 10 }, `${number(row.before)} now`),
      svg("text", { class: "value", x: left + size(row.after) + 6, y: y + 25 }, `${number(row.after)}${change ? ` (${change > 0 ? "+" : "−"}${number(Math.abs(change))})` : " the same"}`),
    ];
  }));
}

export function spark(series, { width, height = 24, since, until, step = 86400, label }) {
  const n = Math.max(1, Math.ceil((until - since) / step));
  const most = Math.max(1, ...series.map(([, value]) => value));
  const room = width / n;
  return frame(width, height, label, series.map(([at, value]) => svg("rect", { class: "bar", x: Math.max(0, Math.floor((at - since) / step)) * room, width: Math.max(1, room - 1), y: height * (1 - value / most), height: Math.max(1, height * value / most) },
    svg("title", {}, `${day(at + 43200)}: ${number(value)}`))));
}
