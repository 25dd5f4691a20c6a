// Puts the page together: verdicts, the evidence of one property, and what is common to all.

function evidenceOf(report, result, keys) {
  const source = makeSource(report);
  if (result.trace) return traceSection(report, result, source, keys);
  keys.current = null;
  const parts = [];
  if (result.proof) parts.push(makeProof(result, source));
  else parts.push(h("p", { class: "reason" }, h("b", {}, result.verdict + ". "), result.reason || ""),
                  source.exists ? source.element : "");
  if (report.flow) parts.push(makeFlow(report.flow, null, null, source));
  if (!result.proof && result.line) source.mark(result.line);
  return { element: h("div", {}, parts), ready: () => source.show(result.line) };
}

function reasonOf(report, result, trace, source) {
  const words = result.goal ? "Reached. " : "Violated. ";
  const row = source.row(result.line);
  const end = trace.raw.end || result.text || (row ? row.children[1].textContent.trim() : result.property);
  const last = (trace.raw.steps || []).at(-1);
  const other = last && last.other;
  const place = result.line ? `${report.file.replace(/^.*\//, "")}:${result.line}: `
    : other ? `${other.file}:${other.line}: ` : "";
  const inputs = trace.kind === "program"
    ? trace.raw.steps.flatMap((step) => step.inputs || []) : [];
  return h("p", { class: "reason" }, h("b", {}, words), place, h("code", {}, end),
    inputs.length > 0 ? h("span", {}, " with ", inputs.slice(0, 6).map((input, i) =>
      [i > 0 ? ", " : "", h("span", { class: "badge input mono" }, input)]), inputs.length > 6 ? ", …" : "") : "",
    trace.raw.cut ? h("span", { class: "muted" }, " Shown: " + trace.raw.cut + ".") : "");
}

function traceSection(report, result, source, keys) {
  const trace = makeTrace(result.trace);
  if (trace.length === 0) return { element: h("p", {}, "The property fails at the start."), ready() {} };
  const cursor = makeCursor(trace.length);
  keys.current = cursor;
  const radix = makeRadix(trace);
  const waves = trace.kind === "circuit" ? makeWaves(trace, cursor, radix) : null;
  const columns = trace.kind === "cycles" ? cycleColumns(trace) : trace.raw.steps ? [] : stepColumns(trace);
  const side = h("div", { class: "side" }, makeStack(trace, cursor, source),
    h("h3", {}, "Values"), waves ? "" : radix.element(), makeValues(trace, cursor, radix), makeSteps(trace, cursor));
  linkSource(result, trace, cursor, source, report, radix);
  const stepper = h("div", { class: source.exists ? "stepper" : "stepper alone" },
    source.exists ? source.element : "", side);
  const matrix = columns.length > 0
    ? h("section", {}, h("h2", {}, trace.kind === "cycles" ? "All cycles" : "All steps"),
        makeMatrix(trace, columns, cursor, radix)) : null;
  const flow = report.flow ? makeFlow(report.flow, cursor, trace, source) : null;
  // Without a source the table or the waveform is what people look at first.
  const order = source.exists ? [stepper, waves, matrix] : [waves, matrix, stepper];
  return {
    element: h("div", {}, reasonOf(report, result, trace, source), makeControls(trace, cursor), order, flow),
    ready: () => cursor.go(cursor.length - 1),
  };
}

function start() {
  const report = JSON.parse(document.getElementById("data").textContent);
  const keys = { current: null };
  const evidence = h("section", { id: "evidence" });
  const choose = (index) => {
    report.results.forEach((_, i) =>
      document.getElementById("verdict-" + i).classList.toggle("chosen", i === index));
    reveal(document.querySelector(".verdict-box"), document.getElementById("verdict-" + index));
    const result = report.results[index];
    const shown = evidenceOf(report, result, keys);
    evidence.replaceChildren(report.results.length > 1 ? h("h2", {}, result.property) : "", shown.element);
    shown.ready();
  };
  document.getElementById("page").replaceChildren(head(report), verdictTable(report, choose), evidence,
    makeGrowth(report.growth) || "", makeDetails(report));
  useKeys(keys);
  const worst = ["unsafe", "safe", "unknown"].map((word) =>
    report.results.findIndex((result) => result.verdict === word)).find((index) => index >= 0);
  if (worst !== undefined) choose(worst);
  window.addEventListener("beforeprint", () =>
    document.querySelectorAll("details").forEach((part) => { part.open = true; }));
}

start();
