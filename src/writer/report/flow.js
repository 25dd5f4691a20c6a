// The control flow as Graphviz drew it. Only known elements and attributes are taken over.
const DRAWN = new Set(["svg", "g", "path", "polygon", "ellipse", "text"]);
const KEPT = new Set(["d", "points", "cx", "cy", "rx", "ry", "x", "y", "text-anchor", "font-family", "font-size",
                      "transform", "id", "class", "viewBox", "width", "height"]);

function copyDrawing(node) {
  const out = svg(node.localName, {});
  for (const attribute of node.attributes)
    if (KEPT.has(attribute.name)) out.setAttribute(attribute.name, attribute.value);
  for (const child of node.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) out.append(child.data);
    else if (child.nodeType === Node.ELEMENT_NODE && DRAWN.has(child.localName)) out.append(copyDrawing(child));
  }
  return out;
}

function makeFlow(flow, cursor, trace, source) {
  if (!flow) return null;
  if (!flow.svg) return h("section", {}, h("h2", {}, "Control flow"), h("p", { class: "muted" }, flow.note));
  const parsed = new DOMParser().parseFromString(flow.svg, "image/svg+xml").documentElement;
  const drawing = copyDrawing(parsed);
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", "control flow");
  const parts = new Map([...drawing.querySelectorAll("[id]")].map((part) => [part.getAttribute("id"), part]));
  for (const [id, line] of Object.entries(flow.lines)) {
    const part = parts.get(id);
    if (!part || !line || !source.exists) continue;
    part.classList.add("linked");
    part.setAttribute("tabindex", "0");
    const show = () => {
      const step = trace && trace.raw.steps ? trace.raw.steps.findIndex((raw) => raw.line === line) : -1;
      if (step >= 0) cursor.go(step);
      source.show(line);
    };
    part.addEventListener("click", show);
    part.addEventListener("keydown", (event) => { if (event.key === "Enter") show(); });
  }
  if (cursor && trace.raw.steps) {
    let marked = [];
    cursor.listen((step) => {
      for (const part of marked) part.classList.remove("now");
      marked = (trace.raw.steps[step].edges || []).map((edge) => parts.get("e" + edge)).filter(Boolean);
      for (const part of marked) part.classList.add("now");
    });
  }
  const box = h("div", { class: "scroll flow", tabindex: "0", role: "region", "aria-label": "control flow" }, drawing);
  // A wide drawing opens where control begins.
  requestAnimationFrame(() => {
    const first = parts.get("n0");
    if (!first) return;
    const at = first.getBoundingClientRect(), frame = box.getBoundingClientRect();
    box.scrollLeft += at.left + at.width / 2 - frame.left - frame.width / 2;
  });
  return h("section", {}, h("h2", {}, "Control flow"),
    h("p", { class: "muted" }, "Locations have the number of their line; a click shows it in the source."),
    box);
}
