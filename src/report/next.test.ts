import { expect, test } from "vitest";
import type { NextSteps, ReportInput } from "./input.ts";
import { verdictOf } from "./model.ts";
import { nextSentence } from "./next-sentence.ts";
import { invented, inventInput, withoutSpans } from "./report.fixture.ts";
import { renderReport } from "./report.ts";
import { renderVerdict } from "./verdict-text.ts";

const input: ReportInput = inventInput({ ...invented, policies: ["first-fit", "mix-fit"], loads: [0.9] });
const slurm = {
  name: "slurm",
  title: "Slurm",
  settings: [{ name: "slurm.conf.croft", where: "in slurm.conf", lines: ["SchedulerType=sched/backfill"] }],
  decisions: [],
  missing: ["Slurm does not choose nodes by mix-fit."],
  tried: "with Slurm 22.05.8.",
};
const next: NextSteps = { policy: "mix-fit", options: "", there: null, systems: [slurm] };
const verdict = verdictOf(input);

test("a clear winner is to be tried, another not for that alone, and what is there stays", () => {
  expect(nextSentence(next, { ...verdict, standing: "shorter" })).toBe(
    "Try mix-fit: croft export slurm --policy mix-fit --out FOLDER writes its settings, and says what is not supported.",
  );
  expect(nextSentence(next, { ...verdict, standing: "no clear difference" })).toMatch(
    /^Change nothing for this alone/,
  );
  expect(nextSentence(next, { ...verdict, standing: "longer" })).toMatch(/^Change nothing: no policy/);
  expect(nextSentence(next, { ...verdict, standing: "itself" })).toMatch(
    /^Of the policies that were run mix-fit/,
  );
  expect(nextSentence({ ...next, there: "presumed" }, verdict)).toBe(
    "mix-fit is assumed to be what the farm does already: there is no policy to change.",
  );
  const busyQueue = "Jobs wait for the machines of queue black.";
  expect(nextSentence({ ...next, there: "presumed" }, { ...verdict, busyQueue })).toMatch(
    /there is no policy to change\. Jobs wait for the machines of queue black\.$/,
  );
  expect(nextSentence({ ...next, there: "named", unexplained: 0.55 }, verdict)).toMatch(
    /^mix-fit is what you named as yours: there is no policy to change\. Look elsewhere: 55\s% of the recorded wait does/,
  );
  const idle = { ...next, there: "usual", unexplained: 1, isStartLatency: true } as const;
  expect(nextSentence(idle, verdict)).toMatch(
    /hardly any job waits: look at how long the farm takes to start one/,
  );
  const silent = { ...verdict, standing: "cannot be judged" } as const;
  expect(nextSentence(next, silent)).toMatch(
    /more than chance: try it on a longer one, or on other months\. To try/,
  );
  expect(nextSentence({ ...next, canResample: true }, silent)).toMatch(
    /more than chance: --resample 20 draws others from it and simulates them, which does; or try it on a longer one/,
  );
  const assumed = { policy: "first-fit" };
  expect(nextSentence({ ...next, assumed }, { ...verdict, standing: "longer" })).toBe(
    "Find out what the farm runs, and name it (--baseline POLICY): first-fit is assumed, and does not follow the record.",
  );
  expect(
    nextSentence(
      { ...next, assumed: { ...assumed, nearer: "fcfs" } },
      { ...verdict, standing: "no clear difference" },
    ),
  ).toMatch(/^If the farm runs fcfs, which follows the record, say so \(--baseline fcfs\)/);
  const several = { ...next, options: " --fair-share", systems: [slurm, { ...slurm, name: "pbs" }] };
  expect(nextSentence(several, { ...verdict, standing: "shorter" })).toContain(
    "croft export slurm|pbs --policy mix-fit --fair-share --out FOLDER",
  );
  expect(nextSentence({ ...next, isPlugins: true, systems: [] }, { ...verdict, standing: "shorter" })).toBe(
    "mix-fit is a plugin's: its program decides, and no batch system runs that, so there are no settings of it.",
  );
  const [pbs, lsf] = [
    { ...slurm, name: "pbs", instead: "easy" },
    { ...slurm, name: "lsf", instead: "conservative" },
  ];
  const none = { ...next, policy: "easy-sjbf", systems: [{ ...slurm, instead: "easy" }, pbs, lsf] };
  expect(nextSentence(none, { ...verdict, standing: "shorter" })).toBe(
    "No batch system that settings are written for does easy-sjbf. In its place slurm and pbs do easy, lsf conservative: run these, too, and change nothing where they gain nothing.",
  );
  const reference = { ...verdict.reference, policy: "easy" };
  expect(nextSentence(none, { ...verdict, reference, standing: "shorter" })).toContain(
    "do easy (no change), lsf conservative: run these",
  );
  // Those that would do another are not exported to.
  expect(nextSentence({ ...none, systems: [slurm, pbs] }, { ...verdict, standing: "shorter" })).toMatch(
    /^Try easy-sjbf: croft export slurm --policy/,
  );
  const unlimited = { ...next, withoutLimits: 0.61 };
  expect(nextSentence(unlimited, { ...verdict, standing: "shorter" })).toMatch(
    /^Give jobs limits of their run time first: 61\s% of them have none in the log, and such hardly pass others\. Then try mix-fit: croft export/,
  );
  expect(nextSentence({ ...unlimited, withoutLimits: 1 }, { ...verdict, standing: "itself" })).toMatch(
    /no job has one in the log, .* Of the policies that were run mix-fit is the best/,
  );
  const foreign = { ...next, systems: [], own: "HTCondor" };
  for (const standing of ["shorter", "itself", "no clear difference"] as const)
    expect(nextSentence(foreign, { ...verdict, standing })).toMatch(
      / Croft writes no settings of it for HTCondor\.$/,
    );
  expect(renderVerdict(verdict, next)).toMatch(/\nNext: .*mix-fit.*\n$/s);
});

test("the report has the settings, and what is not supported", () => {
  const page = withoutSpans(renderReport({ ...input, next }));
  const folds = (text: string): number =>
    text.slice(text.indexOf('<section id="next"'), text.indexOf('<section id="time"')).match(/<details>/g)!
      .length;
  expect(page).toContain("SchedulerType=sched/backfill");
  expect(page).toContain("<li>Slurm does not choose nodes by mix-fit.</li>");
  // The chapter's own fold, and none within it.
  expect(folds(page)).toBe(1);
  expect(page).toContain("<p>Tried with Slurm 22.05.8.</p>");
  const bare = { ...slurm, settings: [] };
  expect(renderReport({ ...input, next: { ...next, systems: [bare] } })).not.toContain("Tried with");
  const before = { ...bare, first: "No job in june has a limit." };
  expect(renderReport({ ...input, next: { ...next, systems: [before] } })).toContain(
    "<p>No job in june has a limit. The settings are",
  );
  const there = renderReport({ ...input, next: { ...next, there: "named", systems: [bare] } });
  expect(there).toContain("No settings are shown, since nothing is to be changed.");
  expect(there).not.toContain("does not choose nodes");
  const takes = { lines: ["RUNLIMIT = 8:00"], does: "LSF kills jobs that run longer." };
  const decided = renderReport({ ...input, next: { ...next, systems: [{ ...slurm, decisions: [takes] }] } });
  expect(decided).toContain("<li>LSF kills jobs that run longer. <code>RUNLIMIT = 8:00</code></li>");
  expect(decided).not.toMatch(/<pre><code>[^<]*RUNLIMIT/);
  const several = renderReport({ ...input, next: { ...next, systems: [slurm, { ...slurm, name: "pbs" }] } });
  expect(folds(several)).toBe(1 + 2);
  expect(several).toContain("Slurm: one part is not supported");
});
