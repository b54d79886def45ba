import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { chromium } from "playwright-core";
import { describe, expect, it } from "vitest";

import type { RunResult } from "../../src/simulation/index.ts";
import { croftIn, temporaryFolder } from "./croft.fixture.ts";

const folder = temporaryFolder();
const croft = croftIn(folder);
const executablePath = "/usr/bin/chromium";

/** More jobs than 6 nodes of 4 slots can take at a time, every fourth of the queue `ams`. */
const log = ["start,end,queue"];
for (let i = 0; i < 400; i++)
  log.push(`${i * 5},${i * 5 + 60 + ((i * 7919) % 900)},${i % 4 === 0 ? "ams" : "other"}`);
writeFileSync(join(folder, "log.csv"), `${log.join("\n")}\n`);

const common = ["simulate", "log.csv", "--machines", "6x4c", "--family", "queue=ams", "--quiet"];
const json = (text: string): readonly RunResult[] =>
  (JSON.parse(text) as { runs: readonly RunResult[] }).runs;

describe("simulate --packing", () => {
  it("adds the indicators to every run", async () => {
    const { status, stdout } = await croft(common, "--packing", "exclusive", "--ttl", "10m", "--json");
    expect(status).toBe(0);
    const [run] = json(stdout);
    expect(run.policy).toBe("worse-fit-cores");
    expect(run.packing).toMatchObject({ policy: "exclusive", ttlSeconds: 600 });
    expect(run.packing!.families).toMatchObject([{ family: "queue=ams", jobs: 100 }]);
    expect(run.packing!.ordinary.jobs).toBe(300);
    for (const share of [run.packingIndexMean!, run.fillFactorMean!]) {
      expect(share).toBeGreaterThan(0);
      expect(share).toBeLessThanOrEqual(1);
    }
    expect(run.idleNodesMean).toBeGreaterThanOrEqual(0);
    expect(run).not.toHaveProperty("farmFrames");
    expect(run).not.toHaveProperty("energy");
  });

  it("compares policies and times to live, by the order of the log, with the energy", async () => {
    const flags = ["--packing", "relaxed,exclusive,none", "--ttl", "0,1h", "--clock", "order"];
    const watts = ["--idle-watts", "90", "--busy-watts", "250"];
    const { status, stdout } = await croft(common, flags, watts, "--json");
    expect(status).toBe(0);
    const runs = json(stdout);
    expect(runs.map(({ packing }) => [packing!.policy, packing!.ttlSeconds])).toEqual([
      ["relaxed", undefined],
      ["exclusive", 0],
      ["exclusive", 3600],
      ["none", undefined],
    ]);
    expect(runs[1].packingIndexMean).toBe(runs[0].packingIndexMean);
    expect(runs[2].packingIndexMean).toBeGreaterThan(runs[0].packingIndexMean!);
    expect(runs[2].fillFactorMean).toBeLessThan(runs[0].fillFactorMean!);
    expect(runs[0].energy).toMatchObject({ idleWatts: 90, busyWatts: 250 });
    const table = await croft(common, flags);
    expect(table.stdout).toMatch(/^exclusive 1h +worse-fit-cores /m);
    // Jobs come when there is room for them.
    expect(table.stdout).toMatch(/^packing +policy(?! +load)/m);
    const frames = await croft(common, "--packing", "relaxed", "--frames", "1h");
    expect(frames.stderr).toContain("--frames has no effect: pictures go into the folder of --out\n");
    writeFileSync(
      join(folder, "two-pools.yaml"),
      "pools: [{ name: a, machines: [2x8c] }, { name: b, machines: [2x8c] }]\n",
    );
    const onFarm = await croft(
      ["simulate", common[1], "--farm", "two-pools.yaml", "--family", "queue=ams", "--packing", "relaxed"],
      ["--strategy", "NoRes,ResSusUtil"],
    );
    expect(onFarm.stdout).toMatch(/^packing +policy +strategy +load .*\n.* NoRes .*\n.* ResSusUtil /m);
    const byTime = await croft(common, "--packing", "relaxed");
    expect(byTime.stdout).toMatch(/^packing +policy +load /m);
  });

  it("leaves out what came before a time, and says so", async () => {
    const { stdout } = await croft(common, "--packing", "relaxed", "--from", "1000", "--json");
    expect(json(stdout)[0].jobs).toBe(200);
    const late = await croft(common, "--packing", "relaxed", "--from", "2030-01-01");
    expect([late.status, late.stderr]).toEqual([2, expect.stringMatching(/the last comes at 1995 s/)]);
  });

  it.each([
    [["--packing", "tight"], /no packing policy "tight": give relaxed, exclusive, none/],
    [["--packing", "relaxed", "--ttl", "1h"], /--ttl is for --packing exclusive/],
    [["--packing", "relaxed", "--idle-watts", "5"], /give both/],
    [["--packing", "relaxed", "--clock", "order", "--load", "0.9"], /--load: under the order-driven clock/],
    [["--ttl", "1h"], /--family, --ttl: give --packing/],
    [["--packing", "relaxed", "--family", "host=a"], /"host=a" is no family/],
    [
      ["--packing", "relaxed", "--family", "queue=asm"],
      /no job of workload log is of the family queue=asm; .* ams, other/,
    ],
  ])("%j is refused with a reason", async (flags, reason) => {
    const { status, stderr } = await croft(common, flags);
    expect(status).toBe(2);
    expect(stderr).toMatch(reason);
  });

  it("draws the farm: frames at the times asked for, and a page", async () => {
    const { status } = await croft(
      common,
      "--packing",
      "exclusive",
      "--clock",
      "order",
      "--frames",
      "10m,1h",
      "--out",
      "out",
    );
    expect(status).toBe(0);
    const frames = readdirSync(join(folder, "out", "frames"));
    expect(frames.length).toBe(2);
    for (const frame of frames) {
      const svg = readFileSync(join(folder, "out", "frames", frame), "utf8");
      expect(svg).toMatch(/^<svg xmlns=/);
      expect(svg).toContain("queue=ams");
    }
    expect(readFileSync(join(folder, "out", "report.html"), "utf8")).toContain('id="packing"');
  });

  it.skipIf(!existsSync(executablePath))(
    `whose page plays in a browser, and asks for nothing (skipped without ${executablePath})`,
    async () => {
      await croft(common, "--packing", "relaxed,exclusive", "--clock", "order", "--out", "played");
      const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
      try {
        const page = await browser.newPage();
        const complaints: string[] = [];
        page.on("request", (request) => complaints.push(request.url()));
        page.on("pageerror", (error) => complaints.push(error.message));
        page.on("console", (message) => complaints.push(message.text()));
        await page.goto(pathToFileURL(join(folder, "played", "farm.html")).href);
        const shown = (): Promise<string> => page.locator("#figures-1").innerText();
        const first = await shown();
        const last = await page.locator("#time").getAttribute("max");
        for (const stop of ["0", "1", String(last)]) {
          await page.locator("#time").fill(stop);
          const label = await page.locator("#shown").innerText();
          expect(await shown()).toMatch(
            new RegExp(`^at ${label}: packing index \\d\\.\\d\\d, fill factor \\d`),
          );
        }
        expect(await shown()).not.toBe(first);
        expect(complaints.slice(1)).toEqual([]);
      } finally {
        await browser.close();
      }
    },
  );
});
