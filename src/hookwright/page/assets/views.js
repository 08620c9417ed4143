// The other views: why, background, questions, time, hooks, durations, what if.

import { columns, comparison, distribution, durationAxis, histogram, spark } from "./charts.js";
import { KINDS, ask, card, clock, commandList, copyable, count, day, duration, empty, h, lastPart, micros, moment, number, plain, replace, shape, when } from "./dom.js";

const inner = (page) => Math.max(220, document.getElementById("main").clientWidth - (matchMedia("(max-width: 640px)").matches ? 26 : 34));

// --- why: what came in, each hook's opinion, the evidence, what happened then
export function drawWhy(page, found) {
  const { record, row } = found;
  const title = row.kind ? KINDS[row.kind].label : found.answer ? plain(found.answer) : "Nothing was sent";
  return [
    h("div", { class: "why-head" },
      h("h2", { class: row.kind }, shape(row.kind, 15), title),
      h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: () => page.closeWhy() }, "×")),
    h("div", { class: "note" }, `${plain(record.event) || "problem"} · ${moment(row.time)}`),
    row.command && h("pre", { class: "command" }, plain(row.command)),
    row.problem && h("p", { class: "bad" }, plain(row.problem)),
    facts([["tool", record.tool], ["project", record.project], ["session", record.session_id], ["agent", record.agent_id], ["key", record.key], ["policy", record.policy], ["id", record.id]]),
    h("h3", {}, found.hooks.length ? "Hooks, in order" : "No hook listens to this event"),
    h("ol", { class: "opinions" }, found.hooks.map(drawOpinion)),
    drawEvidence(found),
    found.questions?.length > 0 && [h("h3", {}, "Questions"), found.questions.map(drawAsked)],
    h("h3", {}, "Sent"),
    h("div", {}, found.answer ? [h("b", {}, plain(found.answer)), record.changed?.length ? `, changed: ${plain(record.changed.join(", "))}` : ""] : "nothing"),
    record.tool_use_id && [h("h3", {}, "Then"), drawThen(found)],
    found.commands.length > 0 && [h("h3", {}, "Change it"), commandList(found.commands)],
  ];
}

function facts(pairs) {
  return h("dl", { class: "facts" }, pairs.filter(([, value]) => value !== null && value !== undefined && value !== "").map(([name, value]) => [h("dt", {}, name), h("dd", {}, plain(value))]));
}

function drawOpinion(hook) {
  const spoke = hook.verdict !== "none";
  const kind = { deny: "stopped", block: "stopped", ask: "asked", rewrite: "moved", allow: "answered" }[hook.verdict] ?? "noted";
  return h("li", { class: `opinion ${spoke ? `spoke ${kind}` : ""}` },
    h("div", { class: "line" }, h("span", {}, `${hook.order}. ${plain(hook.hook)} `, h("span", { class: spoke ? `verdict ${kind}` : "verdict none" }, spoke ? plain(hook.verdict) : "nothing to say"), hook.mode && hook.mode !== "on" ? ` (${plain(hook.mode)}: not sent)` : ""), h("span", { class: "us" }, micros(hook.us))),
    hook.reason && h("p", {}, plain(hook.reason)),
    hook.failure && h("p", { class: "bad" }, `failed: ${plain(hook.failure)}`),
    hook.printed && h("p", { class: "note" }, `printed: ${plain(hook.printed)}`));
}

function drawEvidence(found) {
  const { guard, learned, ...others } = found.evidence;
  const pairs = [];
  if (guard?.rules) pairs.push(["rule", guard.rules.join(", ")]);
  if (guard?.instead) pairs.push(["instead", guard.instead]);
  if (learned) pairs.push(["learned", typeof learned === "object" ? Object.entries(learned).map(([name, value]) => `${name} ${typeof value === "number" ? Math.round(value * 100) / 100 : value}`).join(", ") : learned]);
  for (const [name, value] of Object.entries(others)) pairs.push([name.replace("_", " "), typeof value === "object" ? JSON.stringify(value) : value]);
  if (found.masked?.length) pairs.push(["masked", found.masked.join(", ")]);
  if (found.truncated?.length) pairs.push(["cut", found.truncated.join(", ")]);
  return pairs.length > 0 && [h("h3", {}, "Evidence"), facts(pairs)];
}

function drawAsked(asked) {
  const outcome = asked.answered_by ? `${plain(asked.answer) || "no answer"} (${plain(asked.preference || asked.answered_by)})` : [asked.verdict, asked.because].filter(Boolean).map(plain).join(", ");
  return h("p", {}, `“${plain(asked.question)}” → ${outcome}`);
}

function drawThen(found) {
  if (!found.afterwards.length) return h("div", {}, ["deny", "block"].includes(found.answer) ? "It did not run." : "Nothing is recorded: still running, cancelled, or refused by you.");
  return h("ol", { class: "then" }, found.afterwards.map((later) => {
    const at = Date.parse(later.time) / 1000;
    const what = ["UserPromptSubmit", "BackgroundEnd"].includes(later.event) ? "the background command ended" : plain(later.event);
    const kind = later.outcome === "ok" ? "good" : later.outcome && later.outcome !== "background" ? "bad" : "";
    return h("li", {}, h("time", {}, clock(at)), h("span", {}, `${what}: `, h("b", { class: kind }, plain(later.outcome) || "no outcome"),
      later.exit_code !== null ? `, exit code ${later.exit_code}` : "", later.duration_ms !== null ? ` after ${duration(later.duration_ms / 1000)}` : "",
      (later.questions ?? []).map(drawAsked)));
  }));
}

// --- background
export async function drawBackground(page) {
  const { project } = page.state;
  const { tasks, now } = await ask("background", { project });
  const running = tasks.filter((task) => ["running", "orphan"].includes(task.state));
  const others = tasks.filter((task) => !running.includes(task));
  page.setBadge("background", running.length, running.some((task) => task.overdue || task.state === "orphan"));
  if (!tasks.length) return card("Background work", "", empty("No command was moved to the background yet", "Long commands are moved, so that the conversation can go on; they appear here with their expected end.", "hookwright explain 'npm install'"));
  return [
    card("Running now", count(running.length, "command"), running.length ? running.map((task) => drawTask(page, task, now)) : h("p", { class: "note" }, "Nothing runs in the background.")),
    others.length > 0 && card("Earlier", `the latest ${number(others.length)}`, others.map((task) => drawTask(page, task, now))),
  ];
}

const STATES = { running: ["running", "moved"], orphan: ["left by its session", "asked"], gone: ["ended unseen", "note"], unknown: ["end unknown", "note"] };

function drawTask(page, task, now) {
  const isRunning = ["running", "orphan"].includes(task.state);
  const age = (task.ended ?? now) - task.started;
  const { expected } = task;
  const scale = Math.max(age, expected ? expected.p90_s * 1.15 : 0, 1);
  const part = (seconds) => `${Math.min(100, 100 * seconds / scale).toFixed(1)}%`;
  const [word, kind] = task.overdue ? ["overdue", "bad"] : task.state === "ended" ? task.outcome && task.outcome !== "ok" ? [plain(task.outcome).replace("_", " "), "bad"] : ["ended", "good"] : STATES[task.state] ?? STATES.unknown;
  return h("article", { class: "task" },
    h("button", { type: "button", class: "row", disabled: !task.id, onclick: () => page.openWhy(task.id) }, h("time", {}, when(task.started)), shape(task.moved ? "moved" : "", 13), h("span", { class: "what" }, h("code", {}, plain(task.command))), h("span", { class: `state ${kind}` }, word),
      h("span", { class: "because" }, describeTask(task, age, isRunning))),
    isRunning && h("div", { class: `progress ${task.overdue ? "overdue" : ""}`, role: "img", "aria-label": expected ? `${duration(age)} of about ${duration(expected.median_s)}` : `${duration(age)}, no expectation` },
      h("div", { class: "fill", style: { width: part(age) } }), expected && h("div", { class: "tick", title: "half of its runs have ended", style: { left: part(expected.median_s) } }), expected && h("div", { class: "tick late", title: "nine of ten have ended", style: { left: part(expected.p90_s) } })),
    task.commands.length > 0 && h("div", { class: "task-commands" }, task.commands.slice(0, isRunning ? 2 : 1).map((one) => copyable(one.command, { short: true }))));
}

function describeTask(task, age, isRunning) {
  const { expected } = task;
  const known = ["ended"].includes(task.state) || isRunning;
  return [
    known ? `${isRunning ? "for" : "took"} ${duration(age)}` : "nobody saw its end",
    task.endless ? "does not end by itself" : expected ? isRunning ? task.overdue ? `usually ${duration(expected.median_s)}, nine of ten within ${duration(expected.p90_s)}` : task.remaining_s !== null ? `about ${duration(task.remaining_s)} to go, expected at ${clock(Date.now() / 1000 + task.remaining_s)}` : `usually ${duration(expected.median_s)}` : `usually ${duration(expected.median_s)}` : isRunning ? "nothing was learned of its duration yet" : "",
    task.exit_code !== null && task.exit_code !== undefined && task.exit_code !== 0 ? `exit code ${task.exit_code}` : "",
    task.ports?.length ? `listens on ${task.ports.join(", ")}` : "",
    lastPart(task.project), task.moved ? "moved by hookwright" : task.moved === false ? "started so by Claude" : "",
  ].filter(Boolean).join(" · ");
}

// --- questions
export async function drawQuestions(page) {
  const { span, project } = page.state;
  const found = await ask("questions", { span, project });
  const who = Object.entries(found.answered);
  const total = who.reduce((sum, [, n]) => sum + n, 0);
  const name = { user: "you", preference: "a preference", headless: "the option for headless runs" };
  const colour = { user: "var(--amber)", preference: "var(--green)", headless: "var(--blue)" };
  if (!found.questions.length) return card("Questions", "", empty("No question was asked in this span", "When Claude asks you something, it appears here with the answer and who gave it.", "hookwright questions list"));
  return [
    card("Who answered", total ? count(total, "question") : "", h("div", { class: "stack" }, who.map(([one, n]) => h("span", { style: { flex: String(n), background: colour[one] ?? "var(--grey)" } }))),
      h("div", { class: "legend" }, who.map(([one, n]) => h("span", {}, h("b", { style: { color: colour[one] ?? "var(--grey)" } }, "■"), ` ${name[one] ?? plain(one)} ${number(n)}`)))),
    card("Questions", `the latest ${number(found.questions.length)}`, h("ol", { class: "events" }, found.questions.map((one) => h("li", {},
      h("button", { type: "button", class: "row", onclick: () => page.openWhy(one.id) },
        h("time", {}, when(typeof one.time === "number" ? one.time : Date.parse(one.time) / 1000)), shape(one.answered_by === "user" ? "asked" : "answered", 13),
        h("span", { class: "what" }, plain(one.question)),
        h("span", { class: "how" }, name[one.answered_by] ?? plain(one.answered_by)),
        h("span", { class: "because" }, h("b", {}, plain(one.answer)), one.recommended ? one.followed ? " · as recommended" : ` · recommended was ${plain(one.recommended)}` : "", one.one_way ? " · irreversible: always asked" : "", one.preference ? ` · preference ${plain(one.preference)}` : "")),
      one.commands[0] && copyable(one.commands[0].command, { short: true }))))),
  ];
}

// --- where time goes
export async function drawTime(page) {
  const { span, project } = page.state;
  const found = await ask("time", { span, project });
  if (!found.commands.length) return card("Where time goes", "", empty("No command ended in this span", "Choose a longer span.", ""));
  const width = inner(page);
  const most = found.commands[0].seconds || 1;
  return [
    card("Commands held the conversation", `${duration(found.seconds)} in all, since ${moment(found.since)}`, columns(found.series, { width, step: found.step, since: found.since, until: found.now, label: `Seconds per ${found.step >= 86400 ? "day" : "hour"}` })),
    h("div", { class: "grid" },
      card("By command", "total, runs, mean", h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ["command", "", "total", "runs", "mean"].map((name, i) => h("th", { class: i > 1 ? "n" : null }, name)))),
        h("tbody", {}, found.commands.map((row) => h("tr", {}, h("td", {}, h("code", {}, plain(row.key)), row.commands[0] && h("div", {}, copyable(row.commands[0].command, { short: true }))), h("td", { style: { width: "26%" } }, h("div", { class: "progress", "aria-hidden": "true" }, h("div", { class: "fill", style: { width: `${(100 * row.seconds / most).toFixed(1)}%` } }))),
          h("td", { class: "n" }, duration(row.seconds)), h("td", { class: "n" }, number(row.n)), h("td", { class: "n" }, duration(row.seconds / row.n)))))))),
      card("By project", "", h("table", {}, h("tbody", {}, found.projects.map((row) => h("tr", {}, h("td", { title: plain(row.project) }, lastPart(row.project) || "no project"), h("td", { class: "n" }, duration(row.seconds)), h("td", { class: "n" }, `${Math.round(100 * row.seconds / found.seconds)} %`))))),
        h("h3", {}, "Change it"), commandList([{ command: "hookwright replay --since 7d", does: "which of these would be moved to the background" }, { command: "hookwright config show", does: "what counts as long" }]))),
  ];
}

// --- hooks
export async function drawHooks(page) {
  const { span, project } = page.state;
  const found = await ask("hooks", { span, project });
  const colours = { deny: "var(--red)", block: "var(--red)", ask: "var(--amber)", rewrite: "var(--blue)", allow: "var(--green)" };
  const bad = Object.entries({ "bytes of the journal not read yet": found.journal.backlog, "lines of the journal that are no records": found.journal.bad_lines, "records that could not be written": found.journal.unwritten, "problems of the hook process": found.journal.problems }).filter(([name, n]) => n && !(name.startsWith("bytes") && n < 65536));
  const since = Date.now() / 1000 - { "1h": 3600, "24h": 86400, "7d": 604800, "30d": 2592000, "90d": 7776000 }[span];
  return [
    card("Hooks", `decisions since ${day(since)}; times of the latest ${number(found.latest)} events`, found.hooks.length ? found.hooks.map((hook) => {
      const verdicts = Object.entries(hook.verdicts), spoke = verdicts.reduce((sum, [, n]) => sum + n, 0);
      const shadow = Object.values(hook.shadow).reduce((sum, n) => sum + n, 0);
      return h("article", { class: "hook" },
        h("div", {}, h("b", {}, plain(hook.hook)), " ", h("span", { class: `badge-mode ${plain(hook.mode)}` }, plain(hook.mode) || "unknown"),
          h("div", { class: "note" }, hook.last ? `last ran ${when(hook.last)}` : "has not run lately", hook.from && hook.from !== "built-in" ? ` · mode from ${plain(hook.from)}` : ""),
          hook.failures > 0 && h("div", { class: "bad" }, count(hook.failures, "failure"), hook.last_failure && [": ", h("button", { type: "button", class: "chip", onclick: () => page.openWhy(hook.last_failure.id) }, plain(hook.last_failure.text).slice(0, 80))])),
        h("div", {}, spoke ? [h("button", { type: "button", class: "chip", onclick: () => page.set({ view: "timeline", hook: hook.hook, kinds: [] }) }, count(spoke, "decision")), h("div", { class: "stack" }, verdicts.map(([name, n]) => h("span", { title: `${plain(name)} ${number(n)}`, style: { flex: String(n), background: colours[name] ?? "var(--grey)" } }))),
          h("div", { class: "note" }, verdicts.map(([name, n]) => `${plain(name)} ${number(n)}`).join(" · "))] : h("div", { class: "note" }, "nothing to say in this span"), shadow > 0 && h("div", { class: "note" }, `in shadow: ${number(shadow)} more, not sent`),
          hook.days.length > 1 && spark(hook.days, { width: 200, since: hook.days[0][0], until: hook.days[hook.days.length - 1][0] + 86400, label: "decisions per day" })),
        h("div", {}, h("div", { class: "note" }, hook.calls ? `half within ${micros(hook.p50)}, 99 of 100 within ${micros(hook.p99)}` : "no times"), hook.calls > 0 && histogram(hook.histogram, { width: 220, label: `Times of ${plain(hook.hook)}: median ${micros(hook.p50)}, 99th percentile ${micros(hook.p99)}` })),
        h("ul", { class: "commands" }, hook.commands.map((one) => h("li", {}, copyable(one.command, { short: true })))));
    }) : empty("No hook has run yet", "Is hookwright registered?", "hookwright install")),
    card("Journal", bad.length ? "" : "in order", bad.length ? [h("ul", {}, bad.map(([name, n]) => h("li", { class: "warn" }, `${number(n)} ${name}`))), copyable("hookwright verify")] : h("p", { class: "note" }, "Every record was written and read. Whether every registered hook works:"), !bad.length && copyable("hookwright verify")),
  ];
}

// --- durations
export async function drawDurations(page) {
  const { project } = page.state;
  const found = await ask("durations", { project });
  if (!found.durations.length) return card("Learned durations", lastPart(found.project), empty("Nothing was learned here yet", "After a few runs of a command its duration is known, and long ones are moved to the background. Past transcripts can be read too:", "hookwright learn"));
  const narrow = matchMedia("(max-width: 640px)").matches;
  const width = narrow ? inner(page) : Math.min(620, Math.max(240, inner(page) - 420));
  return card("Learned durations", `${lastPart(found.project)}${project ? "" : ", the latest project"} · logarithmic; red: ${duration(found.long_s)}, from where a command counts as long`,
    h("div", { class: "scroll" }, h("table", { class: "durations" }, h("thead", {}, h("tr", {}, h("th", {}, "command"), h("th", { class: "n" }, "runs"), h("th", {}, durationAxis(width)), h("th", { class: "n" }, "median"), h("th", { class: "n" }, "9 of 10"), h("th", { class: "n" }, `> ${duration(found.long_s)}`))),
      h("tbody", {}, found.durations.map((row) => h("tr", {}, h("td", {}, h("code", {}, plain(row.key)), row.commands[0] && h("div", {}, copyable(row.commands[0].command, { short: true }))), h("td", { class: "n", data: { label: "runs" } }, number(row.runs)),
        h("td", {}, distribution(row, { width, limit: found.long_s })), h("td", { class: "n", data: { label: "median" } }, duration(row.median_s)), h("td", { class: "n", data: { label: "9 of 10" } }, duration(row.p90_s)), h("td", { class: `n ${row.p_long >= 0.6 ? "moved" : ""}`, data: { label: `> ${duration(found.long_s)}` } }, `${Math.round(100 * row.p_long)} %`)))))));
}

// --- what if
export async function drawWhatIf(page) {
  const modes = await ask("modes", { project: "" });
  const chosen = {};
  const result = h("div", { "aria-live": "polite" });
  const lines = h("textarea", { id: "lines", placeholder: '[command_guard]\nsecrets = "deny"', spellcheck: "false" });
  const since = h("select", { id: "since" }, ["1d", "7d", "30d", "90d"].map((one) => h("option", { value: one, selected: one === "7d" }, `the last ${one === "1d" ? "day" : `${parseInt(one, 10)} days`}`)));
  const run = h("button", { type: "submit", class: "primary" }, "Replay the past with it");
  const form = h("form", { class: "form" },
    h("div", { class: "modes" }, Object.entries(modes).map(([hook, mode]) => {
      const label = h("label", {}, h("span", {}, plain(hook)));
      const select = h("select", { onchange: () => { if (select.value === mode) delete chosen[hook]; else chosen[hook] = select.value; label.classList.toggle("changed", select.value !== mode); } }, ["on", "shadow", "off"].map((one) => h("option", { value: one, selected: one === mode }, one)));
      label.append(select);
      return label;
    })),
    h("label", { for: "lines", class: "note" }, "Lines of configuration, added to a copy of your config.toml (optional)"), lines,
    h("div", { class: "actions" }, h("label", {}, h("span", { class: "hidden" }, "Span"), since), run, h("span", { class: "note" }, "Runs no command, changes and records nothing.")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    run.disabled = true;
    const began = Date.now();
    const timer = setInterval(() => { result.textContent = `Replaying past calls, ${Math.round((Date.now() - began) / 1000)} s …`; }, 500);
    try {
      const found = await ask("what-if", {}, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ modes: chosen, lines: lines.value, since: since.value }) });
      clearInterval(timer);
      replace(result, drawReplay(page, found));
    } catch (error) {
      clearInterval(timer);
      replace(result, h("div", { class: "notice" }, plain(error.message)));
    } finally {
      clearInterval(timer);
      run.disabled = false;
    }
  });
  return [card("What if it were configured differently?", "past calls from Claude Code's transcripts, decided again", form), result];
}

function drawReplay(page, found) {
  const names = [["background", "force", "moved to the background"], ["background", "suggest", "noted as long"], ["guard", "deny", "denied"], ["guard", "ask", "asked about"], ["questions", "answered", "questions answered"]];
  const rows = names.map(([group, word, name]) => ({ name, before: found.counts[group][word], after: found.proposed[group][word] }));
  return [
    card("The difference", count(found.calls, "past call"), comparison(rows, { width: inner(page) })),
    card("Decided differently", count(found.changes.length, "kind of call", "kinds of calls"), found.changes.length ? h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ["now", "then", "times", "call"].map((name) => h("th", {}, name)))),
      h("tbody", {}, found.changes.map((one) => h("tr", {}, h("td", {}, plain(one.before)), h("td", {}, h("b", {}, plain(one.after))), h("td", { class: "n" }, number(one.n)), h("td", {}, h("code", {}, plain(one.command)), h("div", { class: "note" }, plain(one.because)))))))) : h("p", { class: "note" }, "No past call would have been decided differently.")),
    found.suspicious.length > 0 && card("Check these first", "verdicts of the proposal that were probably wrong", h("table", {}, h("tbody", {}, found.suspicious.slice(0, 15).map((one) => h("tr", {}, h("td", {}, h("b", {}, plain(one.verdict))), h("td", { class: "n" }, `${number(one.n)} ×`), h("td", {}, h("code", {}, plain(one.command)), h("div", { class: "note" }, plain(one.because)))))))),
    found.commands.length > 0 && card("Do it", "", commandList(found.commands)),
  ];
}
