import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { inputErrorOf, textSource } from "../input/text.fixture.ts";
import { machineAttributes, type Farm } from "./farm.ts";
import { farmDefaults } from "./defaults.ts";
import type { FarmChecks } from "./file/checks.ts";
import { MAX_YAML_BYTES } from "../input/yaml.ts";
import type { Machines } from "../machines/machines.ts";
import { readFarm } from "./read-farm.ts";

function read(text: string, checks?: FarmChecks): Promise<Farm> {
  return readFarm(textSource("farm.yaml", text), checks);
}

async function problemOf(text: string, checks?: FarmChecks): Promise<string> {
  return (await inputErrorOf(() => read(text, checks))).message;
}

const examples = fileURLToPath(new URL("../../../examples/farms", import.meta.url));

test.each(readdirSync(examples))("the example %s is a farm", async (file) => {
  const farm = await readFarm(join(examples, file));
  expect(farm.pools.length).toBeGreaterThan(0);
  expect(farm.name).toBe(file.replace(/\.[a-z]+$/, ""));
});

test("the smallest farm", async () => {
  const farm = await read("pools: [{ name: p, machines: [2x8c12g] }]");
  expect(farm).toEqual({
    name: "farm",
    sites: ["farm"],
    transferSeconds: [[0]],
    pools: [
      {
        name: "p",
        site: 0,
        groups: [
          {
            count: 2,
            coresMilli: 8000,
            memoryMiB: 12288,
            gpuMilli: null,
            speed: 1,
            owner: null,
            attributes: {},
          },
        ],
        policy: "first-fit",
        maxJobsList: [],
        intervalSeconds: null,
        reserving: Infinity,
        shares: null,
      },
    ],
    virtualPools: [
      { name: "farm", site: 0, pools: [0], routing: "round-robin", viewAgeSeconds: 0, hasQueue: false },
    ],
    preemption: { keepsMemory: true, victim: farmDefaults.victim },
    rescheduling: {
      strategy: "NoRes",
      waitThresholdSeconds: 1800,
      checkSeconds: 60,
      maxRestarts: Infinity,
      candidates: null,
      checkpointSeconds: null,
    },
  });
});

test("every setting", async () => {
  const farm = await read(`
name: all
sites: [east, west, south]
transferDelay: 90
transfers:
  - { from: east, to: west, delay: 10m }
  - { from: east, to: south, delay: 1.5h }
  - { from: south, to: east, delay: 2h }
pools:
  - name: p1
    site: west
    policy: max-jobs
    maxJobs: [mix-fit, first-fit]
    interval: 0
    reservations: none
    shares: { /cpu: 3, /gpu/a: 0.5 }
    fairShare: usage
    halfLife: 2d
    fairShareOf: memory
    licences: { matlab: 20, vcs: 0 }
    machines:
      - { count: 3, cores: 2.5, memory: 1.5 GiB, speed: 1.25, owner: cpu, attributes: { os: linux, rack: 7, ssd: true } }
      - { count: 1, cores: 64, memory: 1024, gpus: 4 }
  - { name: p2, site: south, machines: ["1x1c + 2x2c"], reservations: 12 }
virtualPools:
  - { name: v1, site: east, pools: [p2, p1], routing: utilization, viewAge: 1m, queue: true }
  - { name: v2, site: east }
preemption: { victim: my-rule, keepsMemory: false }
rescheduling: { strategy: ResSusUtil, waitThreshold: 1h, check: 30s, maxRestarts: 0, candidates: [p2], checkpoint: 1d }
groups:
  cpu: { users: [ann, bob], maxPriority: 80, projects: [/cpu] }
  gpu: { unixGroups: [gpu-users, domain users] }
  all: { users: [eve], unixGroups: [everybody] }
  own: {}
`);
  expect(farm.transferSeconds).toEqual([
    [0, 600, 5400],
    [600, 0, 90],
    [7200, 90, 0],
  ]);
  expect(farm.pools[0]).toEqual({
    name: "p1",
    site: 1,
    policy: "max-jobs",
    maxJobsList: ["mix-fit", "first-fit"],
    intervalSeconds: 0,
    reserving: 0,
    shares: [
      { path: "/cpu", share: 3 },
      { path: "/gpu/a", share: 0.5 },
    ],
    usage: { halfLifeSeconds: 172_800, of: "memory" },
    licences: [
      { name: "matlab", count: 20 },
      { name: "vcs", count: 0 },
    ],
    groups: [
      {
        count: 3,
        coresMilli: 2500,
        memoryMiB: 1536,
        gpuMilli: 0,
        speed: 1.25,
        owner: "cpu",
        attributes: { os: "linux", rack: 7, ssd: true },
      },
      { count: 1, coresMilli: 64000, memoryMiB: 1024, gpuMilli: 4000, speed: 1, owner: null, attributes: {} },
    ],
  });
  expect(machineAttributes(farm.pools[0].groups[0])).toEqual({
    os: "linux",
    rack: 7,
    ssd: true,
    cores: 2.5,
    memory: 1536,
    gpus: 0,
    speed: 1.25,
    owner: "cpu",
  });
  expect(farm.pools[1].groups.map(({ count, memoryMiB }) => [count, memoryMiB])).toEqual([
    [1, null],
    [2, null],
  ]);
  expect(farm.pools[1].reserving).toBe(12);
  expect(farm.virtualPools).toEqual([
    { name: "v1", site: 0, pools: [1, 0], routing: "utilization", viewAgeSeconds: 60, hasQueue: true },
    { name: "v2", site: 0, pools: [0, 1], routing: "round-robin", viewAgeSeconds: 0, hasQueue: false },
  ]);
  expect(farm.preemption).toEqual({ keepsMemory: false, victim: "my-rule" });
  expect(farm.rescheduling).toEqual({
    strategy: "ResSusUtil",
    waitThresholdSeconds: 3600,
    checkSeconds: 30,
    maxRestarts: 0,
    candidates: [1],
    checkpointSeconds: 86_400,
  });
  const none = { users: [], unixGroups: [], maxPriority: null, projects: [] };
  expect(farm.userGroups).toEqual([
    { name: "cpu", users: ["ann", "bob"], unixGroups: [], maxPriority: 80, projects: ["/cpu"] },
    { ...none, name: "gpu", unixGroups: ["gpu-users", "domain users"] },
    { ...none, name: "all", users: ["eve"], unixGroups: ["everybody"] },
    { ...none, name: "own", unixGroups: ["own"] },
  ]);
});

test("no job is suspended under victim: none", async () => {
  const farm = await read("pools: [{ name: p, machines: [2x8c12g] }]\npreemption: { victim: none }");
  expect(farm.preemption.victim).toBeNull();
});

test("fair share goes by the cores in use unless the file says what was used", async () => {
  const usage = async (more: string): Promise<unknown> =>
    (await read(`${pool}    shares: { a: 2 }\n${more}`)).pools[0].usage;
  expect(await usage("")).toBeUndefined();
  expect(await usage("    fairShare: running\n")).toBeUndefined();
  expect(await usage("    fairShare: usage\n")).toEqual({ halfLifeSeconds: 604_800, of: "cores" });
});

const pool = "pools:\n  - name: p\n    machines: [1x1c1g]\n";

describe("an error names file, line, column and path", () => {
  test.each([
    ["{", /^farm\.yaml:1:2: not YAML: /],
    ["", /^farm\.yaml: the file is empty$/],
    ["# nothing", /^farm\.yaml: the file is empty$/],
    ["- 1", "farm.yaml:1:1: a mapping should stand here, not a list"],
    ["name: x", "farm.yaml:1:1: pools is missing"],
    ["pools: []", "farm.yaml:1:8: pools: the list is empty"],
    ["pools: {}", "farm.yaml:1:8: pools: a list should stand here, not a mapping"],
    ["pools:", "farm.yaml:1:7: pools: a list should stand here, not nothing"],
    [`${pool}poolz: 1`, /^farm\.yaml:4:8: poolz: there is no such setting; did you mean pools, /],
    [`${pool}pools: []`, "farm.yaml:4:1: pools stands here twice"],
    [
      `${pool}  - name: p\n    machines: [1x1c1g]`,
      'farm.yaml:4:11: pools[1].name: there is another pool called "p"',
    ],
    [
      "pools: [{ name: p }]",
      "farm.yaml:1:9: pools[0]: machines is missing: only a live farm can ask the pool's engine for them",
    ],
    [
      "pools: [{ name: p, engine: { speed: 2 } }]",
      "farm.yaml:1:28: pools[0].engine: kind is missing: the name of the engine, such as local",
    ],
    [
      `${pool}    fairShare: usage`,
      "farm.yaml:4:16: pools[0].fairShare: the pool has no shares: add shares, {} where all projects have the same",
    ],
    [
      `${pool}    shares: {}\n    halfLife: 7d`,
      "farm.yaml:5:15: pools[0].halfLife: it is for fairShare: usage",
    ],
    [
      `${pool}    shares: {}\n    fairShare: running\n    fairShareOf: cores`,
      "farm.yaml:6:18: pools[0].fairShareOf: it is for fairShare: usage",
    ],
    [
      `${pool}    shares: {}\n    fairShare: usage\n    halfLife: 0.5s`,
      "farm.yaml:6:15: pools[0].halfLife: 0.5s is too short: 1 s or more",
    ],
    [
      "pools: [{ name: p, machines: [1x1c], shares: {}, fairShare: usage, fairShareOf: memory }]",
      /fairShareOf: the pool's machines tell no memory to share$/,
    ],
    ["pools: [{ name: p, machines: [] }]", "farm.yaml:1:30: pools[0].machines: the list is empty"],
    [
      "pools: [{ name: p, machines: [{ count: 0, cores: 1 }] }]",
      "farm.yaml:1:40: pools[0].machines[0].count: a whole number from 1 to 1000000 should stand here, not 0",
    ],
    [
      "pools: [{ name: p, machines: [{ count: 1.5, cores: 1 }] }]",
      /count: a whole number from 1 to 1000000 should stand here, not 1.5$/,
    ],
    [
      "pools: [{ name: p, machines: [{ count: 1, cores: 0 }] }]",
      /^farm\.yaml:1:50: pools\[0\]\.machines\[0\]\.cores: a number from 0.001 to /,
    ],
    ["pools: [{ name: p, machines: [{ count: 1, cores: .nan }] }]", /should stand here, not null$/],
    [
      "pools: [{ name: p, machines: [8x] }]",
      'farm.yaml:1:31: pools[0].machines[0]: machines such as 100x8c64g should stand here, not "8x"',
    ],
    [
      "pools: [{ name: p, machines: ['0x8c'] }]",
      /^farm\.yaml:1:31: pools\[0\]\.machines\[0\]: "0x8c" has no machines: give at least one/,
    ],
    [
      "pools: [{ name: p, machines: [8] }]",
      "farm.yaml:1:31: pools[0].machines[0]: a mapping should stand here (count, cores, memory, …), or text such as 100x8c64g, not 8",
    ],
    [
      "pools: [{ name: p, machines: [1x1c1g, { count: 1, cores: 1 }] }]",
      'farm.yaml:1:39: pools[0].machines[1]: give memory for every group of pool "p", or for none',
    ],
    [
      "pools: [{ name: p, machines: [{ count: 900000, cores: 1 }, { count: 200000, cores: 1 }] }]",
      'farm.yaml:1:60: pools[0].machines[1]: pool "p" has more than 1000000 machines',
    ],
    [
      "pools: [{ name: p, machines: [{ count: 1, cores: 1, attributes: { memory: 5 } }] }]",
      /^farm\.yaml:1:75: pools\[0\]\.machines\[0\]\.attributes\.memory: an attribute's name is /,
    ],
    [
      "pools: [{ name: p, machines: [{ count: 1, cores: 1, attributes: { a: [1] } }] }]",
      /attributes\.a: text, a number, true or false should stand here, not a list$/,
    ],
    [
      "pools: [{ name: p, machines: [{ count: 1, cores: 1, memory: 5 GB/s }] }]",
      /memory: an amount such as 64 GiB should stand here, not "5 GB\/s"$/,
    ],
    [
      "pools: [{ name: p, machines: [{ count: 1, cores: 1, memory: 64 Gb }] }]",
      /memory: an amount such as 64 GiB should stand here, not "64 Gb"$/,
    ],
    [
      "pools: [{ name: p, machines: [{ file: nowhere.csv }] }]",
      /^farm\.yaml:1:31: pools\[0\]\.machines\[0\]: .*nowhere\.csv: there is no such file$/,
    ],
    [
      "pools: [{ name: p, machines: [{ file: x.csv, count: 3 }] }]",
      /^farm\.yaml:1:53: pools\[0\]\.machines\[0\]\.count: there is no such setting/,
    ],
    [
      "pools: [{ name: 7, machines: [1x1c] }]",
      /^farm\.yaml:1:17: pools\[0\]\.name: a name of at most .* not 7$/,
    ],
    [
      "pools: [{ name: p, machines: [1x1c], licences: { a: 1.5 } }]",
      "farm.yaml:1:53: pools[0].licences.a: a whole number from 0 to 2147483647 should stand here, not 1.5",
    ],
    [
      "pools: [{ name: p, machines: [1x1c], licences: { a b: 1 } }]",
      /^farm\.yaml:1:55: pools\[0\]\.licences\.a b: a licence's name has no blanks, /,
    ],
    [
      "groups: { a: { role: owner } }\npools: [{ name: p, machines: [1x1c] }]",
      /^farm\.yaml:1:22: groups\.a\.role: user, operator or admin should stand here, not "owner"$/,
    ],
    [
      "groups: { a: { maxPriority: 100 } }\npools: [{ name: p, machines: [1x1c] }]",
      /^farm\.yaml:1:29: groups\.a\.maxPriority: a whole number from 0 to 99 should stand here, not 100$/,
    ],
    [
      "groups: { a: { users: ann } }\npools: [{ name: p, machines: [1x1c] }]",
      /^farm\.yaml:1:23: groups\.a\.users: a list should stand here/,
    ],
    [
      "groups: { a: { users: [-ann] } }\npools: [{ name: p, machines: [1x1c] }]",
      /groups\.a\.users\[0\]: the name of a user should stand here/,
    ],
    ["pools: [{ name: a;b, machines: [1x1c] }]", /without semicolons/],
    [
      "pools: [{ name: p, site: x, machines: [1x1c] }]",
      "farm.yaml:1:26: pools[0].site: the file lists no sites: add sites, or leave this out",
    ],
    [
      "sites: [haifa, folsom]\npools: [{ name: p, site: haifo, machines: [1x1c] }]",
      'farm.yaml:2:26: pools[0].site: there is no site called "haifo"; did you mean "haifa", "folsom"?',
    ],
    [
      "sites: [haifa, folsom]\npools: [{ name: p, machines: [1x1c] }]",
      "farm.yaml:2:9: pools[0]: site is missing: the farm has several",
    ],
    [
      "sites: [a, a]\npools: [{ name: p, site: a, machines: [1x1c] }]",
      /^farm\.yaml:1:12: sites\[1\]: there is another site/,
    ],
    [
      `sites: [a, b]\npools: [{ name: p, site: a, machines: [1x1c] }]\nvirtualPools: [{ name: v, site: a }]`,
      'farm.yaml:1:12: sites[1]: site "b" has neither a pool nor a virtual pool',
    ],
    [
      `${pool}virtualPools: [{ name: v, pools: [q] }]`,
      'farm.yaml:4:35: virtualPools[0].pools[0]: there is no pool called "q"; did you mean "p"?',
    ],
    [
      `${pool}virtualPools: [{ name: v, pools: [] }]`,
      "farm.yaml:4:34: virtualPools[0].pools: the list is empty",
    ],
    [`${pool}virtualPools: []`, "farm.yaml:4:15: virtualPools: the list is empty"],
    [
      `${pool}virtualPools: [{ name: v, pools: [p, p] }]`,
      'farm.yaml:4:38: virtualPools[0].pools[1]: "p" stands in this list twice',
    ],
    [
      `${pool}virtualPools: [{ name: v }, { name: v }]`,
      /^farm\.yaml:4:37: .*there is another virtual pool called "v"$/,
    ],
    [
      `${pool}rescheduling: { candidates: [p, r] }`,
      'farm.yaml:4:33: rescheduling.candidates[1]: there is no pool called "r"; did you mean "p"?',
    ],
    [
      `${pool}rescheduling: { candidates: [p, p] }`,
      'farm.yaml:4:33: rescheduling.candidates[1]: "p" stands in this list twice',
    ],
    [
      `${pool}  - { name: q, machines: [1x1c] }\nvirtualPools: [{ name: v, pools: [p] }]`,
      'farm.yaml:4:5: pools[1]: pool "q": no virtual pool is connected to it',
    ],
    [
      "pools: [{ name: p, machines: [1x1c], policy: mix-fit, maxJobs: [mix-fit] }]",
      "farm.yaml:1:64: pools[0].maxJobs: the policy mix-fit tries no list of heuristics, as max-jobs does",
    ],
    [
      `${pool}transferDelay: 5m`,
      "farm.yaml:4:16: transferDelay: the farm has one site: there is nowhere to transfer to",
    ],
    [
      `${pool}preemption: { victim: none, keepsMemory: true }`,
      /keepsMemory: no job is suspended under victim: none$/,
    ],
    [`${pool}rescheduling: { check: 0 }`, /^farm\.yaml:4:24: rescheduling\.check: /],
    [`${pool}rescheduling: { checkpoint: 0s }`, /^farm\.yaml:4:29: rescheduling\.checkpoint: /],
    [
      `${pool}rescheduling: { waitThreshold: soon }`,
      /waitThreshold: a time such as 90s, 30m, 12h, 1.5d should stand here, not "soon"$/,
    ],
    [
      `${pool}rescheduling: { waitThreshold: 9999999d }`,
      /waitThreshold: 9999999d is too long: 1000000000 s at most$/,
    ],
    [`${pool}rescheduling: { maxRestarts: -1 }`, /maxRestarts: a whole number from 0 to /],
    [`${pool}name: *none`, "farm.yaml:4:7: name: there is no anchor &none before this"],
    [`${pool}---\nname: x`, /^farm\.yaml:4:1: not YAML: source contains multiple documents/],
    [`${pool}name: !farm x`, /^farm\.yaml:4:7: not YAML: unresolved tag: !farm/],
    [`${pool}? [a, b]\n: c`, "farm.yaml:4:3: a key must be a name"],
  ])("%j", async (text, problem) => {
    const found = await problemOf(text);
    if (typeof problem === "string") expect(found).toBe(problem);
    else expect(found).toMatch(problem);
  });

  test.each([
    [
      "from: a, to: b, delay: 1",
      "from: a, to: b, delay: 2",
      /^farm\.yaml:4:5: transfers\[1\]: the delay from "a" to "b" stands here twice$/,
    ],
    [
      "from: a, to: a, delay: 1",
      "from: a, to: b, delay: 2",
      /transfers\[0\]\.to: a transfer goes from one site to another$/,
    ],
    [
      "from: a, to: c, delay: 1",
      "from: a, to: b, delay: 2",
      /transfers\[0\]\.to: there is no site called "c"/,
    ],
  ])("transfers %s; %s", async (first, second, problem) => {
    const text = `sites: [a, b]\ntransfers:\n  - { ${first} }\n  - { ${second} }\npools: [{ name: p, site: a, machines: [1x1c] }]`;
    expect(await problemOf(text)).toMatch(problem);
  });
});

test("names that other layers know are passed to the checks", async () => {
  const checks = Object.fromEntries(
    ["policy", "heuristic", "routing", "victim", "strategy"].map((what) => [
      what,
      (name: string) => {
        if (name.startsWith("no")) throw new Error(`unknown ${what} ${name}`);
      },
    ]),
  );
  const farm = (values: Record<string, string>): string => `
pools: [{ name: p, machines: [1x1c], policy: ${values["policy"] ?? "max-jobs"}, ${values["policy"] === undefined ? `maxJobs: [${values["heuristic"] ?? "first-fit"}]` : ""} }]
virtualPools: [{ name: v, routing: ${values["routing"] ?? "round-robin"} }]
preemption: { victim: ${values["victim"] ?? "rule"} }
rescheduling: { strategy: ${values["strategy"] ?? "ResSusUtil"} }`;
  await read(farm({}), checks);
  for (const [what, place] of [
    ["policy", "2:46: pools[0].policy"],
    ["heuristic", "2:66: pools[0].maxJobs[0]"],
    ["routing", "3:36: virtualPools[0].routing"],
    ["victim", "4:23: preemption.victim"],
    ["strategy", "5:27: rescheduling.strategy"],
  ] as const) {
    expect(await problemOf(farm({ [what]: "nonesuch" }), checks)).toBe(
      `farm.yaml:${place}: unknown ${what} nonesuch`,
    );
  }
});

describe("limits", () => {
  test("a file too large", async () => {
    expect(await problemOf("#".repeat(MAX_YAML_BYTES + 1))).toBe(
      `farm.yaml: a YAML file has at most ${MAX_YAML_BYTES} bytes`,
    );
  });

  test("too deep", async () => {
    for (const open of ["[", "{a: ", "- "]) {
      expect(await problemOf(`pools: ${open === "- " ? "\n" : ""}${open.repeat(5_000)}`)).toMatch(
        /^farm\.yaml/,
      );
    }
    expect(await problemOf("[".repeat(20_000))).toBe(
      "farm.yaml: lists or mappings are too deep within one another",
    );
  });

  test("aliases that stand for a large file", async () => {
    const groups = `&g0 { count: 1, cores: 1 }`;
    const many = `[${groups}, ${Array(999).fill("*g0").join(", ")}]`;
    const pools = [
      `{ name: p0, machines: &m ${many} }`,
      ...Array.from({ length: 999 }, (_, i) => `{ name: q${i}, machines: *m }`),
    ];
    expect(await problemOf(`pools: [${pools.join(", ")}]`)).toContain("aliases counted each time");
    // A list that holds itself is no farm at any depth.
    expect(await problemOf("pools: &a [*a]")).toMatch(
      /^farm\.yaml:1:12: pools\[0\]: a mapping should stand here/,
    );
  });

  test("a mapping of very many keys", async () => {
    const keys = Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`).join(", ");
    expect(await problemOf(`{ ${keys} }`)).toMatch(/^farm\.yaml:1:7: k0: there is no such setting/);
  });
});

describe("lists of machines beside the farm", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "croft-farm-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("are reported with what is odd about them, and left out if they are down and the farm says so", async () => {
    writeFileSync(join(folder, "nodes.txt"), "NODELIST CPUS STATE\na 2 down\nb 2 idle\n");
    const file = join(folder, "farm.yaml");
    const read = async (entry: string): Promise<[number, string[]]> => {
      writeFileSync(file, `pools: [{ name: p, machines: [{ file: nodes.txt${entry} }] }]`);
      const told: string[] = [];
      const machines = ({ notes = [] }: Machines): void => void told.push(...notes.map(({ what }) => what));
      const farm = await readFarm(file, { machines });
      return [farm.pools[0].groups.reduce((sum, { count }) => sum + count, 0), told];
    };
    expect(await read("")).toEqual([2, [expect.stringMatching(/^down or drained, but kept/)]]);
    expect(await read(", leaveOutDown: true")).toEqual([1, ["left out: down or drained"]]);
  });

  test("are found from the farm's folder, and their errors name the place in the farm file", async () => {
    writeFileSync(join(folder, "list.csv"), "id,cores,memory,gpu\na,2,100,0\nb,2,100,0\nc,4,100,1\n");
    const file = join(folder, "farm.yaml");
    writeFileSync(file, "pools: [{ name: p, machines: [{ file: list.csv, speed: 2, owner: me }] }]");
    const farm = await readFarm(file);
    expect(
      farm.pools[0].groups.map(({ names, gpuMilli, speed, owner }) => [names, gpuMilli, speed, owner]),
    ).toEqual([
      [["a", "b"], 0, 2, "me"],
      [["c"], 1000, 2, "me"],
    ]);
    writeFileSync(join(folder, "list.txt"), "NODELIST CPUS GRES AVAIL_FEATURES\nn[1-2] 4 gpu:4 ib,os\n");
    writeFileSync(file, "pools: [{ name: p, machines: [{ file: list.txt, attributes: { os: linux } }] }]");
    const [group] = (await readFarm(file)).pools[0].groups;
    // What the farm file says stands above what the list says.
    expect(group).toMatchObject({ count: 2, gpuMilli: 4000, attributes: { ib: true, os: "linux" } });
    writeFileSync(file, "pools: [{ name: p, machines: [{ file: list.csv, speed: 2, owner: me }] }]");
    writeFileSync(join(folder, "list.csv"), "id,cores,memory,gpu\na,2,100,0\na,2,100,0\n");
    const { message } = await inputErrorOf(() => readFarm(file));
    expect(message).toBe(
      `${file}:1:31: pools[0].machines[0]: ${join(folder, "list.csv")}:3: a second machine called a`,
    );
  });
});

describe("the GPUs of a pool", () => {
  const farm = (pool: string): string => `pools: [{ name: p, engine: local, ${pool} }]`;

  test("are devices by name, of a kind, shared or not; its machine has as many", async () => {
    const [pool] = (
      await read(farm("machines: [1x8c64g], gpus: { devices: [0, GPU-x], kind: a100, parts: 3 }"))
    ).pools;
    expect(pool).toMatchObject({
      gpus: { devices: ["0", "GPU-x"], kind: "a100", parts: 3 },
      groups: [{ gpuMilli: 1998, attributes: { gpuKind: "a100" } }],
    });
    const [found] = (await read(farm("machines: [1x8c64g], gpus: auto"))).pools;
    expect(found).toMatchObject({
      gpus: { devices: null, kind: null, parts: 1 },
      groups: [{ gpuMilli: null, attributes: {} }],
    });
  });

  test.each([
    ["machines: [2x8c64g], gpus: auto", "these are the devices of one machine, and the pool has more"],
    [
      "machines: [{ count: 1, cores: 2, gpus: 1 }], gpus: { devices: [0] }",
      "how many GPUs the machine has follows from this",
    ],
    [
      "machines: [{ count: 1, cores: 2, attributes: { gpuKind: t4 } }], gpus: { devices: [0], kind: a100 }",
      "the kind is told here",
    ],
    ["machines: [1x8c64g], gpus: { devices: [0, 0] }", "device 0 stands here twice"],
    ["machines: [1x8c64g], gpus: { parts: 0 }", "a whole number from 1 to 100"],
    ["machines: [1x8c64g], gpus: { devices: [] }", "1"],
    ["machines: [1x8c64g], gpus: 2", "a mapping should stand here (devices, kind, parts), or auto, not 2"],
  ])("%s is refused", async (pool, problem) => {
    expect(await problemOf(farm(pool))).toContain(problem);
  });

  test("are of one pool each", async () => {
    const two = (first: string, second: string): string =>
      `pools: [{ name: a, machines: [1x8c64g], gpus: ${first} }, { name: b, machines: [1x8c64g], gpus: ${second} }]`;
    expect(await problemOf(two("{ devices: [0, 1] }", "{ devices: [1] }"))).toMatch(
      /^farm.yaml:1:\d+: pools\[1\].gpus.devices\[0\]: device 1 belongs to pool "a"$/,
    );
    expect(await problemOf(two("auto", "{ devices: [1] }"))).toContain(
      'pool "a" takes all GPUs that are found: name the devices of each pool',
    );
  });
});

describe("limits", () => {
  const farm = (limits: string): string => `pools: [{ name: p, machines: [1x8c64g] }]\nlimits: ${limits}`;

  test("are of users, groups and projects; a star is each that is not named", async () => {
    const none = { runningJobs: null, runningCores: null, waitingJobs: null, jobsAtOnce: null };
    const { limits } = await read(
      farm(
        "{ users: { '*': { runningCores: 64.5, waitingJobs: 10 }, ann: { runningJobs: 0 } }, projects: { /cpu: { jobsAtOnce: 5, stored: 512 KiB } } }",
      ),
    );
    expect(limits).toEqual([
      { ...none, of: "user", name: null, runningCores: 64.5, waitingJobs: 10 },
      { ...none, of: "user", name: "ann", runningJobs: 0 },
      { ...none, of: "project", name: "/cpu", jobsAtOnce: 5, storedMiB: 0.5 },
    ]);
    expect((await read(farm("{}"))).limits).toBeUndefined();
  });

  test.each([
    ["{ users: { ann: {} } }", "limits.users.ann: this limits nothing: give runningJobs"],
    ["{ users: { ann: { cores: 4 } } }", "cores"],
    ["{ users: { ann: { runningJobs: 1.5 } } }", "a whole number"],
    ["{ queues: { ann: { runningJobs: 1 } } }", "queues"],
  ])("%s is refused", async (limits, problem) => {
    expect(await problemOf(farm(limits))).toContain(problem);
  });
});

describe("hooks of a pool", () => {
  const farm = (hooks: string): string => `pools: [{ name: p, machines: [1x8c64g], hooks: ${hooks} }]`;

  test("are programs and a folder", async () => {
    const { pools } = await read(farm("{ prolog: /etc/croft/prolog, limit: 2m, scratch: /scratch }"));
    expect(pools[0].hooks).toEqual({
      prolog: "/etc/croft/prolog",
      epilog: null,
      limitSeconds: 120,
      scratch: "/scratch",
    });
  });

  test.each([
    ["{ limit: 2m }", "hooks: this does nothing: give prolog, epilog or scratch"],
    ["{ prolog: prolog.sh }", "an absolute path"],
    ["{ prolog: /p, limit: 2h }", "2h is too long: 3600 s at most"],
    ["{ prolog: /p, limit: 0.5s }", "0.5s is too short: 1 s or more"],
    ["{ prolog: /p, limit: 0 }", "a number from 1 to 3600 should stand here, not 0"],
    ["{ prologue: /p }", "prolog"],
  ])("%s is refused", async (hooks, problem) => {
    expect(await problemOf(farm(hooks))).toContain(problem);
  });
});

describe("channels", () => {
  const farm = (notify: string): string => `pools: [{ name: p, machines: [1x8c64g] }]\nnotify: ${notify}`;

  test("are programs and addresses", async () => {
    const { channels } = await read(
      farm("{ ops: { webhook: https://ops.example/x }, mail: { command: [/bin/m, a] } }"),
    );
    expect(channels).toEqual([
      { name: "ops", kind: "webhook", url: "https://ops.example/x" },
      { name: "mail", kind: "command", command: ["/bin/m", "a"] },
    ]);
  });

  test.each([
    ["{ ops: {} }", "ops: give one of command and webhook"],
    ["{ ops: { command: [/m], webhook: https://a.example/ } }", "give one of command and webhook"],
    ["{ ops: { command: [mail] } }", "give the program by its path, from /: mail"],
    ["{ ops: { command: [] } }", "ops.command"],
    ["{ ops: { webhook: ops.example } }", "an address that begins with https:// or http://"],
    ["{ ops: { webhook: 'http://[' } }", "this is no address: http://["],
    ["{ 'a:b': { command: [/m] } }", "this is no channel's name"],
  ])("%s is refused", async (notify, problem) => {
    expect(await problemOf(farm(notify))).toContain(problem);
  });
});

describe("reservations", () => {
  const farm = (reservation: string): string =>
    `pools: [{ name: p, machines: [4x8c64g] }]\nreservations: [{ name: r, pool: p, ${reservation} }]`;

  test("are of machines, for a time, and people", async () => {
    const { reservations } = await read(
      farm("machines: [p-2, p-4], from: 2026-11-28T22:00Z, for: 2h, users: [ann], reason: new disks"),
    );
    expect(reservations).toEqual([
      {
        name: "r",
        pool: 0,
        machines: ["p-2", "p-4"],
        from: { since: "1970", seconds: Date.UTC(2026, 10, 28, 22) / 1000 },
        seconds: 7200,
        users: ["ann"],
        groups: [],
        projects: [],
        reason: "new disks",
      },
    ]);
  });

  test("are of all machines, or the first ones, and may begin a time after the log", async () => {
    const { reservations } = await read(farm("from: 36h, until: 1.75d, groups: [red]"));
    const all = { machines: null, from: { since: "log", seconds: 129_600 }, seconds: 21_600 };
    expect(reservations).toMatchObject([{ ...all, groups: ["red"], reason: null }]);
    expect((await read(farm("from: 60, for: 1m, count: 2"))).reservations).toMatchObject([
      { machines: 2, from: { since: "log", seconds: 60 }, seconds: 60 },
    ]);
  });

  test.each([
    ["from: 1h", "give either until or for"],
    ["from: 1h, until: 2h, for: 1h", "give either until or for"],
    ["from: 2h, until: 1h", "it ends before it begins"],
    ["from: 1h, for: 0s", "it takes no time"],
    ["from: 1h, until: 2026-11-28T22:00Z", "both be dates"],
    ["from: 2026-11-31T25:00Z, for: 1h", "there is no 2026-11-31T25:00Z"],
    ["from: tomorrow, for: 1h", "a date such as"],
    ["from: 1h, for: 1h, machines: [p-5]", 'no machine called "p-5"'],
    ["from: 1h, for: 1h, machines: [p-1, p-1]", "twice"],
    ["from: 1h, for: 1h, count: 5", "the pool has 4 machines"],
    ["from: 1h, for: 1h, count: 1, machines: [p-1]", "not both"],
  ])("%s is refused", async (reservation, problem) => {
    expect(await problemOf(farm(reservation))).toContain(problem);
  });

  test("have different names, and a pool that there is", async () => {
    const one = "{ name: r, pool: p, from: 1h, for: 1h }";
    const two = `pools: [{ name: p, machines: [1x8c] }]\nreservations: [${one}, ${one}]`;
    expect(await problemOf(two)).toContain('another reservation called "r"');
    expect(await problemOf(farm("from: 1h, for: 1h").replace("pool: p", "pool: q"))).toContain(
      'no pool called "q"',
    );
  });
});
