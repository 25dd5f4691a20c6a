// How the proof grew: what each engine had counted, over time. Plots with axes and units.
const PLOT = { width: 360, height: 200, left: 52, right: 10, top: 10, bottom: 34 };

function niceStep(range, count) {
  const rough = range / count;
  const power = Math.pow(10, Math.floor(Math.log10(rough)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough);
}

function shortNumber(value) {
  if (value >= 1e6) return (value / 1e6).toFixed(value >= 1e7 ? 0 : 1) + "M";
  if (value >= 1e4) return (value / 1e3).toFixed(0) + "k";
  return String(Math.round(value * 1000) / 1000);
}

// Axes with ticks from 0; returns how to place points.
function makeAxes(most, labels) {
  const { width, height, left, right, top, bottom } = PLOT;
  const x = (value) => left + (value / most.x) * (width - left - right);
  const y = (value) => height - bottom - (value / most.y) * (height - top - bottom);
  const parts = [];
  const stepX = niceStep(most.x, 5), stepY = Math.max(1, niceStep(most.y, 4));
  for (let value = 0; value <= most.x * 1.0001; value += stepX) {
    parts.push(svg("line", { class: "tick", x1: x(value), x2: x(value), y1: top, y2: height - bottom }));
    parts.push(svg("text", { x: x(value), y: height - bottom + 14, "text-anchor": "middle" }, shortNumber(value)));
  }
  for (let value = 0; value <= most.y * 1.0001; value += stepY) {
    parts.push(svg("line", { class: "tick", x1: left, x2: width - right, y1: y(value), y2: y(value) }));
    parts.push(svg("text", { x: left - 5, y: y(value) + 4, "text-anchor": "end" }, shortNumber(value)));
  }
  parts.push(svg("path", { class: "axis", d: `M${left} ${top}V${height - bottom}H${width - right}` }));
  parts.push(svg("text", { x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle" }, labels.x));
  parts.push(svg("text", { x: 11, y: (top + height - bottom) / 2, "text-anchor": "middle",
    transform: `rotate(-90 11 ${(top + height - bottom) / 2})` }, labels.y));
  return { x, y, parts };
}

function plotFrame(title, content) {
  return h("figure", { class: "plot" }, h("figcaption", {}, title),
    svg("svg", { viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, role: "img", "aria-label": title }, content));
}

function seriesColour(index) {
  return `var(--series-${index % 8})`;
}

function linePlot(title, unit, growth, pick) {
  const lines = growth.map((engine, index) => ({ index, points: engine.samples
    .map((sample) => [sample.t, pick(sample)]).filter(([, value]) => value !== undefined) }))
    .filter((line) => line.points.some(([, value]) => value > 0));
  if (lines.length === 0) return null;
  const all = lines.flatMap((line) => line.points);
  const most = { x: Math.max(0.01, ...all.map(([t]) => t)), y: Math.max(1, ...all.map(([, value]) => value)) };
  const axes = makeAxes(most, { x: "time (s)", y: unit });
  const drawn = lines.flatMap(({ index, points }) => {
    const path = points.map(([t, value], i) => `${i === 0 ? "M" : "L"}${axes.x(t)} ${axes.y(value)}`).join("");
    const line = svg("path", { class: "series", d: path });
    line.style.stroke = seriesColour(index);
    const [t, value] = points[points.length - 1];
    const end = svg("circle", { cx: axes.x(t), cy: axes.y(value), r: 3 });
    end.style.fill = seriesColour(index);
    return [line, end];
  });
  return plotFrame(title, [...axes.parts, ...drawn]);
}

// Lemmas in each frame over time, of one engine, as shades.
function framePlot(engine) {
  const samples = engine.samples.filter((sample) => sample.lemmas);
  const top = Math.max(...samples.map((sample) => sample.first + sample.lemmas.length));
  const end = Math.max(0.01, ...engine.samples.map((sample) => sample.t));
  const most = Math.max(1, ...samples.flatMap((sample) => sample.lemmas));
  const axes = makeAxes({ x: end, y: top }, { x: "time (s)", y: "frame" });
  const cells = samples.flatMap((sample, i) => {
    const until = i + 1 < samples.length ? samples[i + 1].t : end;
    const left = axes.x(sample.t), right = Math.max(left + 2, axes.x(until));
    return sample.lemmas.map((count, k) => {
      const frame = sample.first + k;
      const cell = svg("rect", { x: left, width: right - left, y: axes.y(frame + 0.5), height: axes.y(0) - axes.y(1) },
        svg("title", {}, `${plural(count, "lemma")} in frame ${frame} at ${sample.t.toFixed(2)} s`));
      cell.style.fill = seriesColour(0);
      cell.style.opacity = count === 0 ? 0 : 0.15 + 0.85 * (count / most);
      return cell;
    });
  });
  return plotFrame(`Lemmas per frame, ${engine.engine.replace(/\{.*\}/, "")} (darkest: ${most})`, [...axes.parts.slice(0, -3), ...cells,
    ...axes.parts.slice(-3)]);
}

function makeGrowth(growth) {
  if (!growth || growth.every((engine) => engine.samples.length === 0)) return null;
  const plots = [
    linePlot("Lemmas", "lemmas", growth, (sample) => sample.counts.lemmas ??
      (sample.lemmas ? sample.lemmas.reduce((a, b) => a + b, 0) : undefined)),
    linePlot("Frames or unrolling depth", "frame", growth, (sample) => sample.counts.depth),
    linePlot("Proof obligations", "obligations", growth, (sample) => sample.counts.obligations),
    linePlot("Solver queries", "queries", growth, (sample) => sample.counts.queries),
    linePlot("Resident memory", "MB", growth, (sample) => sample.memory / 1048576),
    ...growth.filter((engine) => engine.samples.some((sample) => (sample.lemmas || []).some((count) => count > 0))).map(framePlot),
  ].filter(Boolean);
  if (plots.length === 0) return null;
  const legend = growth.map((engine, i) => {
    const line = svg("svg", { viewBox: "0 0 14 8" }, svg("path", { d: "M0 4H14", "stroke-width": 3 }));
    line.firstChild.style.stroke = seriesColour(i);
    return h("li", {}, line, " ", h("span", {}, engine.engine));
  });
  return h("section", {}, h("h2", {}, "How the proof grew"),
    h("p", { class: "muted" }, "Engines report up to five times a second; those that ended sooner have one point."),
    h("ul", { class: "legend" }, legend), h("div", { class: "plots" }, plots));
}
