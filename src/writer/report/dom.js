// Making elements. Text always goes into text nodes, so that names and sources cannot add markup.
const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child);
  }
  return element;
}

function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

// Measuring makes the browser lay out the page, so all of it is done once a frame.
const measurements = new Map();
function measureLater(key, work) {
  if (measurements.size === 0)
    requestAnimationFrame(() => {
      const all = [...measurements.values()];
      measurements.clear();
      for (const each of all) each();
    });
  measurements.set(key, work);
}

// Scrolls within `box` alone, so that the page stays where it is.
function reveal(box, element) {
  measureLater(box, () => revealNow(box, element));
}

function revealNow(box, element) {
  const top = element.offsetTop;
  const bottom = top + element.offsetHeight;
  if (top >= box.scrollTop + 20 && bottom <= box.scrollTop + box.clientHeight - 20) return;
  box.scrollTop = top - box.clientHeight / 2;
}

function revealAcross(box, left, right) {
  if (left >= box.scrollLeft && right <= box.scrollLeft + box.clientWidth) return;
  box.scrollLeft = Math.max(0, (left + right - box.clientWidth) / 2);
}

// Only what differs is touched: a step must not make the browser lay out everything again.
function setText(element, text) {
  if (element.shownText === text) return;
  element.shownText = text;
  element.textContent = text;
}

function plural(count, word) {
  return count + " " + word + (count === 1 ? "" : "s");
}
