// Values of all variables at all steps, with frozen names: for transition systems, and for PLC
// programs at the begin and the end of each cycle.

function stepColumns(trace) {
  return Array.from({ length: trace.length }, (_, step) => ({ label: String(trace.first + step), step }));
}

function cycleColumns(trace) {
  const columns = [];
  trace.raw.steps.forEach((raw, step) => {
    if (!raw.cycle) return;
    const next = trace.raw.steps[step + 1];
    const before = trace.raw.steps[step - 1];
    if (!before || before.cycle !== raw.cycle) columns.push({ label: raw.cycle + " begin", step });
    if (next && next.cycle !== raw.cycle) columns.push({ label: raw.cycle + " end", step });
    if (!next) columns.push({ label: raw.cycle + (raw.line ? " line " + raw.line : " end"), step });
  });
  return columns;
}

function makeMatrix(trace, columns, cursor, radix) {
  const states = columns.map((column) => trace.at(column.step));
  const heads = columns.map((column) =>
    h("th", { onclick: () => cursor.go(column.step), scope: "col" }, column.label));
  const cells = columns.map(() => []);
  const rows = trace.variables.map((variable, i) => {
    const row = h("tr", {}, h("th", { scope: "row", title: fullName(variable) }, h("code", {}, fullName(variable)),
      variable.role === "input" ? [" ", h("span", { class: "badge input" }, "input")] : ""));
    columns.forEach((column, k) => {
      const changed = k > 0 && states[k][i] !== states[k - 1][i];
      const cell = h("td", { class: changed ? "mono changed" : "mono", onclick: () => cursor.go(column.step) });
      cells[k].push(cell);
      row.append(cell);
    });
    return row;
  });
  let places = null;  // of the columns, measured when they are needed
  const measure = () => {
    const frozen = rows.length > 0 ? rows[0].firstChild.offsetWidth : 0;
    const height = rows.length > 0 ? rows[0].parentElement.parentElement.offsetHeight : 0;
    places = heads.map((head) => ({ left: head.offsetLeft, right: head.offsetLeft + head.offsetWidth,
                                    frozen, height }));
  };
  // All columns have one width: rows are laid out alone, and those out of sight are not painted.
  const write = () => {
    let widest = Math.max(...columns.map((column) => column.label.length));
    columns.forEach((_, k) => cells[k].forEach((cell, i) => {
      const text = formatValue(trace.variables[i], states[k][i], radix.value);
      cell.textContent = text;
      if (text.length > 24) cell.title = text;
      widest = Math.max(widest, text.length);
    }));
    box.style.setProperty("--cell", 8.4 * Math.min(24, widest) + 20 + "px");
  };
  radix.listen(() => { write(); places = null; });
  const box = h("div", { class: "scroll matrix", tabindex: "0", role: "region", "aria-label": "table of values" },
    h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, trace.kind === "cycles" ? "cycle" : "step"), heads)),
      h("tbody", {}, rows)));
  // One strip over the current column, a layer of its own: marking cells would paint all of them again.
  const strip = h("div", { class: "strip" });
  box.append(strip);
  write();
  let marked = -1;
  cursor.listen((step) => {
    let column = columns.findIndex((each) => each.step >= step);
    if (column < 0) column = columns.length - 1;
    if (marked >= 0) heads[marked].removeAttribute("aria-current");
    marked = column;
    heads[column].setAttribute("aria-current", "step");
    measureLater(box, () => {
      if (places === null) measure();
      const { left, right, frozen, height } = places[column];
      strip.style.transform = `translateX(${left}px)`;
      strip.style.width = right - left + "px";
      strip.style.height = height + "px";
      revealAcross(box, left - frozen, right);
    });
  });
  return box;
}
