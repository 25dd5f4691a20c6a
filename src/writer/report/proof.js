// The invariant of a proof: at the lines of the source, and as a list.

function formulaList(place) {
  const formulas = place.formulas || [];
  const out = [];
  if (place.rounds) out.push(h("p", {}, "unwound, at most " + plural(place.rounds, "round")));
  if (formulas.length > 0)
    out.push(h("ol", { class: "formulas" }, formulas.map((text) => h("li", {}, h("code", {}, text)))));
  if (place.cut) out.push(h("p", { class: "muted" }, place.cut));
  return out;
}

function placeTitle(place) {
  if (place.loop) return place.line ? "loop at line " + place.line : "loop";
  if (place.line) return "line " + place.line;
  return place.location || "";
}

function placeView(place) {
  return [placeTitle(place) ? h("h3", {}, placeTitle(place)) : "", ...formulaList(place)];
}

function countFormulas(places) {
  return places.reduce((sum, place) => sum + (place.count || 0), 0);
}

// What is proved, and how much of the invariant that takes.
function proofReason(proof) {
  const count = countFormulas(proof.places);
  const others = countFormulas(proof.others || []);
  const out = [h("b", {}, "Proved. "),
    count === 0 ? "The property needs no further formula: " + proof.kind + "."
                : "The property and " + plural(count, "formula") + ": " + proof.kind + "."];
  if (proof.others === undefined) return out;
  if (proof.minimal)
    out.push(count === 0 ? "" : count === 1 ? " It cannot be left out." : " None of them can be left out.");
  else out.push(" Fewer may be enough: that was not decided in the time for it.");
  if (others > 0) out.push(" " + plural(others, "more lemma") + ", below, " + (others === 1 ? "is" : "are") + " not needed.");
  return out;
}

// Lemmas that the engine found on its way and that the proof does without.
function otherLemmas(proof) {
  const others = proof.others || [];
  if (others.length === 0) return "";
  return h("details", { class: "others" },
    h("summary", {}, plural(countFormulas(others), "more lemma") + " that the proof does not need"),
    others.map(placeView));
}

function makeProof(result, source) {
  const proof = result.proof;
  const reason = h("p", { class: "reason proved" }, proofReason(proof));
  const main = proof.places.filter((place) => place.loop !== false || !source.exists);
  const others = proof.places.filter((place) => !main.includes(place));
  const between = others.filter((place) => !place.line);
  const elsewhere = others.filter((place) => place.line);
  const list = h("div", {}, between.map(placeView), main.map(placeView),
    elsewhere.length > 0 ? h("details", { open: main.length + between.length === 0 },
      h("summary", {}, "At " + plural(elsewhere.length, "other place")), elsewhere.map(placeView)) : "",
    otherLemmas(proof));
  if (!source.exists) return h("section", {}, reason, list);
  const annotated = main.length > 0 ? main : elsewhere;
  const byLine = new Map();
  for (const place of annotated) {
    if (!place.line) continue;
    const texts = (place.formulas || []).map((text) => "invariant " + text);
    if (place.rounds) texts.push("unwound, at most " + plural(place.rounds, "round"));
    if (!byLine.has(place.line)) byLine.set(place.line, new Set());
    for (const text of texts) byLine.get(place.line).add(text);
  }
  for (const [line, texts] of byLine) source.annotate(line, [...texts].slice(0, 12));
  if (result.line && source.row(result.line)) source.row(result.line).classList.add("proved");
  return h("section", {}, reason,
    h("div", { class: "stepper" }, source.element, h("div", { class: "side panel", tabindex: "0" }, list)));
}
