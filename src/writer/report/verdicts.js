// The first thing on the page: what was asked, what the answer is, and who gave it.
const CERTIFIED = {
  yes: "yes", no: "no: --no-certify", replay: "yes, by replay of the compiled code", "": "",
};

function verdictRow(result, index, choose) {
  const cell = (label, content, attributes) =>
    h("td", { "data-label": label, ...attributes }, content);
  return h("tr", { id: "verdict-" + index },
    cell("verdict", h("span", { class: result.verdict }, result.verdict)),
    cell("property", [
      h("button", { class: "name", type: "button", onclick: () => choose(index) }, result.property),
      result.text && !result.property.includes(result.text)
        ? h("code", { class: "muted" }, " " + result.text) : "",
      result.reason ? h("div", {}, result.reason) : "",
      (result.advice || []).map((line) => h("div", {}, line)),
      result.vacuous ? h("div", {}, h("span", { class: "badge vacuous" }, "vacuous"),
                         " " + result.vacuous) : "",
    ]),
    cell("engine", result.engine),
    cell("time", result.seconds.toFixed(result.seconds < 10 ? 2 : 1) + " s", { class: "number" }),
    cell("depth", result.depth === null ? "" : String(result.depth), { class: "number" }),
    cell("certified", CERTIFIED[result.certified]));
}

function verdictTable(report, choose) {
  const heads = ["verdict", "property", "engine", "time", "depth", "certified"];
  const table = h("table", { class: "verdicts" },
    h("thead", {}, h("tr", {}, heads.map((head) => h("th", {}, head)))),
    h("tbody", {}, report.results.map((result, i) => verdictRow(result, i, choose))));
  return h("div", { class: "verdict-box", tabindex: report.results.length > 4 ? "0" : undefined }, table);
}

function summary(report) {
  const count = (word) => report.results.filter((result) => result.verdict === word).length;
  return ["unsafe", "unknown", "safe"].filter((word) => count(word) > 0)
    .map((word) => h("span", {}, h("span", { class: word }, count(word) + " " + word), " "));
}

function head(report) {
  return h("header", {},
    h("h1", {}, report.file),
    h("p", { class: "muted" }, summary(report), "· lemmata " + report.version +
      (report.format ? " · " + report.format : "")),
    report.warnings.map((warning) => h("p", { class: "unknown" }, warning)));
}
