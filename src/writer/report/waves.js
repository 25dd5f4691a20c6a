// Waveforms of circuits: zoom, search, pinned signals, number base; a click sets the step.
const ROW = 26;
const SCALE = 18;  // height of the ruler

function bitPath(variable, width, clock) {
  const high = 5, low = ROW - 6;
  let path = "";
  variable.values.forEach((value, k) => {
    if (clock) {
      path += `${k === 0 ? "M" : "L"}${k * width} ${low}V${high}H${(k + 0.5) * width}V${low}H${(k + 1) * width}`;
      return;
    }
    const y = value === "0" ? low : high;
    path += k === 0 ? `M0 ${y}` : `V${y}`;
    path += `H${(k + 1) * width}`;
  });
  return path;
}

// Stretches of equal values as lozenges with their value inside.
function busParts(variable, width, radix) {
  const parts = [];
  let path = "";
  for (let k = 0; k < variable.values.length;) {
    let end = k + 1;
    while (end < variable.values.length && variable.values[end] === variable.values[k]) ++end;
    const left = k * width, right = end * width, middle = ROW / 2;
    path += `M${left} ${middle}L${left + 3} 5H${right - 3}L${right} ${middle}L${right - 3} ${ROW - 6}H${left + 3}Z`;
    const room = Math.floor((right - left - 8) / 6.7);
    const text = formatWord(variable, variable.values[k], radix);
    const shown = text.length <= room ? text : room >= 3 ? text.slice(0, room - 1) + "…" : "";
    if (shown) parts.push(svg("text", { x: left + 6, y: middle + 3.5 }, shown));
    k = end;
  }
  return [svg("path", { class: "bus", d: path }), ...parts];
}

// A drawing of its own for each signal: those out of sight are not painted.
function waveRow(variable, step, width, radix) {
  const kind = variable.clock ? "clock" : variable.role === "property" ? "property" : "bit";
  const content = variable.bits === 1 && !(variable.names && radix === "name")
    ? [svg("path", { class: kind, d: bitPath(variable, step, variable.clock) })]
    : busParts(variable, step, radix);
  return svg("svg", { class: "row", width, height: ROW }, content);
}

function makeWaves(trace, cursor, radix) {
  const signals = trace.variables.filter((variable) => variable.bits);
  if (signals.length === 0) return null;
  const state = { width: 40, search: "", pinned: new Set() };
  const names = h("div", { class: "names" });
  const drawing = h("div", { class: "drawing", tabindex: "0", role: "region", "aria-label": "waveform" });
  const mark = h("div", { class: "strip" });  // a layer of its own, which moves without painting the waves
  let labels = [];
  const order = () => {
    const wanted = signals.filter((one) => state.pinned.has(one) ||
      fullName(one).toLowerCase().includes(state.search.toLowerCase()));
    return [...wanted.filter((one) => state.pinned.has(one)), ...wanted.filter((one) => !state.pinned.has(one))];
  };
  const place = (step) => {
    mark.style.transform = `translateX(${step * state.width}px)`;
    for (const [variable, label] of labels) setText(label, formatWord(variable, variable.values[step], radix.value));
    measureLater(drawing, () => revealAcross(drawing, step * state.width, (step + 1) * state.width));
  };
  const pin = (variable) => {
    if (!state.pinned.delete(variable)) state.pinned.add(variable);
    draw();
  };
  function drawNames(shown) {
    labels = [];
    names.replaceChildren(h("div", { style: null, class: "ruler" }, "step"), ...shown.map((variable) => {
      const value = h("span", { class: "value" });
      labels.push([variable, value]);
      const isPinned = state.pinned.has(variable);
      return h("div", { title: fullName(variable) },
        h("button", { type: "button", "aria-pressed": String(isPinned), "aria-label": "pin " + fullName(variable),
                      onclick: () => pin(variable) }, isPinned ? "●" : "○"),
        h("span", { class: "label" }, fullName(variable)), value);
    }));
    names.firstChild.style.height = SCALE + "px";
  }
  function draw() {
    const shown = order();
    drawNames(shown);
    const length = trace.length;
    const height = SCALE + shown.length * ROW;
    const every = Math.max(1, Math.ceil(28 / state.width));
    const rules = [];
    for (let k = 0; k < length; k += every) {
      rules.push(svg("line", { class: "rule", x1: k * state.width, x2: k * state.width, y1: 0, y2: SCALE }));
      rules.push(svg("text", { x: k * state.width + 3, y: 13 }, String(trace.first + k)));
    }
    mark.style.width = state.width + "px";
    mark.style.height = height + "px";
    const total = length * state.width + 1;
    const picture = h("div", { class: "picture" }, svg("svg", { width: total, height: SCALE }, rules),
      shown.map((variable) => waveRow(variable, state.width, total, radix.value)));
    picture.style.width = total + "px";
    picture.addEventListener("click", (event) => {
      const left = picture.getBoundingClientRect().left;
      cursor.go(Math.floor((event.clientX - left) / state.width));
    });
    drawing.replaceChildren(picture, mark);
    place(cursor.step);
  }
  const zoom = (factor) => {
    state.width = Math.max(4, Math.min(320, state.width * factor));
    draw();
  };
  const search = h("input", { type: "search", placeholder: "search signals", "aria-label": "search signals",
    oninput: () => { state.search = search.value; draw(); } });
  cursor.listen(place);
  radix.listen(draw);
  draw();
  return h("section", {}, h("h2", {}, "Waveform"),
    h("div", { class: "tools" }, search,
      h("button", { type: "button", "aria-label": "zoom in", onclick: () => zoom(1.5) }, "+"),
      h("button", { type: "button", "aria-label": "zoom out", onclick: () => zoom(1 / 1.5) }, "−"),
      h("button", { type: "button", onclick: () => {
        state.width = Math.max(4, (drawing.clientWidth - 2) / trace.length);
        draw();
      } }, "fit"),
      radix.element()),
    h("div", { class: "waves" }, names, drawing));
}

// The number base, shared by all views.
function makeRadix(trace) {
  const listeners = [];
  const words = trace.variables.some((variable) => variable.bits > 1);
  const named = trace.variables.some((variable) => variable.names);
  const radix = {
    value: named ? "name" : trace.kind === "circuit" ? "hex" : "dec",
    listen(listener) { listeners.push(listener); },
    element() {
      if (!words) return null;
      const options = [["hex", "hexadecimal"], ["dec", "decimal"], ["signed", "signed decimal"], ["bin", "binary"]];
      if (named) options.unshift(["name", "names, hexadecimal"]);
      const select = h("select", { "aria-label": "number base", onchange: () => {
        radix.value = select.value;
        for (const listener of listeners) listener();
      } }, options.map(([value, text]) => h("option", { value, selected: value === radix.value }, text)));
      return select;
    },
  };
  return radix;
}
