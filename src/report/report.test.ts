import { expect, test } from "vitest";
import type { RunResult } from "../simulation/result.ts";
import { InputError } from "../workload/errors.ts";
import type { ReportInput } from "./input.ts";
import {
  hostile,
  inventCheck,
  inventInput,
  inventRecord,
  invented,
  twelvePolicies,
  withoutSpans,
  withStretch,
} from "./report.fixture.ts";
import { renderReport } from "./report.ts";

const twelve = inventInput({
  ...invented,
  policies: twelvePolicies,
  loads: [0.5, ...invented.loads],
  synthetic: true,
});

test("the verdict comes first and open, the others folded, each with what it comes to", () => {
  const page = withoutSpans(renderReport(inventInput()));
  const ids = [...page.matchAll(/<section id="([a-z]+)"/g)].map((match) => match[1]);
  expect(ids).toEqual([
    "verdict",
    "sure",
    "gains",
    "policies",
    "load",
    "time",
    "waits",
    "fairness",
    "wins",
    "summary",
    "workload",
    "method",
  ]);
  const findings = [...page.matchAll(/<h2>[^<]+<\/h2> <span class="finding">(.*?)<\/span><\/summary>/g)];
  expect(findings.length).toBe(ids.length - 1);
  for (const [, finding] of findings) expect(finding).toMatch(/^[A-Z%a-z0-9−][^]+\.$/);
});

test("no line breaks between a number and its unit, wherever the sentence comes from, and code stays as it is", () => {
  const page = renderReport({
    ...inventInput(),
    rejectionAdvice: "32 GiB read as 32 MiB",
    settings: [{ name: "odd", value: "5 h of 7 %, 3 hosts" }],
    command: "croft simulate '5 h' 95 %",
  });
  expect(page).toContain("5\u00a0h of 7\u00a0%, 3 hosts");
  expect(page).toMatch(/95\u00a0% confidence/);
  expect(page).toContain("croft simulate &#39;5 h&#39; 95 %</code>");
  const shown = page.replaceAll(/<(style|pre|code)\b.*?<\/\1>|<[^>]*>/gs, "<>");
  expect(shown).not.toMatch(/\d (?:%|[KMGT]iB|min|h|d|s)(?![\p{L}\d])/u);
});

test("no line breaks within a name of several words, which is left as it is where it is copied or drawn", () => {
  const page = renderReport({
    ...inventInput(),
    settings: [{ name: "odd", value: "easy-sjbf, not least-configured-memory" }],
    command: "croft simulate --policy easy-sjbf",
  });
  expect(page).toContain('<span class="w">easy-sjbf</span>, not least-configured-memory');
  expect(page).toContain("--policy easy-sjbf</code>");
  for (const [drawing] of page.matchAll(/<svg\b.*?<\/svg>/gs)) expect(drawing).not.toContain("<span");
  expect(page).toMatch(/<title>[^<]*<\/title>/);
});

test("a picture of use names what the log tells", () => {
  const input = inventInput();
  expect(renderReport(input)).toContain(">Memory in use over time: ");
  const page = renderReport({
    ...input,
    runs: input.runs.map((run) => ({ ...run, memoryUtilizationMean: null })),
  });
  expect(page).toContain(">Cores in use over time: ");
  expect(page).not.toContain("Memory in use");
  expect(page).toContain("Share of the pool&#39;s cores that jobs hold.");
});

test("a record has a chapter with the check and the outages", () => {
  const input = inventInput({ ...invented, loads: [0.58] });
  const runs = input.runs.map((run) => ({ ...run, beta: 1 }));
  const recorded = inventRecord(8000);
  const pageOf = (factor: number): string => {
    const fidelity = inventCheck(recorded, factor);
    const workload = { ...input.workload, unixStartSeconds: 0 };
    return renderReport({ ...input, workload, runs, recorded, fidelity }).replaceAll("\u00a0", " ");
  };
  const near = pageOf(1);
  expect(near).toContain('<section id="asitwas"');
  expect(near).toContain("The simulation comes near the record");
  expect(near).toContain("1970-01-02 01:00 UTC");
  expect(near).toContain("as it was (recorded)");
  expect(near).toMatch(/would have cut the mean wait from .* as recorded to/);
  expect(pageOf(0.4)).toContain("The simulation does not come near the record: its mean wait is 53.3 min");
  expect(pageOf(0.4)).not.toContain("would have cut");
});

test("chapters without data are left out", () => {
  const { title, workload, machines, runs, command, version } = inventInput();
  const bare = runs.map((run) => without(without(run, "fairness"), "wins")) as RunResult[];
  const page = renderReport({ title, workload, machines, runs: bare, command, version });
  for (const id of ["wins", "fairness", "workload"]) expect(page.includes(`id="${id}"`)).toBe(false);
  for (const id of ["verdict", "summary", "method"]) expect(page.includes(`id="${id}"`)).toBe(true);
});

test("what backfilling promised stands by the policies, and what became of it", () => {
  const input = inventInput({ ...invented, policies: ["first-fit", "easy", "backfill:3"] });
  const runs = input.runs.map((run) => {
    if (run.policy === "first-fit") return run;
    const promisesBroken = run.policy === "easy" ? { overrun: 341 } : {};
    return { ...run, promisesBroken, promised: 3351, promiseDelayMaxSeconds: 207 };
  });
  const page = renderReport({ ...input, runs }).replaceAll("\u00a0", " ");
  const [, told, terms] = /<h3>What was promised<\/h3>(.*?)<h3>Terms<\/h3>(.*?)<h3>/s.exec(page)!;
  expect(told).toBe(
    '<dl class="terms"><dt>easy</dt><dd>The first waiting job is promised a time at which it fits; its machines are chosen when it starts. Here 341 of 3,351 promised jobs started later than first promised, by 3.45 min at most, after a job ran for longer than expected.</dd>' +
      "<dt>backfill:3</dt><dd>The first 3 waiting jobs are promised a time, and a machine for each task. Here no job started later than first promised.</dd></dl>",
  );
  expect(terms).toContain("<dt>Promise</dt>");
  expect(renderReport(input)).not.toMatch(/What was promised|<dt>Promise<\/dt>/);
});

test("of a single bucket of jobs no course over time is drawn", () => {
  const input = inventInput();
  const drawn = (jobs: number): boolean => {
    const buckets = { jobs: 1000, timeSeconds: [0, 60], coresMeanMilli: [1000, 2000], memoryMeanMiB: null };
    const some = {
      ...buckets,
      timeSeconds: [0, 60].slice(0, jobs),
      coresMeanMilli: [1000, 2000].slice(0, jobs),
    };
    const characterization = { ...input.characterization!, buckets: some };
    return renderReport({ ...input, characterization }).includes('id="workload-cores-time-t"');
  };
  expect([drawn(1), drawn(2)]).toEqual([false, true]);
});

test("the same input gives the same bytes, and no id twice", () => {
  const page = renderReport(twelve);
  expect(renderReport(structuredClone(twelve)) === page).toBe(true);
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
  expect(new Set(ids).size).toBe(ids.length);
});

test("twelve policies at six loads stay below 1 MB", () => {
  expect(renderReport(twelve).length).toBeLessThan(1_000_000);
  const long = { ...twelve, runs: twelve.runs.map((run) => ({ ...run, series: lengthen(run.series, 20) })) };
  expect(renderReport(long).length).toBeLessThan(1_000_000);
});

test("the file asks for nothing from outside and runs nothing", () => {
  const page = renderReport(inventInput());
  expect(found(page, /https?:|\bsrc=|<script|<link|<img|@import|url\(|\bon[a-z]+=/g)).toEqual([]);
});

test("synthetic data is called so in the headline and on a banner, once", () => {
  const page = renderReport(twelve);
  expect(page).toContain('<p class="headline synthetic">On a synthetic workload, not a real log');
  expect(found(page, /Synthetic workload, not a real log/g)).toHaveLength(1);
  expect(page).toContain('<body><aside class="banner">Synthetic workload, not a real log.</aside>');
  expect(found(renderReport(inventInput()), /synthetic workload/gi)).toEqual([]);
});

test("no name from the input becomes markup", () => {
  const page = renderReport(hostile(inventInput()));
  expect(found(page, /<script|<img|onerror='/gi)).toEqual([]);
  expect(page.includes("&lt;script&gt;")).toBe(true);
});

test.each([
  ["all zero", () => 0],
  ["huge", (value: number) => value * 1e15],
  ["tiny", (value: number) => value * 1e-12],
  ["not numbers", () => Number.NaN],
])("figures that are %s leave no trace of it in the page", (_, change) => {
  const input = inventInput({ ...invented, days: 12 });
  const runs = input.runs.map((run) => ({
    ...(mapNumbers(run, change) as typeof run),
    beta: run.beta,
    offeredLoad: run.offeredLoad,
    days: run.days.map((day) => ({ ...day, waitSumSeconds: change(day.waitSumSeconds) })),
  }));
  expect(found(renderReport({ ...input, runs }), /NaN|Infinity|undefined|null/g)).toEqual([]);
});

test.each([
  { policies: ["mix-fit"], loads: [0.9] },
  { policies: ["mix-fit"], loads: [0.6, 0.9] },
])("one policy at $loads is a report too", (study) => {
  const page = renderReport(inventInput({ ...invented, ...study }));
  expect(page.includes("no other policy was run")).toBe(true);
  expect(found(page, /NaN|Infinity|undefined/g)).toEqual([]);
});

test("a report of nothing, or against nothing, is refused", () => {
  expect(() => renderReport({ ...inventInput(), runs: [] })).toThrow(InputError);
  expect(() => renderReport({ ...inventInput(), baseline: "best-fit" })).toThrow(
    /“best-fit” is not among the policies.*mix-fit/,
  );
});

test("where nodes are shared the verdict's tables go by the stretch", () => {
  const page = withoutSpans(renderReport(withStretch(inventInput())));
  const verdict = page.slice(page.indexOf('id="verdict"'), page.indexOf('id="load"'));
  expect(verdict).toContain("worse-fit-cores has the lowest maximum stretch in this log");
  expect(verdict).not.toMatch(/mean wait at|clearly worse|judged/i);
  const [atOneLoad, byLoad] = [
    ...verdict.slice(verdict.indexOf('id="policies"')).matchAll(/<tbody>(.*?)<\/tbody>/gs),
  ].map(([body]) => body);
  // Invented so that whoever waits longest has the lowest maximum.
  expect([...atOneLoad.matchAll(/<\/svg>([a-z-]+)<\/th>/g)].map((match) => match[1])).toEqual([
    "worse-fit-cores",
    "first-fit",
    "worse-fit-memory",
    "best-fit-cores",
    "best-fit-memory",
    "mix-fit",
    "max-jobs",
  ]);
  expect(byLoad.match(/<tr>/g)).toHaveLength(invented.loads.length);
  expect(page).toContain('id="load-stretch-t"');
  expect(page).toContain("Paused jobs count as waiting.");
  expect(renderReport(inventInput())).not.toContain("Paused");
  expect(renderReport(inventInput())).not.toContain('id="load-stretch-t"');
});

test("the baseline can be named", () => {
  const page = withoutSpans(renderReport({ ...inventInput(), baseline: "best-fit-cores" }));
  expect(page.includes("under best-fit-cores; over months like this")).toBe(true);
});

/** What matches, and not the whole page, is what a failure should print. */
function found(page: string, pattern: RegExp): string[] {
  return [...page.matchAll(pattern)].map((match) => page.slice(match.index - 60, match.index + 60));
}

function without(value: object, key: string): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

function lengthen(series: ReportInput["runs"][number]["series"], times: number): typeof series {
  const repeat = (values: readonly number[]): number[] =>
    values.flatMap((value) => Array.from<number>({ length: times }).fill(value));
  return {
    timeSeconds: series.timeSeconds.flatMap((time) => Array.from({ length: times }, (_, i) => time + i)),
    coreUtilization: repeat(series.coreUtilization),
    memoryUtilization: repeat(series.memoryUtilization),
    strandedCores: repeat(series.strandedCores),
    strandedMemory: repeat(series.strandedMemory),
    queueLength: repeat(series.queueLength),
  };
}

function mapNumbers(value: unknown, change: (value: number) => number): unknown {
  if (typeof value === "number") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapNumbers(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapNumbers(item, change)]));
}
