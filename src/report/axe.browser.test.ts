import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { executablePath, launchChromium, setFolds, widths } from "./chromium.fixture.ts";
import { inventCheck, inventInput, inventRecord, invented } from "./report.fixture.ts";
import { renderReport } from "./report.ts";
import { inventSweep } from "./sweep/sweep.fixture.ts";
import { renderSweepPage } from "./sweep/sweep-page.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** With a record, several loads and all chapters. */
function recordedReport(): string {
  const policies = ["first-fit", "mix-fit", "max-jobs"];
  const input = inventInput({ ...invented, policies, loads: [0.58, 0.8], synthetic: true });
  const recorded = inventRecord(8000);
  const runs = input.runs.map((run) => (run.offeredLoad === 0.58 ? { ...run, beta: 1 } : run));
  return renderReport({ ...input, runs, recorded, fidelity: inventCheck(recorded, 1) });
}

const pages: Readonly<Record<string, () => string>> = {
  "a report": recordedReport,
  "a sweep": () => renderSweepPage(inventSweep()),
};

const looks = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  print: { media: "print" },
  "forced colours": { forcedColors: "active" },
} as const;

describe.skipIf(!existsSync(executablePath))(`axe in Chromium (skipped without ${executablePath})`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  test("finds what is wrong", async () => {
    const page = await browser.newPage();
    await page.setContent(
      '<html lang="en"><title>t</title><main><h1>h</h1><p style="color:#aaa">pale</p></main>',
    );
    await page.evaluate(axe);
    expect(await page.evaluate(findings)).toEqual([expect.stringContaining("color-contrast")]);
    await page.close();
  });

  describe.each(Object.keys(pages))("on %s", (name) => {
    let page: Page;
    beforeAll(async () => {
      page = await browser.newPage();
      await page.setContent(pages[name]());
      await page.evaluate(axe);
    });
    afterAll(() => page.close());

    test.each(Object.entries(looks))("finds nothing in %s", async (_, look) => {
      await page.emulateMedia({ colorScheme: "light", media: "screen", forcedColors: "none", ...look });
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        for (const isOpen of [false, true]) {
          await page.evaluate(setFolds, isOpen);
          expect(await page.evaluate(findings), `${width} px, ${isOpen ? "unfolded" : "folded"}`).toEqual([]);
        }
      }
    });
  });
});

/** Runs inside the page. */
async function findings(): Promise<string[]> {
  const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } };
  const { violations } = await axe.run({ resultTypes: ["violations"] });
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 5).map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}
