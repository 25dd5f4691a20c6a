// Opens reports in headless Chromium and prints what it saw as JSON; report_test.py judges.
//   usage: node report_browser.cjs PLAYWRIGHT-FOLDER CHROMIUM REPORT-FOLDER [SCREENSHOT-FOLDER]
// A report NAME.html gets the checks that every page must pass and the scenario of that name.
const fs = require("fs");
const path = require("path");
const [playwright, chromium, folder, folderForPictures] = process.argv.slice(2);
const { chromium: browserType } = require(path.join(playwright, "node_modules", "playwright-core"));

// The smallest contrast of any visible text against what is behind it, by WCAG 2.1.
function lowestContrast() {
  const parse = (text) => {
    const parts = text.match(/[\d.]+/g).map(Number);
    return { rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1 };
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((value) => {
      const part = value / 255;
      return part <= 0.03928 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4);
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.alpha === 1) return colour.rgb;
    }
    return [255, 255, 255];
  };
  let lowest = { ratio: 21, text: "" };
  let count = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const element = node.parentElement;
    if (!node.data.trim() || element.closest("script, noscript, style")) continue;
    if (element.getClientRects().length === 0) continue;
    const inSvg = element.namespaceURI.endsWith("svg");
    const style = getComputedStyle(element);
    const front = luminance(parse(inSvg ? style.fill : style.color).rgb);
    const back = luminance(behind(element));
    const ratio = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
    ++count;
    if (ratio < lowest.ratio) lowest = { ratio, text: node.data.trim().slice(0, 40), kind: element.className };
  }
  return { ...lowest, count };
}

// What is on the page, when it has come to rest.
async function look() {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const text = (selector) => [...document.querySelectorAll(selector)]
    .filter((element) => element.getClientRects().length > 0).map((element) => element.textContent.trim());
  const now = document.querySelector(".lines li.now");
  const box = document.querySelector(".source");
  const inView = now && box && now.offsetTop >= box.scrollTop - 1 &&
    now.offsetTop + now.offsetHeight <= box.scrollTop + box.clientHeight + 1;
  return {
    where: text(".where")[0] || "",
    line: now ? Number(now.dataset.line) : 0,
    lineText: now ? now.children[1].textContent : "",
    lineInView: Boolean(inView),
    slider: Number((document.querySelector("input[type=range]") || { value: -1 }).value),
    values: text(".values tr:not(.group)"),
    changed: text(".values tr.changed th"),
    badges: text(".values .badge.input"),
    stack: text(".stack li"),
    reason: text(".reason")[0] || "",
    currentStep: text(".steps [aria-current=step]")[0] || "",
    column: text(".matrix thead th[aria-current]")[0] || "",
    headings: text("h2"),
    verdicts: text(".verdicts tbody tr"),
  };
}

// What is there and only seen after scrolling: verdict and reason of every page; of a program that
// fails also its line, the text there, and the values. On a phone verdict and reason suffice.
async function hidden(wide) {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const out = [];
  const need = (what, element) => {
    if (!element) return;
    const box = element.getBoundingClientRect();
    if (box.height === 0 || box.top < 0 || box.bottom > window.innerHeight) out.push(what);
  };
  const cell = document.querySelector(".verdicts tbody tr.chosen td[data-label=verdict]");
  if (!cell) out.push("a chosen verdict");
  need("the verdict", cell);
  const reason = document.querySelector(".reason");
  if (!reason) out.push("a reason");
  need("the reason", reason);
  if (!wide || !document.querySelector(".lines li.now")) return out;
  need("the line", document.querySelector(".lines li.now"));
  need("values", document.querySelector(".values tr:not(.group)"));
  return out;
}

const scenarios = {
  async c_bug(page) {
    const seen = { start: await page.evaluate(look) };
    await page.click("button[aria-label='first step']");
    seen.first = await page.evaluate(look);
    await page.click("button[aria-label='step forward']");
    seen.button = await page.evaluate(look);
    await page.click("h1");
    await page.keyboard.press("ArrowRight");
    seen.key = await page.evaluate(look);
    await page.keyboard.press("ArrowLeft");
    seen.keyBack = await page.evaluate(look);
    await page.fill("input[type=range]", "3");
    seen.slider = await page.evaluate(look);
    await page.click(".steps li:nth-child(1) button");
    seen.click = await page.evaluate(look);
    await page.keyboard.press("End");
    seen.end = await page.evaluate(look);
    await page.click("button[aria-label='first step']");
    await page.evaluate((line) => document.querySelector(`.lines li[data-line="${line}"]`).click(), seen.start.line);
    seen.lineClick = await page.evaluate(look);
    seen.flowNodes = await page.locator(".flow .node").count();
    seen.flowMarked = await page.locator(".flow .edge.now").count();
    await page.locator(".flow .node.linked").first().click();
    return seen;
  },
  async c_calls(page) {
    return { start: await page.evaluate(look) };
  },
  async verilog_bug(page) {
    const count = () => page.locator(".waves .names div:not(.ruler)").count();
    const width = () => page.locator(".waves svg").first().evaluate((drawing) => Number(drawing.getAttribute("width")));
    const first = () => page.locator(".waves .names .label").first().textContent();
    const texts = () => page.locator(".waves .names .value").allTextContents();
    const seen = { start: await page.evaluate(look), signals: await count(), width: await width() };
    await page.click("button[aria-label='zoom in']");
    seen.zoomed = await width();
    await page.click("button[aria-label='zoom out']");
    seen.back = await width();
    await page.fill("input[type=search]", "grant");
    seen.found = await page.locator(".waves .names .label").allTextContents();
    await page.fill("input[type=search]", "");
    const last = page.locator(".waves .names div:not(.ruler)").last();
    seen.lastName = await last.locator(".label").textContent();
    await last.locator("button").click();
    seen.pinned = await first();
    await page.fill("input[type=search]", "no such signal");
    seen.onlyPinned = await page.locator(".waves .names .label").allTextContents();
    await page.fill("input[type=search]", "");
    seen.radix = {};
    for (const base of ["hex", "dec", "bin"]) {
      await page.selectOption("select[aria-label='number base']", base);
      seen.radix[base] = await texts();
    }
    await page.locator(".waves .picture").click({ position: { x: 5, y: 60 } });
    seen.clicked = await page.evaluate(look);
    return seen;
  },
  async lustre_bug(page) {
    const seen = { start: await page.evaluate(look) };
    await page.locator(".matrix tbody tr:first-child td").first().click();
    seen.cell = await page.evaluate(look);
    await page.locator(".matrix").evaluate((box) => { box.scrollLeft = 10000; });
    seen.frozen = await page.evaluate(() => {
      const box = document.querySelector(".matrix");
      return document.querySelector(".matrix tbody th").getBoundingClientRect().left -
             box.getBoundingClientRect().left;
    });
    return seen;
  },
  async vmt_safe(page) {
    const shown = () => page.locator(".formulas li:visible").count();
    const seen = { before: await shown(), summary: await page.locator(".others summary").textContent() };
    await page.click(".others summary");
    seen.after = await shown();
    return seen;
  },
  async hostile(page) {
    return { start: await page.evaluate(look), injected: await page.evaluate(() => window.injected === true),
             images: await page.locator("img, iframe, object").count() };
  },
  // The processor time of a step: script, layout and painting, however busy the machine is.
  async many_steps(page) {
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const spent = async () => (await session.send("Performance.getMetrics")).metrics
      .find((metric) => metric.name === "TaskDuration").value;
    // The best of some rounds: on a busy machine the caches are others' as well.
    const steps = 20;
    let best = Infinity;
    for (let round = 0; round < 5; ++round) {
      const before = await spent();
      await page.evaluate(async (count) => {
        const slider = document.querySelector("input[type=range]");
        for (let i = 0; i < count; ++i) {
          slider.value = String(20 + i);
          slider.dispatchEvent(new Event("input"));
          await new Promise(requestAnimationFrame);
        }
      }, steps);
      best = Math.min(best, 1000 * (await spent() - before) / steps);
    }
    return { milliseconds: best };
  },
};

async function open(browser, file, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const seen = { errors: [], requests: [] };
  page.on("console", (message) => { if (message.type() === "error") seen.errors.push(message.text()); });
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  page.on("request", (request) => { if (!request.url().startsWith("file:")) seen.requests.push(request.url()); });
  await page.goto("file://" + file);
  return { context, page, seen };
}

const overflow = () => document.documentElement.scrollWidth - window.innerWidth;

async function visit(browser, name, file) {
  const pictures = name === "many_steps" ? undefined : folderForPictures;  // too large to look at
  const out = {};
  const desktop = await open(browser, file, { viewport: { width: 1280, height: 800 } });
  out.errors = desktop.seen.errors;
  out.requests = desktop.seen.requests;
  out.light = await desktop.page.evaluate(lowestContrast);
  out.overflow = await desktop.page.evaluate(overflow);
  out.look = await desktop.page.evaluate(look);
  out.hidden = { desktop: await desktop.page.evaluate(hidden, true) };
  if (pictures) await desktop.page.screenshot({ path: path.join(pictures, name + "-desktop.png") });
  if (pictures) await desktop.page.screenshot({ path: path.join(pictures, name + "-full.png"), fullPage: true });
  if (scenarios[name]) out.scenario = await scenarios[name](desktop.page);
  await desktop.context.close();
  const phone = await open(browser, file, { viewport: { width: 320, height: 640 }, colorScheme: "dark" });
  out.phoneOverflow = await phone.page.evaluate(overflow);
  out.hidden.phone = await phone.page.evaluate(hidden, false);
  out.dark = await phone.page.evaluate(lowestContrast);
  out.errors.push(...phone.seen.errors);
  if (pictures) await phone.page.screenshot({ path: path.join(pictures, name + "-phone.png"), fullPage: true });
  await phone.context.close();
  if (pictures) {
    const dark = await open(browser, file, { viewport: { width: 1280, height: 800 }, colorScheme: "dark" });
    await dark.page.screenshot({ path: path.join(pictures, name + "-dark.png") });
    await dark.page.emulateMedia({ media: "print" });
    await dark.page.screenshot({ path: path.join(pictures, name + "-print.png"), fullPage: true });
    await dark.context.close();
  }
  return out;
}

(async () => {
  const browser = await browserType.launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-gpu"] });
  const results = {};
  for (const file of fs.readdirSync(folder).filter((each) => each.endsWith(".html")).sort()) {
    const name = file.slice(0, -5);
    results[name] = await visit(browser, name, path.join(folder, file))
      .catch((error) => ({ failed: String(error && error.stack) }));
  }
  await browser.close();
  process.stdout.write(JSON.stringify(results));
})();
