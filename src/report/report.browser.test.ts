import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { executablePath, launchChromium, setFolds } from "./chromium.fixture.ts";
import type { ReportInput } from "./input.ts";
import { farApart, hostile, invented, inventInput, twelvePolicies, withStretch } from "./report.fixture.ts";
import { renderReport } from "./report.ts";

const inputs: Readonly<Record<string, ReportInput>> = {
  twelve: inventInput({
    ...invented,
    policies: twelvePolicies,
    loads: [0.5, ...invented.loads],
    synthetic: true,
  }),
  "one load, few days": inventInput({ ...invented, loads: [0.95], days: 4 }),
  "far apart": farApart(),
  "own policy": { ...inventInput({ ...invented, loads: [0.7] }), baseline: "best-fit-cores" },
  stretch: withStretch(inventInput({ ...invented, loads: [0.7, 0.95] })),
  hostile: hostile(inventInput({ ...invented, policies: ["mix-fit", "max-jobs"], loads: [0.7, 0.95] })),
};

describe.skipIf(!existsSync(executablePath))(`in Chromium (skipped without ${executablePath})`, () => {
  let browser: Browser;
  let folder: string;

  beforeAll(async () => {
    browser = await launchChromium();
    folder = mkdtempSync(join(tmpdir(), "croft-report-"));
    for (const [name, input] of Object.entries(inputs)) {
      writeFileSync(join(folder, `${name}.html`), renderReport(input));
    }
  });

  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  async function open(name: string): Promise<Page> {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(join(folder, `${name}.html`)).href);
    await page.evaluate(setFolds, true);
    return page;
  }

  test.each(Object.keys(inputs))("%s: asks for nothing, complains of nothing, runs nothing", async (name) => {
    const page = await browser.newPage();
    const events: string[] = [];
    page.on("request", (request) => events.push(`request ${request.url()}`));
    page.on("console", (message) => events.push(`console ${message.text()}`));
    page.on("pageerror", (error) => events.push(`error ${error.message}`));
    page.on("dialog", (dialog) => events.push(`dialog ${dialog.message()}`));
    const address = pathToFileURL(join(folder, `${name}.html`)).href;
    await page.goto(address);
    expect(events).toEqual([`request ${address}`]);
    expect(await page.locator("script, img, iframe, [onerror]").count()).toBe(0);
    await page.close();
  });

  test.each(Object.keys(inputs))("%s: nothing sticks out, no label lies on another", async (name) => {
    const page = await open(name);
    for (const width of [400, 1200]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await page.evaluate(clippedLabels)).toEqual([]);
      expect(await page.evaluate(overlappingLabels)).toEqual([]);
    }
    await page.close();
  });

  test.each(["light", "dark"] as const)(
    "a table that is wider than a telephone has a shadow at its edge, which goes at its end, in %s colours",
    async (colorScheme) => {
      const page = await open("twelve");
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 390, height: 900 });
      const wide = await page.evaluate(() =>
        [...document.querySelectorAll(".scroll")].findIndex((table) => table.scrollWidth > table.clientWidth),
      );
      const table = page.locator(".scroll").nth(wide);
      const hasShadow = async (): Promise<boolean> => {
        const picture = await table.screenshot();
        await table.evaluate((element) => element.style.setProperty("background", "none"));
        const plain = await table.screenshot();
        await table.evaluate((element) => element.style.removeProperty("background"));
        return !picture.equals(plain);
      };
      expect(await hasShadow()).toBe(true);
      await table.evaluate((element) => element.scrollTo(element.scrollWidth, 0));
      expect(await hasShadow()).toBe(false);
      await page.close();
    },
  );

  test("who gains and who loses is seen on a telephone without scrolling", async () => {
    const page = await open("own policy");
    await page.setViewportSize({ width: 390, height: 900 });
    const widths = await page.evaluate(() =>
      [...document.querySelectorAll("#gains .scroll")].map((table) => table.scrollWidth - table.clientWidth),
    );
    expect(widths.length).toBeGreaterThan(0);
    expect(widths.every((hidden) => hidden <= 0)).toBe(true);
    await page.close();
  });

  test.each(Object.keys(inputs))(
    "%s: no text is smaller than 11 px, on a telephone or a screen",
    async (name) => {
      const page = await open(name);
      for (const width of [390, 1200]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate(textBelow, 11)).toEqual([]);
      }
      await page.close();
    },
  );

  test("policies' names stand whole in every chart", async () => {
    const page = await open("far apart");
    expect(await page.locator("svg.chart .label", { hasText: "…" }).count()).toBe(0);
    const names = await page.locator("#verdict svg.chart .label").allTextContents();
    const [, ...others] = new Set(farApart().runs.map((run) => run.policy));
    // Sixteen times as long a wait is named below the picture instead.
    const near = others.filter((name) => !name.startsWith("conservative"));
    expect(names.toSorted()).toEqual(near.toSorted());
    expect(await page.locator("#verdict figcaption").allTextContents()).toContainEqual(
      expect.stringContaining("Too far to the right to be drawn: conservative/worse-fit-cores."),
    );
    await page.close();
  });

  test("folded, each chapter says what it comes to; printed, all are open", async () => {
    const page = await open("twelve");
    await page.evaluate(setFolds, false);
    const isSeen = (): Promise<boolean[]> =>
      page.evaluate(() => [...document.querySelectorAll(".body > *")].map((part) => part.checkVisibility()));
    expect(await isSeen()).not.toContain(true);
    expect((await page.locator(".finding").allInnerTexts()).every((text) => text.length > 10)).toBe(true);
    await page.emulateMedia({ media: "print" });
    expect(await isSeen()).not.toContain(false);
    await page.close();
  });

  test.each([
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ])("the three answers for who decides are on the first screen of $width × $height", async (size) => {
    for (const name of ["twelve", "own policy", "one load, few days", "far apart"]) {
      const page = await open(name);
      await page.setViewportSize(size);
      const bottoms = await page.evaluate(() =>
        [...document.querySelectorAll(".decision, .tile")].map((each) => each.getBoundingClientRect().bottom),
      );
      expect(bottoms, name).toHaveLength(4);
      expect(Math.max(...bottoms), name).toBeLessThanOrEqual(size.height);
      await page.close();
    }
  });

  test.each(Object.keys(inputs).filter((name) => name !== "hostile"))(
    "%s: no word breaks inside on a telephone",
    async (name) => {
      const page = await open(name);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(brokenWords)).toEqual([]);
      await page.close();
    },
  );

  test("a printed page cuts no table", async () => {
    const page = await open("twelve");
    await page.emulateMedia({ media: "print" });
    // A4 less its margins, at 96 px an inch.
    await page.setViewportSize({ width: 688, height: 1000 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(688);
    const columns = await page
      .locator("#load div.grid")
      .evaluate((grid) => getComputedStyle(grid).gridTemplateColumns);
    expect(columns.split(" ")).toHaveLength(2);
    await page.close();
  });

  test("text has a contrast of 4.5 to 1, lines and markers 3 to 1, in light and in dark", async () => {
    const page = await open("twelve");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const texts = await page.evaluate(textColors);
      expect(texts.length).toBeGreaterThan(500);
      expect(texts.filter(({ color, ground }) => contrast(color, ground) < 4.5)).toEqual([]);
      const { ground, series } = await page.evaluate(seriesColors);
      expect(series).toHaveLength(8);
      expect(series.filter((color) => contrast(color, ground) < 3)).toEqual([]);
    }
    await page.close();
  });
});

/** Of two colours as browsers report them, after WCAG 2.2. */
function contrast(a: string, b: string): number {
  const [dark, bright] = [luminance(a), luminance(b)].sort((one, other) => one - other);
  return (bright + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red, green, blue] = (color.match(/[\d.]+/g) ?? []).map((channel) => {
    const share = Number(channel) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

// What follows runs inside the page: every function has to stand alone.

function textBelow(pixels: number): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  while (walker.nextNode() !== null) {
    const element = walker.currentNode.parentElement!;
    if ((walker.currentNode.textContent ?? "").trim() === "") continue;
    if (element.closest("title, desc, style") !== null) continue;
    const chart = element.closest("svg");
    const scale = chart === null ? 1 : chart.getBoundingClientRect().width / chart.viewBox.baseVal.width;
    // A hair below is what rounding of boxes leaves.
    if (Number.parseFloat(getComputedStyle(element).fontSize) * scale < pixels - 0.01)
      found.push(`${chart?.getAttribute("aria-labelledby") ?? element.tagName}: ${element.textContent}`);
  }
  return found;
}

/** Words that stand on two lines; a line may end after a sign within a name, as in best-fit. */
function brokenWords(): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  const range = document.createRange();
  while (walker.nextNode() !== null) {
    const node = walker.currentNode;
    if (node.parentElement!.closest("svg, style, .unseen, #verdict > h2, code") !== null) continue;
    for (const { 0: word, index } of (node.textContent ?? "").matchAll(/[\p{L}\p{N}]+/gu)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (tops.size > 1) found.push(`${word} in ${node.textContent}`);
    }
  }
  return found;
}

function clippedLabels(): string[] {
  return [...document.querySelectorAll("svg.chart")].flatMap((chart) => {
    const frame = chart.getBoundingClientRect();
    return [...chart.querySelectorAll("text")]
      .filter((text) => {
        const box = text.getBoundingClientRect();
        return box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1;
      })
      .map((text) => `${chart.getAttribute("aria-labelledby")}: ${text.textContent}`);
  });
}

function overlappingLabels(): string[] {
  return [...document.querySelectorAll("svg.chart")].flatMap((chart) => {
    const scale = chart.getBoundingClientRect().width / (chart as SVGSVGElement).viewBox.baseVal.width;
    const texts = [...chart.querySelectorAll("text")].map((text) => ({
      text: text.textContent,
      box: text.getBoundingClientRect(),
    }));
    // A line of text is taller than its letters: 2 px of leading may be shared.
    return texts.flatMap((a, i) =>
      texts
        .slice(i + 1)
        .filter(
          (b) =>
            Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) > 0 &&
            Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) > 2 * scale,
        )
        .map((b) => `${chart.getAttribute("aria-labelledby")}: ${a.text} / ${b.text}`),
    );
  });
}

function textColors(): { text: string; color: string; ground: string }[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: { text: string; color: string; ground: string }[] = [];
  while (walker.nextNode() !== null) {
    const element = walker.currentNode.parentElement!;
    const text = walker.currentNode.textContent?.trim() ?? "";
    if (text === "" || element.closest("title, desc") !== null) continue;
    const style = getComputedStyle(element);
    const color = element.closest("svg") === null ? style.color : style.fill;
    let ground = "rgba(0, 0, 0, 0)";
    for (let each: Element | null = element; each !== null && ground === "rgba(0, 0, 0, 0)";) {
      ground = getComputedStyle(each).backgroundColor;
      each = each.parentElement;
    }
    found.push({ text: text.slice(0, 40), color, ground });
  }
  return found;
}

function seriesColors(): { ground: string; series: string[] } {
  const probe = document.createElement("i");
  document.body.append(probe);
  const series = Array.from({ length: 8 }, (_, i) => {
    probe.style.color = `var(--series-${i})`;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return { ground: getComputedStyle(document.body).backgroundColor, series };
}
