"use strict";
// Reads `data`: rows of a campaign with numbers into a list of texts. Draws only the rows of the
// table that are seen, so that tens of thousands of runs filter at once.
const ROW_HEIGHT = 26;
const COLORS = ["#1f6fb4", "#d9641a", "#2a8f3c", "#9b3fb5", "#b58900", "#c2255c", "#0c8599", "#555"];
const strings = data.strings;
const columns = ["id", "file", "configuration", "seed", "expected", "verdict", "reason", "seconds", "cpu", "memory",
  "engine", "host", "evidence", "attempts"];
const TEXTS = ["file", "configuration", "expected", "verdict", "reason", "engine", "host"];

const runs = data.rows.map(row => {
  const run = {};
  columns.forEach((name, i) => { run[name] = TEXTS.includes(name) ? strings[row[i]] : row[i]; });
  run.solved = run.verdict === "safe" || run.verdict === "unsafe";
  run.wrong = run.solved && run.expected !== "" && run.verdict !== run.expected;
  run.search = `${run.file}\n${run.reason}\n${run.engine}\n${run.host}`.toLowerCase();
  return run;
});
const configurations = [...new Set(runs.map(run => run.configuration))];
const color = name => COLORS[configurations.indexOf(name) % COLORS.length];
const byId = id => document.getElementById(id);

function element(tag, content, style) {
  const made = document.createElement(tag);
  if (content !== undefined) made.textContent = content;
  if (style) made.className = style;
  return made;
}

function svg(parent, tag, attributes, content) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (content !== undefined) made.textContent = content;
  parent.append(made);
  return made;
}

const seconds = value => value >= 100 ? value.toFixed(0) : value.toFixed(2);

// ---- summary, alarms, changes ----

function count(list, test) {
  let total = 0;
  for (const each of list) if (test(each)) ++total;
  return total;
}

function showSummary() {
  document.title = byId("title").textContent = `Campaign ${data.title}`;
  const words = ["safe", "unsafe", "unknown", "error"].map(word => `${count(runs, r => r.verdict === word)} ${word}`);
  const compared = count(runs, r => r.solved && r.expected !== "");
  const judged = compared === 0 ? "nothing was compared with an expected verdict"
    : `${count(runs, r => r.wrong)} wrong of ${compared} compared`;
  byId("summary").textContent = `${runs.length} runs: ${words.join(", ")}; ${judged}.`;
  const wrong = runs.filter(run => run.wrong);
  if (wrong.length > 0) {
    const box = byId("alarms");
    box.className = "alarm";
    box.append(element("h2", `${wrong.length} wrong verdicts`));
    for (const run of wrong.slice(0, 20))
      box.append(element("div", `${run.file}, ${run.configuration}: ${run.verdict} where ${run.expected} is expected`));
    if (wrong.length > 20) box.append(element("div", "and more: filter for `wrong` below"));
  }
  const table = byId("totals");
  const head = table.insertRow();
  for (const name of ["configuration", "runs", "safe", "unsafe", "unknown", "error", "wrong", "seconds", "processor s"])
    head.append(element("th", name));
  for (const name of configurations) {
    const mine = runs.filter(run => run.configuration === name);
    const line = table.insertRow();
    line.append(element("td", name));
    const sum = key => mine.reduce((total, run) => total + run[key], 0);
    const numbers = [mine.length, ...["safe", "unsafe", "unknown", "error"].map(w => count(mine, r => r.verdict === w)),
      count(mine, r => r.wrong), seconds(sum("seconds")), seconds(sum("cpu"))];
    for (const number of numbers) line.append(element("td", number, "num"));
  }
}

function showChanges() {
  const comparison = data.comparison;
  if (!comparison) return;
  const box = byId("changes");
  box.append(element("h2", `Changes against ${comparison.against}`));
  box.append(element("p", `${comparison.common} in common, ${comparison.added} added, ${comparison.removed} removed. `
    + `Times are ${comparison.ratio} of those before in the median; a change beyond a factor of ${comparison.noise} from `
    + "that is more than noise."));
  if (comparison.changes.length === 0) return box.append(element("p", "No changes."));
  const table = element("table");
  const head = table.insertRow();
  for (const name of ["change", "file", "configuration", "before", "now", "s before", "s now"])
    head.append(element("th", name));
  for (const [kind, file, configuration, before, after, was, is] of comparison.changes.slice(0, 500)) {
    const line = table.insertRow();
    line.append(element("td", kind, kind === "contradicted" || kind === "lost" ? "unsafe" : ""));
    for (const text of [file, configuration]) line.append(element("td", text));
    for (const verdict of [before, after]) line.append(element("td", verdict, verdict));
    for (const value of [was, is]) line.append(element("td", seconds(value), "num"));
  }
  const list = element("div", undefined, "list");
  list.append(table);
  box.append(list);
  if (comparison.changes.length > 500) box.append(element("p", `and ${comparison.changes.length - 500} more`));
}

// ---- table ----

const HEADS = [["file", "file"], ["configuration", "configuration"], ["seed", "seed"], ["expected", "expected"],
  ["verdict", "verdict"], ["seconds", "seconds"], ["processor", "cpu"], ["MB", "memory"], ["reason", "reason"],
  ["host", "host"], ["evidence", "evidence"]];
let order = { key: null, up: true };
let ordered = [];  // all runs, as the table sorts them
let shown = [];    // those that the filters leave
const bySeconds = runs.filter(run => run.solved).sort((a, b) => a.seconds - b.seconds);

function cells(run) {
  const line = element("div", undefined, run.wrong ? "row wrong" : "row");
  const add = (text, style) => { const made = element("span", text, style); made.title = text; line.append(made); };
  add(run.file);
  add(run.configuration);
  add(run.seed < 0 ? "" : run.seed, "num");
  add(run.expected, run.expected);
  add(run.verdict, run.verdict);
  add(seconds(run.seconds), "num");
  add(seconds(run.cpu), "num");
  add((run.memory / 1024).toFixed(0), "num");
  add(run.reason || run.engine);
  add(run.host);
  const last = element("span");
  if (run.evidence) {
    const link = element("a", run.verdict === "unsafe" ? "witness" : "proof");
    link.href = run.evidence.split("/").map(encodeURIComponent).join("/");
    last.append(link);
  }
  line.append(last);
  return line;
}

function drawWindow() {
  const scroll = byId("scroll");
  const first = Math.max(0, Math.floor(scroll.scrollTop / ROW_HEIGHT) - 10);
  const many = Math.ceil(scroll.clientHeight / ROW_HEIGHT) + 20;
  byId("window").style.top = `${first * ROW_HEIGHT}px`;
  byId("window").replaceChildren(...shown.slice(first, first + many).map(cells));
}

function rank(run) {
  return run.wrong ? 0 : run.verdict === "error" ? 1 : 2;
}

function compareRuns(a, b) {
  if (order.key === null) return rank(a) - rank(b) || a.id - b.id;
  const [x, y] = order.key === "reason" ? [a.reason || a.engine, b.reason || b.engine] : [a[order.key], b[order.key]];
  const less = x < y ? -1 : x > y ? 1 : 0;
  return (order.up ? less : -less) || a.id - b.id;
}

function sort(by) {
  order = by;
  ordered = [...runs].sort(compareRuns);
  filter();
}

function filter() {
  const text = byId("text").value.trim().toLowerCase();
  const configuration = byId("configuration").value;
  const verdict = byId("verdict").value;
  const judged = byId("judged").value;
  const fits = run => (!text || run.search.includes(text)) && (!configuration || run.configuration === configuration)
    && (!verdict || run.verdict === verdict)
    && (!judged || judged === (run.expected === "" ? "nothing expected" : run.wrong ? "wrong" : "as expected"));
  shown = ordered.filter(run => { run.visible = fits(run); return run.visible; });
  byId("count").textContent = `${shown.length} of ${runs.length} runs`;
  byId("space").style.height = `${shown.length * ROW_HEIGHT}px`;
  byId("scroll").scrollTop = 0;
  drawWindow();
  drawPlots();
}

// ---- plots ----

const LEAST = 0.01;
const logarithm = value => Math.log10(Math.max(value, LEAST));

/// A logarithmic scale of seconds up to `most`, over `from`..`to` pixels.
function scale(most, from, to) {
  const top = Math.max(logarithm(most), 0);
  const low = Math.log10(LEAST);
  const at = value => from + (logarithm(value) - low) / (top - low) * (to - from);
  at.ticks = [];
  for (let power = low; power <= top + 1e-9; ++power) at.ticks.push(10 ** Math.round(power));
  return at;
}

function drawCactus() {
  const plot = byId("cactus");
  plot.replaceChildren();
  const byName = new Map(configurations.map(name => [name, []]));
  for (const run of bySeconds) if (run.visible) byName.get(run.configuration).push(run.seconds);
  const lists = [...byName.values()];
  const most = Math.max(1, ...lists.map(list => list.length));
  const longest = lists.reduce((max, list) => Math.max(max, list[list.length - 1] || 0), 1);
  const y = scale(longest, 360, 15);
  const x = number => 55 + number / most * 490;
  for (const tick of y.ticks) {
    svg(plot, "path", { class: "grid", d: `M55 ${y(tick)}H545` });
    svg(plot, "text", { x: 50, y: y(tick) + 4, "text-anchor": "end" }, tick);
  }
  svg(plot, "path", { class: "axis", d: "M55 15V360H545" });
  svg(plot, "text", { x: 545, y: 378, "text-anchor": "end" }, `${most} solved`);
  svg(plot, "text", { x: 4, y: 12 }, "s");
  configurations.forEach((name, i) => {
    const points = lists[i].map((value, n) => `${x(n + 1).toFixed(1)} ${y(value).toFixed(1)}`);
    if (points.length > 0)
      svg(plot, "path", { d: `M${points.join("L")}`, fill: "none", stroke: color(name), "stroke-width": 2,
        "data-configuration": name });
    svg(plot, "text", { x: 65, y: 30 + 16 * i, style: `fill:${color(name)}` }, `${name} (${points.length})`);
  });
}

let points = [];

function drawScatter() {
  const plot = byId("scatter");
  plot.replaceChildren();
  points = [];
  const [left, right] = [byId("left").value, byId("right").value];
  const others = new Map();
  for (const run of shown) if (run.configuration === right) others.set(`${run.file}\n${run.seed}`, run);
  const pairs = [];
  for (const run of shown) {
    const other = run.configuration === left && others.get(`${run.file}\n${run.seed}`);
    if (other && (run.solved || other.solved)) pairs.push([run, other]);
  }
  const longest = pairs.reduce((max, [a, b]) => Math.max(max, a.solved ? a.seconds : 0, b.solved ? b.seconds : 0), 1);
  const [x, y] = [scale(longest, 45, 420), scale(longest, 355, 25)];
  for (const tick of x.ticks) {
    svg(plot, "path", { class: "grid", d: `M${x(tick)} 15V360M45 ${y(tick)}H440` });
    svg(plot, "text", { x: x(tick), y: 376, "text-anchor": "middle" }, tick);
    svg(plot, "text", { x: 40, y: y(tick) + 4, "text-anchor": "end" }, tick);
  }
  svg(plot, "path", { class: "axis", d: `M45 15V360H440M45 360L${x(longest)} ${y(longest)}` });
  const paths = { safe: "", unsafe: "" };
  for (const [a, b] of pairs) {
    const [px, py] = [a.solved ? x(a.seconds) : 435, b.solved ? y(b.seconds) : 18];
    points.push({ x: px, y: py, file: a.file });
    paths[a.solved ? a.verdict : b.verdict] += `M${px.toFixed(1)} ${py.toFixed(1)}h0`;
  }
  for (const [verdict, d] of Object.entries(paths))
    if (d) svg(plot, "path", { d, "stroke-width": 5, "stroke-linecap": "round", "stroke-opacity": .6, fill: "none",
      stroke: verdict === "safe" ? "#17692b" : "#a11" });
}

function pick(event) {
  const box = byId("scatter").getBoundingClientRect();
  const [px, py] = [(event.clientX - box.left) / box.width * 460, (event.clientY - box.top) / box.height * 400];
  let best = null;
  for (const point of points) {
    const distance = (point.x - px) ** 2 + (point.y - py) ** 2;
    if (distance < 100 && (!best || distance < best.distance)) best = { distance, file: point.file };
  }
  if (!best) return;
  byId("text").value = best.file;
  filter();
}

let drawing = 0;
function drawPlots() {
  cancelAnimationFrame(drawing);
  drawing = requestAnimationFrame(() => { drawCactus(); drawScatter(); });
}

// ---- start ----

function fill(select, names, all) {
  if (all) select.append(new Option(all, ""));
  for (const name of names) select.append(new Option(name));
}

function start() {
  showSummary();
  showChanges();
  fill(byId("configuration"), configurations, "all configurations");
  fill(byId("verdict"), ["safe", "unsafe", "unknown", "error"], "all verdicts");
  fill(byId("left"), configurations);
  fill(byId("right"), configurations);
  byId("right").selectedIndex = Math.min(1, configurations.length - 1);
  HEADS.forEach(([title, key]) => {
    const head = element("span", title);
    head.onclick = () => sort({ key, up: order.key === key ? !order.up : true });
    byId("head").append(head);
  });
  for (const id of ["text", "configuration", "verdict", "judged"]) byId(id).oninput = filter;
  for (const id of ["left", "right"]) byId(id).oninput = drawPlots;
  byId("filters").onsubmit = event => event.preventDefault();
  byId("scroll").onscroll = drawWindow;
  byId("scatter").onclick = pick;
  sort({ key: null, up: true });
}

start();
