import type { UserGroup } from "../../workload/index.ts";
import type { PlainFarm, PlainMachine, PlainPool } from "../service/plain-farm.ts";
import {
  channelParts,
  licenceParts,
  limitParts,
  partsChanged,
  reservationParts,
  shareParts,
  words,
} from "./setting-words.ts";

/**
 * What one farm says otherwise than another, a line each. One that was stored before engines and groups were is taken to
 * have had the same.
 *
 * @param isSameFile whether both are of a file of the same name: what is called after it then has another name only where
 * the file says so
 */
export function settingsChanged(from: PlainFarm, to: PlainFarm, isSameFile = false): string[] {
  const lines: string[] = [];
  for (const pool of to.pools) {
    const old = from.pools.find(({ name }) => name === pool.name);
    if (old === undefined) lines.push(`pool ${pool.name} is new: ${counted(pool.machines.length)}`);
    else lines.push(...poolChanged(old, pool));
  }
  for (const { name } of from.pools)
    if (!to.pools.some((pool) => pool.name === name)) lines.push(`pool ${name} is gone`);
  for (const [what, field] of rules) {
    const [before, after] = [from, to].map((farm) => words(named(farm, field)));
    if (before !== after) lines.push(`${what}: ${after}, was ${before}`);
  }
  lines.push(
    ...partsChanged("limit of ", limitParts(from), limitParts(to)),
    ...partsChanged("reservation ", reservationParts(from), reservationParts(to)),
    ...partsChanged("channel ", channelParts(from), channelParts(to)),
  );
  const [before, after] = [from, to].map((farm) => virtualPoolsText(farm, isSameFile));
  if (before !== after) lines.push(`virtual pools: ${after}, was ${before}`);
  if (from.pools.some(({ engine }) => engine !== undefined)) lines.push(...groupsChanged(from, to));
  return lines;
}

function groupsChanged({ userGroups: from = [] }: PlainFarm, { userGroups: to = [] }: PlainFarm): string[] {
  const lines: string[] = [];
  const old = new Map(from.map((group) => [group.name, group]));
  for (const group of to) {
    const before = old.get(group.name);
    if (before === undefined) lines.push(`group ${group.name} is new: ${groupText(group)}`);
    else if (groupText(before) !== groupText(group))
      lines.push(`group ${group.name}: ${groupText(group)}, was ${groupText(before)}`);
  }
  for (const { name } of from)
    if (!to.some((group) => group.name === name))
      lines.push(`group ${name} is gone: the Unix group of its name says who may ask for it`);
  return lines;
}

function groupText({ users, unixGroups, maxPriority, projects, role }: UserGroup): string {
  return [
    `users ${list(users)}`,
    `Unix groups ${list(unixGroups)}`,
    `priority to ${maxPriority ?? "the default"}`,
    `projects ${list(projects)}`,
    ...(role === undefined ? [] : [`role ${role}`]),
  ].join("; ");
}

function list(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.join(", ");
}

function virtualPoolsText({ pools, virtualPools }: PlainFarm, isNamed: boolean): string {
  const texts = virtualPools.map(({ name, routing, pools: own, viewAgeSeconds, hasQueue }) =>
    [
      // The only one of a farm that names none is called after the farm's file.
      `${virtualPools.length === 1 && !isNamed ? "" : `${name} `}to ${own.map((pool) => pools[pool]!.name).join(", ")} by ${routing}`,
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
  ["MiB that are kept of a job's output", "outputMiB"],
  ["seconds that jobs are kept after their month", "retentionSeconds"],
] as const;

/** Pools are known to people by their names. What a file does not say of output and its keeping is not nothing. */
function named(farm: PlainFarm, field: (typeof rules)[number][1]): unknown {
  if (field === "outputMiB" || field === "retentionSeconds") return farm[field] ?? "the default";
  return field === "restartPools" ? farm.restartPools?.map((pool) => farm.pools[pool]!.name) : farm[field];
}

const poolRules = [
  ["policy", "policy"],
  ["list of Max-Jobs", "maxJobsList"],
  ["seconds between cycles", "intervalSeconds"],
  ["jobs that may reserve", "reserving"],
  ["use that counts", "usage"],
  ["thousandths of a GPU at a time", "gpuPart"],
  ["site", "site"],
  ["hooks", "hooks"],
  ["what a job that is suspended gives back", "suspend"],
] as const;

const gives = { full: "cores and memory", "cpu-only": "cores", none: "all: it is ended" } as const;

function poolChanged(from: PlainPool, to: PlainPool): string[] {
  const told = (pool: PlainPool, field: (typeof poolRules)[number][1]): string =>
    field === "suspend" ? gives[pool.suspend] : words(pool[field]);
  const lines = poolRules.flatMap(([what, field]) =>
    told(from, field) === told(to, field)
      ? []
      : [`pool ${to.name}: ${what}: ${told(to, field)}, was ${told(from, field)}`],
  );
  lines.push(
    ...partsChanged(`pool ${to.name}: share of `, shareParts(from), shareParts(to)),
    ...partsChanged(`pool ${to.name}: licence `, licenceParts(from), licenceParts(to)),
    ...devicesChanged(from, to),
    ...engineChanged(from, to),
  );
  const old = new Map(from.machines.map((machine) => [machine.name, machine]));
  const [added, changed, closed, back]: [PlainMachine[], PlainMachine[], PlainMachine[], PlainMachine[]] = [
    [],
    [],
    [],
    [],
  ];
  for (const machine of to.machines) {
    const { isGone: wasGone, ...before } = old.get(machine.name) ?? {};
    const { isGone, ...now } = machine;
    if (!old.has(machine.name)) added.push(machine);
    else if (wasGone !== isGone) (isGone === true ? closed : back).push(machine);
    else if (JSON.stringify(before) !== JSON.stringify(now)) changed.push(machine);
  }
  const kept = new Set(to.machines.map(({ name }) => name));
  const gone = from.machines.filter(({ name }) => !kept.has(name));
  for (const [what, machines] of [
    ["new", added],
    ["of other size, owner or attributes", changed],
    ["gone", gone],
    ["gone as soon as nothing runs there any more, and closed until then", closed],
    ["that had gone and are back", back],
  ] as const)
    if (machines.length > 0)
      lines.push(`pool ${to.name}: ${counted(machines.length)} ${what} (${first(machines)})`);
  return lines;
}

/** How many they are is told by the machine, and so is their kind. */
function devicesChanged({ gpus: from }: PlainPool, { name, gpus: to }: PlainPool): string[] {
  if (from === undefined || to === undefined) return [];
  const [before, after] = [from, to].map(({ devices }) => devices?.join(", ") ?? "all that are found");
  return before === after ? [] : [`pool ${name}: GPUs: ${after}, was ${before}`];
}

/** Settings that say which machines there are are told by the machines. */
function engineChanged({ engine: from }: PlainPool, { name, engine: to }: PlainPool): string[] {
  if (from === undefined || to === undefined) return [];
  if (from.kind !== to.kind) return [`pool ${name}: engine: ${to.kind}, was ${from.kind}`];
  const fields = new Set([...Object.keys(from.settings), ...Object.keys(to.settings)]);
  fields.delete("machines");
  return Array.from(fields).flatMap((field) => {
    const [before, after] = [from, to].map(({ settings }) =>
      settings[field] === undefined ? "not given" : words(settings[field]),
    );
    return before === after ? [] : [`pool ${name}: engine's ${field}: ${after}, was ${before}`];
  });
}

const MOST_NAMED = 5;

function first(machines: readonly PlainMachine[]): string {
  const names = machines.slice(0, MOST_NAMED).map(({ name }) => name);
  return `${names.join(", ")}${machines.length > MOST_NAMED ? ", …" : ""}`;
}

function counted(count: number): string {
  return `${count} machine${count === 1 ? "" : "s"}`;
}
