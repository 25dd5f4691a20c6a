// Stepping through a trace: the controls, the source, the calls, the values, the list of steps.

function makeControls(trace, cursor) {
  const button = (text, label, to) =>
    h("button", { type: "button", "aria-label": label, title: label, onclick: () => cursor.go(to()) }, text);
  const first = button("|◀", "first step", () => 0);
  const back = button("◀", "step back", () => cursor.step - 1);
  const next = button("▶", "step forward", () => cursor.step + 1);
  const last = button("▶|", "last step", () => cursor.length - 1);
  const slider = h("input", { type: "range", min: 0, max: cursor.length - 1, "aria-label": "step",
    oninput: () => cursor.go(Number(slider.value)) });
  const where = h("span", { class: "where", role: "status" });
  cursor.listen((step) => {
    slider.value = step;
    slider.setAttribute("aria-valuetext", "step " + (trace.first + step));
    first.disabled = back.disabled = step === 0;
    next.disabled = last.disabled = step === cursor.length - 1;
    where.textContent = describe(trace, step);
  });
  return h("div", { class: "controls" }, first, back, slider, next, last, where);
}

function describe(trace, step) {
  const raw = trace.raw.steps ? trace.raw.steps[step] : {};
  const parts = ["step " + (trace.first + step + (trace.raw.steps ? 1 : 0)) +
                 (trace.raw.steps ? " of " + trace.length : " (of " + trace.first + " to " + (trace.first + trace.length - 1) + ")")];
  if (raw.cycle) parts.push("cycle " + raw.cycle);
  if (raw.function) parts.push("in " + raw.function);
  if (raw.line) parts.push("line " + raw.line);
  if (raw.note) parts.push(raw.note);
  if (step === trace.length - 1) parts.push("the end");
  return parts.join(" · ");
}

// Arrow keys, except where they already mean something.
function useKeys(cursor) {
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !cursor.current) return;
    const tag = event.target.tagName;
    if (tag === "SELECT" || tag === "TEXTAREA" || (tag === "INPUT" && event.target.type !== "range")) return;
    const at = cursor.current;
    const to = { ArrowLeft: at.step - 1, ArrowRight: at.step + 1, Home: 0, End: at.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    at.go(to);
  });
}

function makeStack(trace, cursor, source) {
  const list = h("ol", { class: "stack", "aria-label": "calls" });
  const box = h("div", {}, h("h3", {}, "Calls"), list);
  if (!trace.raw.steps || !trace.raw.steps.some((step) => step.calls)) return null;
  cursor.listen((step) => {
    const raw = trace.raw.steps[step];
    const frames = (raw.calls || []).map((call) =>
      h("li", {}, h("code", {}, call.function || "?"), " at ",
        h("button", { type: "button", onclick: () => source.show(call.line) }, "line " + call.line)));
    frames.push(h("li", {}, h("code", {}, raw.function || (raw.other ? raw.other.file : "?")),
      raw.line ? " at line " + raw.line : raw.other ? " at line " + raw.other.line : ""));
    list.replaceChildren(...frames);
  });
  return box;
}

const ROLES = { input: "inputs", state: "state", derived: "signals", output: "outputs", property: "properties",
                parameter: "parameters", time: "time" };

function groupOf(trace, variable) {
  if (trace.kind === "program") return variable.scope || "globals";
  return ROLES[variable.role] || "variables";
}

// Rows are made once; a step changes their text.
function makeValues(trace, cursor, radix) {
  const body = h("tbody", {});
  const groups = new Map();
  trace.variables.forEach((variable, i) => {
    const group = groupOf(trace, variable);
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(i);
  });
  const rows = [];
  const heads = new Map();
  for (const [group, members] of groups) {
    const groupHead = h("tr", { class: "group" }, h("th", { colspan: 2 }, group));
    heads.set(group, groupHead);
    body.append(groupHead);
    for (const i of members) {
      const value = h("code", {});
      const badge = h("span", { class: "badge input" });
      const was = h("span", { class: "was" });
      rows[i] = { value, badge, was, group,
        element: h("tr", {}, h("th", {}, h("code", {}, trace.raw.steps ? trace.variables[i].name : fullName(trace.variables[i]))),
                   h("td", {}, value, " ", badge, " ", was)) };
      body.append(rows[i].element);
    }
  }
  const inScope = (group, step) => {
    const raw = trace.raw.steps ? trace.raw.steps[step] : null;
    if (!raw || !raw.function) return true;
    const scopes = new Set([raw.function, ...(raw.calls || []).map((call) => call.function)]);
    return scopes.has(group) || !trace.variables.some((variable) => variable.scope === group);
  };
  const update = (step) => {
    const now = trace.at(step);
    const before = step > 0 ? trace.at(step - 1) : now.map(() => null);
    const marks = trace.marks(step);
    const used = new Set();
    rows.forEach((row, i) => {
      const variable = trace.variables[i];
      const isSet = now[i] !== null && now[i] !== undefined;
      const changed = isSet && now[i] !== before[i] && (step > 0 || trace.raw.steps);
      const visible = inScope(row.group, step) && (isSet || !trace.raw.steps);
      if (row.element.hidden === visible) row.element.hidden = !visible;
      if (visible) used.add(row.group);
      setText(row.value, isSet ? formatValue(variable, now[i], radix.value) : "not set yet");
      row.element.classList.toggle("changed", Boolean(changed));
      setText(row.was, changed && before[i] !== null && before[i] !== undefined
        ? "was " + formatValue(variable, before[i], radix.value) : "");
      row.badge.hidden = !marks[i];
      setText(row.badge, marks[i] === 2 ? "input that matters" : "input");
    });
    for (const [group, element] of heads) element.hidden = !used.has(group);
  };
  cursor.listen(update);
  radix.listen(() => update(cursor.step));
  return h("div", { class: "panel", tabindex: "0", role: "region", "aria-label": "values" },
           h("table", { class: "values" }, body));
}

// With its function where the run has another variable of that name.
function shortName(trace, index) {
  const { name, scope } = trace.variables[index];
  const alone = trace.variables.every((other, i) => i === index || other.name !== name);
  return alone || !scope ? name : scope + "::" + name;
}

// What a step did, in one line.
function stepText(trace, step) {
  const raw = trace.raw.steps[step];
  const sets = raw.set.filter(([, , mark]) => mark !== 1 || trace.kind === "program");
  const texts = sets.slice(0, 6).map(([variable, value]) => shortName(trace, variable) + " = " + value);
  if (sets.length > 6) texts.push("…");
  return [raw.note, texts.join(", "), (raw.inputs || []).map((input) => "⇐ " + input).join(", ")]
    .filter(Boolean).join("; ");
}

function makeSteps(trace, cursor) {
  if (!trace.raw.steps) return null;
  const list = h("ol", { class: "steps", "aria-label": "steps" });
  const items = trace.raw.steps.map((raw, step) => {
    const indent = "\u00a0\u00a0".repeat((raw.calls || []).length);
    const item = h("li", {}, h("button", { type: "button", onclick: () => cursor.go(step) },
      h("span", { class: "at" }, raw.line ? "line " + raw.line : raw.other ? "line " + raw.other.line : "–"), indent + stepText(trace, step)));
    list.append(item);
    return item;
  });
  let marked = null;
  cursor.listen((step) => {
    if (marked) marked.removeAttribute("aria-current");
    marked = items[step];
    marked.setAttribute("aria-current", "step");
    reveal(list, marked);
  });
  return h("div", {}, h("h3", {}, "All steps"), list);
}

// Which lines of the source a step is about.
function linkSource(result, trace, cursor, source, report, radix) {
  if (!source.exists) return;
  if (result.line && source.row(result.line)) source.row(result.line).classList.add("claim");
  if (trace.raw.steps) {
    linkProgram(trace, cursor, source);
    return;
  }
  const lines = definitions(source, trace.variables, report.format);
  const update = (step) => {
    const now = trace.at(step);
    const before = step > 0 ? trace.at(step - 1) : now;
    let first = 0;
    for (const [line, variables] of lines) {
      const changed = [...variables].filter((i) => now[i] !== before[i]);
      if (changed.length > 0 && first === 0) first = line;
      source.row(line).classList.toggle("changes", changed.length > 0);
      const texts = [...variables].slice(0, 4).map((i) =>
        trace.variables[i].name + " = " + formatValue(trace.variables[i], now[i], radix.value));
      source.inline(line, texts.length > 0 ? "▸ " + texts.join(", ") : "");
    }
    source.mark(step === trace.length - 1 && result.line ? result.line : first || result.line || 0);
  };
  cursor.listen(update);
  radix.listen(() => update(cursor.step));
}

function linkProgram(trace, cursor, source) {
  const visits = new Map();
  trace.raw.steps.forEach((raw, step) => {
    if (!raw.line) return;
    if (!visits.has(raw.line)) visits.set(raw.line, []);
    visits.get(raw.line).push(step);
  });
  for (const [line, steps] of visits) {
    const row = source.row(line);
    if (!row) continue;
    row.classList.add("visited");
    row.title = plural(steps.length, "visit") + ": a click goes to the next one";
    row.addEventListener("click", () => cursor.go(steps.find((step) => step > cursor.step) ?? steps[0]));
  }
  let noted = 0;
  cursor.listen((step) => {
    if (noted) source.inline(noted, "");
    const raw = trace.raw.steps[step];
    noted = raw.line;
    if (!raw.other || !source.markIn(raw.other.file, raw.other.line))
      source.mark(raw.line || lineBefore(trace, step));
    const text = stepText(trace, step);
    if (noted && text) source.inline(noted, "▸ " + text);
  });
}

// Steps without a line happen where control was.
function lineBefore(trace, step) {
  for (let i = step; i >= 0; --i) if (trace.raw.steps[i].line) return trace.raw.steps[i].line;
  return 0;
}
