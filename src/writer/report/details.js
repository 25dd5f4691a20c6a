// What few readers need: statistics, options, versions, the command. Folded.

function folded(title, content) {
  return h("details", {}, h("summary", {}, title), content);
}

function pairs(rows) {
  return h("div", { class: "scroll" }, h("table", {}, rows.map((row) =>
    h("tr", {}, row.map((cell, i) => h("td", { class: i === 1 ? "number mono" : "mono" }, cell))))));
}

function makeDetails(report) {
  const number = (value, unit) => unit === "s" ? value.toFixed(3) + " s" : String(value);
  return h("section", {}, h("h2", {}, "About this run"),
    report.command ? folded("Command", h("pre", {}, report.command)) : "",
    report.versions.length > 0 ? folded("Versions", pairs(report.versions)) : "",
    report.options.length > 0 ? folded("Options", [
      h("p", { class: "muted" }, "Options of all engines; those that differ from their default come first."),
      pairs(report.options.map(([name, value, fallback]) =>
        [name, value, value === fallback ? "" : "default " + fallback]))]) : "",
    folded("Statistics", pairs(report.stats.map(([name, value, unit]) => [name, number(value, unit)]))));
}
