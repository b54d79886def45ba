import type { FarmLimit } from "../../workload/index.ts";
import type { PlainFarm, PlainPool } from "../service/plain-farm.ts";

/** What a setting is made of, by the name that people know each part by, in words. */
export type Parts = ReadonlyMap<string, string>;

/**
 * What is new, another and gone, a line each.
 *
 * @param what goes before a part's name: "limit of "
 */
export function partsChanged(what: string, from: Parts, to: Parts): string[] {
  return [
    ...Array.from(to, ([name, text]) => {
      const before = from.get(name);
      if (before === undefined) return `${what}${name} is new: ${text}`;
      return before === text ? "" : `${what}${name}: ${text}, was ${before}`;
    }).filter((line) => line !== ""),
    ...Array.from(from.keys())
      .filter((name) => !to.has(name))
      .map((name) => `${what}${name} is gone`),
  ];
}

export function limitParts({ limits = [] }: PlainFarm): Parts {
  return new Map(limits.map((limit) => [limitName(limit), limitText(limit)]));
}

function limitName({ of, name }: FarmLimit): string {
  return name === null ? `each other ${of}` : `${of} ${name}`;
}

function limitText({ runningJobs, runningCores, waitingJobs, jobsAtOnce, storedMiB }: FarmLimit): string {
  const parts = [
    [runningJobs, "running job", "running jobs"],
    [runningCores, "core in use", "cores in use"],
    [waitingJobs, "waiting job", "waiting jobs"],
    [jobsAtOnce, "job at once", "jobs at once"],
  ] as const;
  const texts = parts.flatMap(([most, single, several]) =>
    most === null ? [] : [`${most} ${most === 1 ? single : several}`],
  );
  if (storedMiB !== undefined) texts.push(`${sizeText(storedMiB)} stored`);
  return texts.length === 0 ? "none" : texts.join(", ");
}

/** As refusals tell it. */
function sizeText(mib: number): string {
  return mib < 1 ? `${Math.ceil(mib * 1024)} KiB` : `${Number(mib.toFixed(1))} MiB`;
}

export function reservationParts({ pools, reservations = [] }: PlainFarm): Parts {
  return new Map(
    reservations.map(({ name, pool, machines, fromSeconds, untilSeconds, users, groups, projects }) => {
      const { name: poolName, machines: own } = pools[pool]!;
      const which = machines.map((machine) => own[machine]?.name ?? String(machine)).join(", ");
      const whom = [...named("users", users), ...named("groups", groups), ...named("projects", projects)];
      const text = `${which} from ${time(fromSeconds)} until ${time(untilSeconds)} for ${whom.join("; ") || "nobody"}`;
      return [`${name} of pool ${poolName}`, text];
    }),
  );
}

function named(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what} ${names.join(", ")}`];
}

function time(unixSeconds: number): string {
  const at = new Date(unixSeconds * 1000);
  return Number.isNaN(at.getTime()) ? `${unixSeconds} s` : at.toISOString();
}

export function channelParts({ channels = {} }: PlainFarm): Parts {
  return new Map(Object.entries(channels));
}

export function licenceParts({ licences = [] }: PlainPool): Parts {
  return new Map(licences.map(({ name, count }) => [name, String(count)]));
}

export function shareParts({ shares }: PlainPool): Parts {
  return new Map((shares ?? []).map(({ path, share }) => [path, String(share)]));
}

/** Anything else, without the marks of JSON. */
export function words(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (Array.isArray(value)) return value.length === 0 ? "none" : listed(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "object") return `${value as string | number}`;
  const parts = Object.entries(value).map(([name, each]) => `${name} ${words(each)}`);
  return parts.length === 0 ? "none" : parts.join(", ");
}

/** Of lists and objects in a list it is seen where each ends. */
function listed(list: readonly unknown[]): string {
  const isFlat = list.every((each) => typeof each !== "object" || each === null);
  return list.map(words).join(isFlat ? ", " : "; ");
}
