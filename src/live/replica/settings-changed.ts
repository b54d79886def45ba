import type { PlainFarm, PlainMachine, PlainPool } from "../service/plain-farm.ts";

/** What one farm says otherwise than another, a line each. */
export function settingsChanged(from: PlainFarm, to: PlainFarm): string[] {
  const lines: string[] = [];
  for (const pool of to.pools) {
    const old = from.pools.find(({ name }) => name === pool.name);
    if (old === undefined) lines.push(`pool ${pool.name} is new: ${counted(pool.machines.length)}`);
    else lines.push(...poolChanged(old, pool));
  }
  for (const { name } of from.pools)
    if (!to.pools.some((pool) => pool.name === name)) lines.push(`pool ${name} is gone`);
  for (const [what, field] of rules)
    if (text(from[field]) !== text(to[field]))
      lines.push(`${what}: ${text(to[field])}, was ${text(from[field])}`);
  const [before, after] = [from, to].map(virtualPoolsText);
  if (before !== after) lines.push(`virtual pools: ${after}, was ${before}`);
  return lines;
}

function virtualPoolsText({ pools, virtualPools }: PlainFarm): string {
  const texts = virtualPools.map(({ name, routing, pools: own, viewAgeSeconds, hasQueue }) =>
    [
      // The only one of a farm that names none is called after the farm's file.
      `${virtualPools.length === 1 ? "" : `${name} `}to ${own.map((pool) => pools[pool]!.name).join(", ")} by ${routing}`,
      ...(viewAgeSeconds === 0 ? [] : [`as they were ${viewAgeSeconds} s ago`]),
      ...(hasQueue === true ? ["with a queue"] : []),
    ].join(" "),
  );
  return texts.join("; ");
}

const rules = [
  ["whom to suspend", "victim"],
  ["strategy", "strategy"],
  ["wait before a job is moved, in seconds", "waitThresholdSeconds"],
  ["seconds between looks at waiting jobs", "checkSeconds"],
  ["restarts at most", "maxRestarts"],
  ["pools to restart in", "restartPools"],
  ["transfers, in seconds", "transferSeconds"],
  ["limits", "limits"],
] as const;

const poolRules = [
  ["policy", "policy"],
  ["list of Max-Jobs", "maxJobsList"],
  ["seconds between cycles", "intervalSeconds"],
  ["jobs that may reserve", "reserving"],
  ["shares", "shares"],
  ["use that counts", "usage"],
  ["licences", "licences"],
  ["thousandths of a GPU at a time", "gpuPart"],
  ["site", "site"],
] as const;

function poolChanged(from: PlainPool, to: PlainPool): string[] {
  const lines = poolRules.flatMap(([what, field]) =>
    text(from[field]) === text(to[field])
      ? []
      : [`pool ${to.name}: ${what}: ${text(to[field])}, was ${text(from[field])}`],
  );
  const old = new Map(from.machines.map((machine) => [machine.name, machine]));
  const [added, changed]: [PlainMachine[], PlainMachine[]] = [[], []];
  for (const machine of to.machines) {
    const before = old.get(machine.name);
    if (before === undefined) added.push(machine);
    else if (text(before) !== text(machine)) changed.push(machine);
  }
  const kept = new Set(to.machines.map(({ name }) => name));
  const gone = from.machines.filter(({ name }) => !kept.has(name));
  for (const [what, machines] of [
    ["new", added],
    ["of other size, owner or attributes", changed],
    ["gone", gone],
  ] as const)
    if (machines.length > 0)
      lines.push(`pool ${to.name}: ${counted(machines.length)} ${what} (${named(machines)})`);
  return lines;
}

const MOST_NAMED = 5;

function named(machines: readonly PlainMachine[]): string {
  const first = machines.slice(0, MOST_NAMED).map(({ name }) => name);
  return `${first.join(", ")}${machines.length > MOST_NAMED ? ", …" : ""}`;
}

function counted(count: number): string {
  return `${count} machine${count === 1 ? "" : "s"}`;
}

function text(value: unknown): string {
  return value === null || value === undefined
    ? "none"
    : typeof value === "string"
      ? value
      : JSON.stringify(value);
}
