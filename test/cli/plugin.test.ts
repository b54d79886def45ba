import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import type { RunResult } from "../../src/simulation/index.ts";
import { busyLog, croftIn, temporaryFolder } from "./croft.fixture.ts";

const folder = temporaryFolder();
const croft = croftIn(folder);
writeFileSync(join(folder, "busy.csv"), busyLog(300));
for (const example of ["plugin.ts", "backfilling.ts"])
  copyFileSync(fileURLToPath(new URL(`../../examples/${example}`, import.meta.url)), join(folder, example));
const pool = "machines: [{ count: 4, cores: 8, memory: 32 GiB }]";
writeFileSync(
  join(folder, "farm.yaml"),
  `pools:\n  - { name: a, ${pool}, policy: most-headroom }\n  - { name: b, ${pool} }\n`,
);
writeFileSync(
  join(folder, "tight.yaml"),
  "pools: [{ name: a, machines: [1x8c32g] }, { name: b, machines: [1x8c32g] }]\nrescheduling: { waitThreshold: 1m }\n",
);

const json = (text: string): readonly RunResult[] =>
  (JSON.parse(text) as { runs: readonly RunResult[] }).runs;

describe("simulate --plugin", () => {
  it("runs a heuristic of one's own beside the others, alone and under a policy, in threads too", async () => {
    const { status, stdout } = await croft(
      ["simulate", "busy.csv", "--machines", "4x8c32g", "--plugin", "plugin.ts", "--json", "--out", "report"],
      ["--policy", "worse-fit-cores,most-headroom,easy/most-headroom", "--load", "0.9", "--threads", "2"],
    );
    expect(status).toBe(0);
    const runs = json(stdout);
    expect(runs.map(({ policy }) => policy)).toEqual([
      "worse-fit-cores",
      "most-headroom",
      "easy/most-headroom",
    ]);
    expect(runs[1].waitMeanSeconds).not.toBe(runs[0].waitMeanSeconds);
    expect(runs[2].waitMeanSeconds).not.toBe(runs[1].waitMeanSeconds);
    const html = readFileSync(join(folder, "report", "report.html"), "utf8");
    expect(html).toMatch(/load, .*most-headroom/);
  });

  it("runs a policy of one's own under exclusive packing, where the plan itself reserves machines", async () => {
    writeFileSync(
      join(folder, "families.csv"),
      "submit,runtime,cores,queue\n0,100,1,q0\n0,100,1,q1\n0,100,1,q1\n0,100,1,q0\n",
    );
    const { status, stderr } = await croft(
      ["simulate", "families.csv", "--machines", "2x2c", "--plugin", "plugin.ts", "--policy", "pass-by"],
      ["--packing", "exclusive", "--family", "queue=q1", "--schedule", "families-schedule.csv"],
    );
    expect([status, stderr]).toEqual([0, ""]);
    expect(readFileSync(join(folder, "families-schedule.csv"), "utf8")).toBe(
      [
        "job,submit,start,end,machine,outcome,promised,cores,tasks,memoryMiB,user,runtimeSeconds,estimateSeconds,recordedWaitSeconds,counted",
        "1,0,0,100,m1,done,,1,1,,,100,,,true",
        "2,0,0,100,m1,done,,1,1,,,100,,,true",
        "3,0,0,100,m2,done,,1,1,,,100,,,true",
        "4,0,120,220,m1,done,,1,1,,,100,,,true\n",
      ].join("\n"),
    );
  });

  it.each(["{}", '{ "type": "commonjs" }'])(
    "takes TypeScript, and what it imports, in a folder whose package.json is %s",
    async (packageJson) => {
      const project = join(folder, `project-${packageJson.length}`);
      mkdirSync(project);
      writeFileSync(join(project, "package.json"), packageJson);
      writeFileSync(join(project, "sign.ts"), "export const sign: number = -1;\n");
      writeFileSync(join(project, "old.js"), "exports.least = 0;\n");
      writeFileSync(
        join(project, "last.ts"),
        `import type { Heuristic, Plugin } from "croft";
        import old from "./old.js";
        import { sign } from "./sign.ts";
        const last: Heuristic = { name: "last-fit", summary: "", needsMemory: false, keepsChoice: true,
          score: (_machines, machine) => sign * machine + old.least };
        export default { heuristics: [last] } satisfies Plugin;\n`,
      );
      const { status, stdout, stderr } = await croft(
        [
          "simulate",
          "busy.csv",
          "--machines",
          "4x8c32g",
          "--plugin",
          join(project, "last.ts"),
          "--json",
          "--quiet",
        ],
        ["--policy", "first-fit,last-fit", "--threads", "2"],
      );
      expect([status, stderr]).toEqual([0, ""]);
      expect(json(stdout).map(({ policy }) => policy)).toEqual(["first-fit", "last-fit"]);
    },
  );

  it("says how a module is named where package.json makes JavaScript no module", async () => {
    const project = join(folder, "commonjs");
    mkdirSync(project);
    writeFileSync(join(project, "package.json"), '{ "type": "commonjs" }');
    writeFileSync(join(project, "mine.js"), "export default {};");
    const run = await croft("simulate", "busy.csv", "--machines", "1x1c", "--plugin", "commonjs/mine.js");
    expect(run.status).toBe(2);
    expect(run.stderr).toMatch(/commonjs\/mine\.js.*: cannot be loaded: .*; a module is named \.mjs or \.ts/);
  });

  const last = `{ heuristics: [{ name: "last-fit", summary: "", needsMemory: false, keepsChoice: true, score: (_, i) => -i }] }`;
  it.each(["mine.cjs", "mine.cts"])("takes CommonJS, and says how it is written: %s", async (file) => {
    const simulated = (source: string) => {
      writeFileSync(join(folder, file), source);
      return croft("simulate", "busy.csv", "--machines", "4x8c32g", "--plugin", file, "--policy", "last-fit");
    };
    expect(await simulated(`module.exports = ${last};`)).toMatchObject({ status: 0, stderr: "" });
    const asDefault = await simulated(`exports.default = ${last};`);
    expect([asDefault.status, asDefault.stderr]).toEqual([
      2,
      `croft: ${file}: "default" is nothing that a plugin exports: heuristics, policies, routings, strategies; in CommonJS write module.exports = { … }\n`,
    ]);
    const asModule = await simulated(`export default ${last};`);
    expect([asModule.status, asModule.stderr]).toEqual([
      2,
      expect.stringMatching(/croft: mine\.c.s: cannot be loaded: .*, and CommonJS has module\.exports = /),
    ]);
  });

  it("runs the example of backfilling, and tells what it promised", async () => {
    const { status } = await croft(
      ["simulate", "busy.csv", "--machines", "2x8c32g", "--plugin", "backfilling.ts", "--quiet"],
      ["--policy", "easy,easy-lxf", "--schedule", "promised.csv"],
    );
    expect(status).toBe(0);
    const rows = readFileSync(join(folder, "promised.csv"), "utf8").trim().split("\n");
    const at = rows[0].split(",").indexOf("promised");
    const own = rows.filter((row) => row.includes("easy-lxf")).map((row) => row.split(",")[at]);
    expect(own.filter((promised) => promised !== "").length).toBeGreaterThan(10);
  });

  it("tells of promises that a policy lets slip on purpose that it does, and of no overrun", async () => {
    writeFileSync(
      join(folder, "slips.mjs"),
      `export default { policies: [{ name: "slips", summary: "", takesHeuristic: false, needsEstimates: false,
        needsMemory: false, reactsToEvents: true, create(context, heuristic) {
          const chooser = context.chooser(heuristic);
          const due = new Map();
          let late = 0;
          return {
            cycle(now, plan) {
              context.queue.begin();
              for (let job = context.queue.next(); job !== -1; job = context.queue.next())
                if (context.placer.place(job, chooser, plan)) {
                  context.queue.placed(job);
                  if (now > due.get(job)) late++;
                }
            },
            waits: (job) => due.set(job, context.jobs.submittedAt[job]),
            promised: {
              firstSeconds: (job) => due.get(job),
              broken: () => new Map([["relaxed", late]]),
              delayOf: () => "relaxed",
            },
          };
        } }] };`,
    );
    writeFileSync(join(folder, "two.csv"), "submit,runtime,cores\n0,100,1\n10,100,1\n");
    const files = ["two.csv", "--machines", "1x1c", "--plugin", "slips.mjs", "--policy", "slips"];
    const simulated = await croft("simulate", ...files);
    expect([simulated.status, simulated.stderr]).toEqual([
      0,
      "two: slips: 1 of 2 promised jobs started later than first promised, by 1.50 min at most, as the policy let it slip\n",
    ]);
    const explained = await croft("explain", "2", ...files);
    expect([explained.status, explained.stdout]).toEqual([
      0,
      expect.stringContaining("put off as the policy let it slip"),
    ]);
  });

  it("refuses a policy that does not tell the queue what it places, where fair share goes by that", async () => {
    writeFileSync(
      join(folder, "silent.mjs"),
      `export default { policies: [{ name: "silent", summary: "", takesHeuristic: false, needsEstimates: false,
        needsMemory: false, reactsToEvents: true, create(context, heuristic) {
          const chooser = context.chooser(heuristic);
          return { cycle(now, plan) {
            context.queue.begin();
            for (let job = context.queue.next(); job !== -1; job = context.queue.next())
              context.placer.place(job, chooser, plan);
          } };
        } }] };`,
    );
    const run = ["busy.csv", "--machines", "4x8c32g", "--plugin", "silent.mjs", "--policy", "silent"];
    expect(await croft("simulate", ...run)).toMatchObject({ status: 0, stderr: "" });
    const shared = await croft("simulate", ...run, "--fair-share");
    expect([shared.status, shared.stderr]).toEqual([
      2,
      expect.stringMatching(
        /^croft: silent\.mjs: policy silent starts a job without telling the queue \(handle \d+\): call context\.queue\.placed\(job\)/,
      ),
    ]);
  });

  it("takes its names in a farm file, and for routings and strategies", async () => {
    const { status, stdout } = await croft(
      ["simulate", "busy.csv", "--farm", "farm.yaml", "--plugin", "plugin.ts", "--json"],
      ["--routing", "first-eligible", "--strategy", "next-pool"],
    );
    expect(status).toBe(0);
    const [run] = json(stdout);
    expect(run).toMatchObject({
      policy: "most-headroom, first-fit",
      routing: "first-eligible",
      strategy: "next-pool",
    });
    expect(run.byPool!.map(({ jobs }) => jobs)).toEqual([300, 0]);
  });

  it.each([
    ["export default 3;", /plugin's default export is an object with lists: .*; this is a number/],
    ["export const a = 1;", /this is missing/],
    ["export default {};", /exports nothing/],
    ["export default { heuristic: [] };", /"heuristic" is nothing that a plugin exports/],
    ["export default { heuristics: {} };", /heuristics is an object, and must be a list/],
    [
      "export default { heuristics: [{ name: 'a' }] };",
      /heuristics\[0\]\.summary is missing: it must be a string/,
    ],
    [
      "export default { routings: [{ name: 'a b', summary: '', choose() {} }] };",
      /routings\[0\]\.name is "a b": a name begins with a letter/,
    ],
    [
      "export default { routings: [{ name: 'utilization', summary: '', choose() {} }] };",
      /the name "utilization" is taken already/,
    ],
    [
      "export default { heuristics: [{ name: 'easy', summary: '', needsMemory: false, keepsChoice: false, score() {} }] };",
      /the name "easy" is taken already/,
    ],
    [
      "export default { heuristics: [{ name: 'a', aliases: ['b'], summary: '', needsMemory: false, keepsChoice: false, score() {} }] };",
      /heuristics\[0\]\.aliases: a plugin's heuristic goes by its name only/,
    ],
    [
      "export default { strategies: [{ name: 'a', summary: '', onSuspension: null }] };",
      /strategies\[0\]\.onLongWait is missing: give null if no job is moved then/,
    ],
    ["export default {", /cannot be loaded: /],
    ["\nundefined.a;", /croft: wrong-\w+\.mjs:2:\d+: cannot be loaded: Cannot read properties of undefined/],
  ])("refuses %s", async (source, message) => {
    const file = `wrong-${createHash("sha256").update(source).digest("hex").slice(0, 8)}.mjs`;
    writeFileSync(join(folder, file), source);
    const { status, stdout, stderr } = await croft(
      "simulate",
      "busy.csv",
      "--machines",
      "1x1c",
      "--plugin",
      file,
    );
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`croft: ${file}:`);
    expect(stderr).toMatch(message);
  });

  it.each(["worst-fit-cores", "EASY", "greedy-mine", "all"])(
    "refuses the name %s, which means something already",
    async (name) => {
      const mine = `name: "${name}", summary: "", needsMemory: false, keepsChoice: false, score() {}`;
      writeFileSync(join(folder, `named-${name}.mjs`), `export default { heuristics: [{ ${mine} }] };`);
      const { status, stderr } = await croft(
        ["simulate", "busy.csv", "--machines", "1x1c", "--plugin", `named-${name}.mjs`],
        ["--policy", name],
      );
      expect([status, stderr]).toEqual([
        2,
        `croft: named-${name}.mjs: heuristics: the name "${name}" is taken already; choose another\n`,
      ]);
    },
  );

  it.each([
    ["NaN", /croft: mine-3\.mjs: heuristic mine gives machine 0 the score NaN: it must be a finite number/],
    ["-Infinity", /heuristic mine gives machine 0 the score -Infinity/],
    [
      "(machines.freeCores[0] += 1000)",
      /heuristic mine changes machine 0 while it scores it: it may only read/,
    ],
    ["(() => { throw 5; })()", /croft: mine-22\.mjs: the plugin throws 5: throw an Error/],
    ["\nmachines.none.at(0)", /croft: mine-20\.mjs:2:\d+: the plugin fails: Cannot read properties/],
  ])("tells what is wrong with a heuristic that returns %s", async (score, message) => {
    const file = `mine-${score.length}.mjs`;
    const mine = `name: "mine", summary: "", needsMemory: false, keepsChoice: false`;
    writeFileSync(
      join(folder, file),
      `export default { heuristics: [{ ${mine}, score: (machines) => ${score} }] };`,
    );
    const run = await croft(
      "simulate",
      "busy.csv",
      "--machines",
      "1x1c",
      "--plugin",
      file,
      "--policy",
      "mine",
    );
    expect([run.status, run.stdout]).toEqual([2, ""]);
    expect(run.stderr).toMatch(message);
  });

  it.each([
    [
      "a frozen object",
      `Object.freeze({ name: "odd", summary: "", needsMemory: false, keepsChoice: false, score: (_, i) => -i })`,
    ],
    [
      "of a class with private fields",
      `new (class { #name = "odd"; #sign = -1; get name() { return this.#name; } get summary() { return ""; }
        get needsMemory() { return false; } get keepsChoice() { return false; } score(_, i) { return this.#sign * i; } })()`,
    ],
  ])("takes a heuristic that is %s", async (what, heuristic) => {
    const file = `odd-${what.length}.mjs`;
    const choice = "(view, present) { return this.#pool(view) ?? present; }";
    writeFileSync(
      join(folder, file),
      `export default { heuristics: [${heuristic}], strategies: [new (class {
        get name() { return "own-strategy"; } get summary() { return "own"; } get onLongWait() { return null; }
        get onSuspension() { return new (class {
          #pool(view) { return view.pools.find((pool) => view.isEligible(pool)); }
          get how() { return "restart"; } get startsTimerAnew() { return false; } get isCommon() { return true; }
          choose${choice} })(); } })()] };`,
    );
    const alone = await croft(
      ["simulate", "busy.csv", "--machines", "4x8c32g", "--plugin", file, "--json"],
      [
        "--policy",
        "odd,easy/odd,odd+best-fit-cores,easy/best-fit-cores+odd,max-jobs",
        "--max-jobs",
        "odd+first-fit",
      ],
    );
    expect([alone.status, json(alone.stdout).map(({ policy }) => policy)]).toEqual([
      0,
      ["odd", "easy/odd", "odd+best-fit-cores", "easy/best-fit-cores+odd", "max-jobs"],
    ]);
    const onFarm = await croft(
      ["simulate", "busy.csv", "--farm", "tight.yaml", "--plugin", file, "--json"],
      ["--strategy", "own-strategy"],
    );
    expect([onFarm.status, json(onFarm.stdout)[0].strategy]).toEqual([0, "own-strategy"]);
  });

  const begin = "context.queue.begin(); const job = context.queue.next();";
  it.each([
    ["null", "policy own creates no object with a function cycle"],
    ["({ cycle() {}, finished: 5 })", "policy own creates an object whose finished is no function"],
    [
      "({ cycle() {}, promised: {} })",
      "policy own creates an object whose promised has no function firstSeconds",
    ],
    [
      `({ cycle(now, plan) { ${begin} context.placer.place(job, context.chooser(heuristic), plan); },
        promised: { firstSeconds: () => null, broken: () => new Map() } })`,
      "policy own gives a job the first promise null: it must be a number, NaN for none",
    ],
    [
      `({ cycle(now, plan) { ${begin} context.placer.place(job, context.chooser(heuristic), plan); },
        promised: { firstSeconds: () => NaN, broken: () => new Map([["bad luck", 1]]) } })`,
      'policy own counts 1 jobs whose promise was broken by "bad luck": a reason is overrun, machine lost, higher rank, resumed, late cycle, refused, relaxed',
    ],
    [
      "({ cycle() {}, promised: { firstSeconds: () => NaN, broken: () => new Map(), delayOf: 5 } })",
      "policy own creates an object whose promised.delayOf is no function",
    ],
    [
      `({ cycle(now, plan) { plan.add(77, 0, 1); } })`,
      "policy own starts a job that does not wait (handle 77)",
    ],
    [
      `({ cycle(now, plan) { ${begin} plan.add(job, 9, 1); } })`,
      "policy own puts a job on machine 9, and the pool has the machines 0 to 0",
    ],
    [
      `({ cycle(now, plan) { ${begin} plan.add(job, 0, 1); } })`,
      "policy own takes other resources from machine 0 than its plan says: place jobs with context.placer.place",
    ],
    [
      `({ cycle(now, plan) { ${begin} for (let i = 0; i < 3; i++) plan.add(job, 0, 1); } })`,
      "policy own starts 3 tasks of a job of 1",
    ],
    [
      "({ cycle() {} })",
      "the run is stuck: 300 jobs wait, nothing runs or is yet to come, and policy own starts none of them",
    ],
  ])("refuses a policy that is %s", async (policy, message) => {
    const file = `own-${policy.length}.mjs`;
    const own = `name: "own", summary: "", takesHeuristic: true, needsEstimates: false, needsMemory: false`;
    writeFileSync(
      join(folder, file),
      `export default { policies: [{ ${own}, reactsToEvents: true, create: (context, heuristic) => ${policy} }] };`,
    );
    for (const clock of [
      ["--interval", "30"],
      ["--interval", "0"],
      ["--preset", "pyss"],
    ]) {
      const run = await croft(
        ["simulate", "busy.csv", "--machines", "1x8c32g", "--plugin", file, "--policy", "own"],
        ["--schedule", "own.csv", ...clock],
      );
      expect([run.status, run.stdout]).toEqual([2, ""]);
      expect(run.stderr).toContain(`croft: ${file}: ${message}`);
    }
  });

  it("runs a policy of one's own like that of the same rule", async () => {
    const body = `context.queue.begin();
      let job = context.queue.next();
      for (; job !== -1 && context.placer.place(job, chooser, plan); job = context.queue.next()) context.queue.placed(job);`;
    writeFileSync(
      join(folder, "in-order.mjs"),
      `export default { policies: [{ name: "in-order", summary: "", takesHeuristic: true, needsEstimates: false,
        needsMemory: false, reactsToEvents: true, create(context, heuristic) {
          const chooser = context.chooser(heuristic);
          return { cycle(now, plan) { ${body} } };
        } }] };`,
    );
    const { status, stdout } = await croft(
      ["simulate", "busy.csv", "--machines", "4x8c32g", "--plugin", "in-order.mjs", "--json"],
      ["--policy", "fcfs,in-order,fcfs/mix-fit,in-order/mix-fit,in-order/worst-fit-cores", "--load", "0.9"],
    );
    expect(status).toBe(0);
    const [fcfs, own, fcfsMix, ownMix] = json(stdout).map(({ waitMeanSeconds }) => waitMeanSeconds);
    expect(fcfs).not.toBe(fcfsMix);
    expect([own, ownMix]).toEqual([fcfs, fcfsMix]);
  });

  it.each([
    ["99", "-1", "routing far chooses pool 99: it must be one of view.pools that view.isEligible, or -1 if"],
    ["-1", "-1", "routing far chooses pool -1: "],
    ["undefined", "-1", "routing far chooses pool undefined: "],
    [
      "view.pools[0]",
      "0.5",
      "strategy away chooses pool 0.5: it must be the present pool, or one of view.pools",
    ],
  ])("refuses a routing that chooses %s, and a strategy that chooses %s", async (first, next, message) => {
    const file = `far-${first.length}-${next}.mjs`;
    const move = `{ how: "restart", startsTimerAnew: false, isCommon: false, choose: () => ${next} }`;
    writeFileSync(
      join(folder, file),
      `export default { routings: [{ name: "far", summary: "", choose: (view) => ${first} }],
        strategies: [{ name: "away", summary: "", onSuspension: ${move}, onLongWait: ${move} }] };`,
    );
    const run = await croft(
      ["simulate", "busy.csv", "--farm", "tight.yaml", "--plugin", file],
      ["--routing", "far", "--strategy", "away"],
    );
    expect([run.status, run.stdout]).toEqual([2, ""]);
    expect(run.stderr).toContain(`croft: ${file}: ${message}`);
  });

  it("refuses a second plugin", async () => {
    const { status, stderr } = await croft(
      ["simulate", "busy.csv", "--machines", "1x8c32g"],
      ["--plugin", "plugin.ts", "--plugin", "plugin.ts"],
    );
    expect(status).toBe(2);
    expect(stderr).toContain("Give one plugin: it may have several of each kind, and import other modules.");
  });

  it("refuses a file that there is not", async () => {
    const run = await croft("simulate", "busy.csv", "--machines", "1x1c", "--plugin", "none.mjs");
    expect([run.status, run.stderr]).toEqual([2, "croft: none.mjs: there is no such file\n"]);
  });
});
