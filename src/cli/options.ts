import { InvalidArgumentError, Option } from "commander";

import { useMeasures } from "../core/index.ts";
import type { Estimates } from "../simulation/index.ts";
import { usualName } from "../workload/index.ts";

/** How the text of an option becomes a value; each throws what commander reports as bad usage. */

export function positive(text: string): number {
  const value = number(text);
  if (!(value > 0)) throw new InvalidArgumentError("Give a number above 0.");
  return value;
}

export function positiveInteger(text: string): number {
  const value = number(text);
  if (!(Number.isSafeInteger(value) && value > 0))
    throw new InvalidArgumentError("Give a whole number above 0.");
  return value;
}

export function wholeNumber(text: string): number {
  const value = number(text);
  if (!(Number.isSafeInteger(value) && value >= 0)) throw new InvalidArgumentError("Give a whole number.");
  return value;
}

/** One of some names of batch systems or their formats, which may be called otherwise. */
export function systemAmong(known: readonly string[]): (text: string) => string {
  return (text) => {
    const name = usualName(text);
    if (known.includes(name)) return name;
    throw new InvalidArgumentError(`Allowed choices are ${known.join(", ")}.`);
  };
}

/** An option that may be given several times, each time with one or more numbers: `0.7,0.8,0.9`. */
export function positives(text: string, earlier: readonly number[] = []): number[] {
  return [...new Set([...earlier, ...names(text).map(positive)])];
}

/** `64x1,64x0.5`: 64 ones, then 64 halves. */
export function nodeSpeeds(text: string): number[] {
  return text.split(",").flatMap((part) => {
    const [, count, speed] = /^\s*(\d{1,6})\s*x\s*(\d*\.?\d+)\s*$/.exec(part) ?? [];
    if (count === undefined || Number(count) === 0)
      throw new InvalidArgumentError("Give numbers of nodes and their speeds, as in 64x1,64x0.5.");
    return Array.from({ length: Number(count) }, () => Number(speed));
  });
}

/** An option that may be given several times, each time with one or more names. */
export function names(text: string, earlier: readonly string[] = []): string[] {
  const parts = text.split(",").map((part) => part.trim());
  if (parts.includes("")) throw new InvalidArgumentError("Give names with a comma between them.");
  return [...new Set([...earlier, ...parts])];
}

/** An option that may be given several times, each time with one or more pairs: `submit=queued_at,cores=ncpus`. */
export function columnPairs(
  text: string,
  earlier: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const pairs = text.split(/,(?=\s*\w+\s*=)/).map((pair): [string, string] => {
    const equals = pair.indexOf("=");
    const [field, column] = [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
    if (equals < 1 || field === "" || column === "") {
      throw new InvalidArgumentError("Give pairs such as submit=queued_at,memory=mem_gb:GiB.");
    }
    return [field, column];
  });
  return { ...earlier, ...Object.fromEntries(pairs) };
}

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** Seconds, a number with its unit, or as batch systems have it: `90`, `30m`, `12h`, `1.5d`, `1:30:00`, `2-12:00:00`. */
export function duration(text: string): number {
  const parts = /^(?:(\d+)-)?(\d+):([0-5]\d):([0-5]\d)$/.exec(text.trim())?.slice(1);
  if (parts !== undefined) {
    const [days, hours, minutes, seconds] = parts.map((part) => Number(part ?? 0));
    return days! * SECONDS.d + hours! * SECONDS.h + minutes! * SECONDS.m + seconds!;
  }
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(text.trim()) ?? [];
  if (amount === undefined)
    throw new InvalidArgumentError("Give seconds, or a duration such as 30m, 12h, 1d, 1:30:00.");
  const seconds = Number(amount) * SECONDS[unit === "" ? "s" : (unit as keyof typeof SECONDS)];
  // Rounded to milliseconds, so that 1.1 hours are exactly 3,960 s.
  return Math.round(seconds * 1000) / 1000;
}

/** What fair share goes by. Without a word it is the first. */
const fairShareRules = ["running", "usage"];

export function fairShareOption(): Option {
  return new Option(
    "--fair-share [rule]",
    "serve projects by the cores that they use now (running, unless a rule is given), or by what they have used (usage)",
  )
    .choices(fairShareRules)
    .preset(fairShareRules[0]);
}

export function halfLifeOption(): Option {
  return new Option(
    "--half-life <time>",
    "with --fair-share usage: half of what was used counts after this time (7d)",
  ).argParser((text) => {
    const seconds = duration(text);
    if (seconds < 1) throw new InvalidArgumentError("Give a time of 1s or more.");
    return seconds;
  });
}

export function fairShareOfOption(): Option {
  return new Option(
    "--fair-share-of <what>",
    "with --fair-share usage: what counts; dominant is the resource of which a job has the largest part of the pool (cores)",
  ).choices([...useMeasures]);
}

export function estimates(text: string): Estimates {
  if (text === "log" || text === "exact" || text === "predicted") return text;
  const factor = Number(text);
  if (!(text.trim() !== "" && Number.isFinite(factor) && factor > 0)) {
    throw new InvalidArgumentError("Give log, exact, predicted, or a factor above 0 for the true run times.");
  }
  return factor;
}

/** `all`, `none` or a number of jobs. */
export function reservations(text: string): number {
  if (text === "all") return Infinity;
  if (text === "none" || text === "0") return 0;
  const count = Number(text);
  if (!(Number.isSafeInteger(count) && count > 0)) {
    throw new InvalidArgumentError("Give all, none, or how many of a cycle's first jobs may reserve.");
  }
  return count;
}

/** Refuses a second plugin: only one is loaded. */
export function onePlugin(file: string, earlier?: string): string {
  if (earlier === undefined) return file;
  throw new InvalidArgumentError(
    "Give one plugin: it may have several of each kind, and import other modules.",
  );
}

function number(text: string): number {
  const value = text.trim() === "" ? NaN : Number(text);
  if (!Number.isFinite(value)) throw new InvalidArgumentError("Give a number.");
  return value;
}

/** Durations separated by commas. An option may also be given several times, which adds to the earlier ones. */
export function durations(text: string, earlier: readonly number[] = []): number[] {
  return [...new Set([...earlier, ...names(text).map(duration)])];
}

/** Where to listen over TCP. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

export function address(text: string): Address {
  const [, host, port] = /^(\[[0-9a-fA-F:]+\]|[\w.-]+):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535)
    throw new InvalidArgumentError("Give a host and a port: 127.0.0.1:8470.");
  return { host, port: Number(port) };
}
