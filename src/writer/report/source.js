// The user's files with the current line marked. `makeSource` gives an element and what can be done
// to it: mark(line), annotate(line, texts), inline(line, text).
const KEYWORDS = {
  c: "auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|int|long|" +
     "register|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while",
  st: "IF|THEN|ELSE|ELSIF|END_IF|CASE|OF|END_CASE|FOR|TO|BY|DO|END_FOR|WHILE|END_WHILE|REPEAT|UNTIL|" +
      "END_REPEAT|VAR|VAR_INPUT|VAR_OUTPUT|VAR_IN_OUT|VAR_TEMP|END_VAR|PROGRAM|END_PROGRAM|FUNCTION|" +
      "END_FUNCTION|FUNCTION_BLOCK|END_FUNCTION_BLOCK|AND|OR|XOR|NOT|MOD|TRUE|FALSE|BOOL|INT|DINT|TIME|BEGIN",
  lustre: "node|function|returns|let|tel|var|if|then|else|pre|and|or|not|xor|true|false|int|bool|real|" +
          "const|type|enum|contract|assume|guarantee|assert|div|mod|when|merge",
  verilog: "module|endmodule|input|output|inout|wire|reg|logic|always|always_ff|always_comb|begin|end|if|" +
           "else|case|endcase|assign|assert|assume|cover|property|posedge|negedge|parameter|localparam|" +
           "initial|enum|typedef|struct|for|function|endfunction|generate|endgenerate",
};
const SLASHES = { line: "//.*", open: "/*", close: "*/", block: "/\\*.*?(?:\\*/|$)" };
const COMMENTS = {
  c: SLASHES, verilog: SLASHES,
  st: { line: "//.*", open: "(*", close: "*)", block: "\\(\\*.*?(?:\\*\\)|$)" },
  lustre: { line: "--.*", open: "(*", close: "*)", block: "\\(\\*.*?(?:\\*\\)|$)" },
};

// One line in coloured pieces. Only looks: a wrong guess changes no text. `state.inside`: a comment
// that an earlier line has opened goes on.
function colour(text, format, state) {
  if (!KEYWORDS[format]) return [text];
  const comment = COMMENTS[format];
  if (state.inside) {
    const end = text.indexOf(comment.close);
    if (end < 0) return [h("span", { class: "comment" }, text)];
    state.inside = false;
    const cut = end + comment.close.length;
    return [h("span", { class: "comment" }, text.slice(0, cut)), ...colour(text.slice(cut), format, state)];
  }
  const pattern = new RegExp("(" + comment.line + "|" + comment.block + ")|(\"[^\"]*\"|\\b\\d[\\w#.']*)|\\b(" +
                             KEYWORDS[format] + ")\\b", "g");
  const out = [];
  let done = 0;
  for (const match of text.matchAll(pattern)) {
    if (match[0] === "") continue;
    out.push(text.slice(done, match.index));
    const kind = match[1] !== undefined ? "comment" : match[2] !== undefined ? "literal" : "keyword";
    out.push(h("span", { class: kind }, match[0]));
    if (match[0].startsWith(comment.open) && !match[0].endsWith(comment.close)) state.inside = true;
    done = match.index + match[0].length;
  }
  out.push(text.slice(done));
  return out;
}

function makeListing(file, format) {
  const list = h("ol", { class: "lines" });
  const state = { inside: false };
  const rows = file.text.split("\n").map((text, i) => {
    const row = h("li", { "data-line": i + 1 }, h("span", { class: "no" }, String(i + 1)),
      h("span", {}, colour(text.replace(/\r$/, ""), format, state)), h("span", { class: "inline" }));
    list.append(row);
    return row;
  });
  return { list, rows };
}

function makeSource(report) {
  const listings = report.sources.map((file) => makeListing(file, report.format));
  const box = h("div", { class: "source", tabindex: "0", role: "region", "aria-label": "source" });
  const tabs = h("div", { class: "tabs" });
  const show = (index) => {
    box.replaceChildren(listings[index].list);
    [...tabs.children].forEach((tab, i) => tab.setAttribute("aria-pressed", String(i === index)));
  };
  report.sources.forEach((file, i) =>
    tabs.append(h("button", { type: "button", onclick: () => show(i) }, file.name)));
  if (listings.length > 0) show(0);
  const main = listings.length > 0 ? listings[0].rows : [];
  const row = (line) => main[line - 1];
  let marked = null;
  return {
    exists: listings.length > 0,
    element: h("div", {}, listings.length > 1 ? tabs : "", box),
    box, row, rows: main,
    // Marks the line at which control is, and brings it into view.
    mark(line) {
      if (marked) { marked.classList.remove("now"); marked.removeAttribute("aria-current"); }
      marked = row(line) || null;
      if (!marked) return;
      if (listings.length > 1) show(0);
      marked.classList.add("now");
      marked.setAttribute("aria-current", "true");
      reveal(box, marked);
    },
    // The same for a line of another file; false if the page does not have it.
    markIn(file, line) {
      const index = report.sources.findIndex((one) => one.name === file);
      this.mark(0);
      if (index < 0 || !listings[index].rows[line - 1]) return false;
      show(index);
      marked = listings[index].rows[line - 1];
      marked.classList.add("now");
      marked.setAttribute("aria-current", "true");
      reveal(box, marked);
      return true;
    },
    show(line) { if (row(line)) reveal(box, row(line)); },
    inline(line, text) { if (row(line)) row(line).lastElementChild.textContent = text; },
    annotate(line, texts) {
      if (!row(line)) return;
      row(line).classList.add("proved");
      for (const text of texts)
        row(line).before(h("li", { class: "proved" }, h("span", { class: "no" }, ""),
                           h("span", { class: "invariant" }, text)));
    },
  };
}

// Lines that define variables, for languages in which everything happens at every step.
function definitions(source, variables, format) {
  const byName = new Map();
  variables.forEach((variable, i) => {
    const name = variable.name.replace(/\[.*$/, "");
    if (!byName.has(name)) byName.set(name, []);
    byName.get(name).push(i);
  });
  const defines = format === "verilog" ? /([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)?(?:<=|=)(?!=)/g
                                       : /([A-Za-z_]\w*)\s*=(?!=|>)/g;
  const lines = new Map();
  const placed = new Set();
  const note = (line, name) => {
    for (const variable of byName.get(name) || []) {
      if (!lines.has(line)) lines.set(line, new Set());
      lines.get(line).add(variable);
      placed.add(variable);
    }
  };
  const texts = source.rows.map((row) => row.children[1].textContent.replace(/\/\/.*|--.*/, ""));
  texts.forEach((text, i) => {
    if (/^\s*initial\b/.test(text)) return;
    for (const match of text.matchAll(defines)) note(i + 1, match[1]);
  });
  texts.forEach((text, i) => {
    for (const match of text.matchAll(/[A-Za-z_]\w*/g))
      if ((byName.get(match[0]) || []).some((variable) => !placed.has(variable)))
        note(i + 1, match[0]);
  });
  return lines;
}
