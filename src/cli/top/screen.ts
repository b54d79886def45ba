import type { MachineView, PoolView } from "../../live/service/farm-views.ts";
import type { ListedJob } from "../../live/reader/tasks.ts";
import { printable } from "../live/printable.ts";
import { jobTable } from "../live/job-text.ts";
import { pauseText } from "../live/pause-text.ts";
import { partOfMemory } from "../live/memory-text.ts";
import { local } from "../live/local-time.ts";
import { table } from "../live/tables.ts";
import { wrap } from "../../workload/wrap.ts";

/** What is known of a farm at a moment. */
export interface Picture {
  readonly name: string;
  /** The farm's time, in milliseconds. */
  readonly now: number;
  /** Jobs that are not over. */
  readonly jobCount: number;
  readonly pools: readonly PoolView[];
  /** Machines that take nothing new. */
  readonly closed: readonly MachineView[];
  /** Why nothing can be written; null: it can. */
  readonly writeError: string | null;
  readonly jobs: readonly ListedJob[];
}

/** What a person has chosen to see. */
export interface Choice {
  readonly filter: string;
  /** Whether it is being typed. */
  readonly isTyping: boolean;
  /** The place of the chosen job among those that the filter leaves. */
  readonly chosen: number;
  /** Why the chosen job waits, instead of the list; null: the list. */
  readonly why: readonly string[] | null;
  /** By how many lines that is moved up. */
  readonly whyFrom: number;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

const BAR = 20;
/** In a narrower window figures are told without bars. */
const BARS_FROM_COLUMNS = 110;
/** In a window narrower than this, suspended jobs are left out, so that the cores are seen. */
const LEAST_COLUMNS = 50;
/** Of what is wrong, before the others are counted. */
const WRONGS_SHOWN = 4;

/** The lines of a screen: what is wrong, the pools, and the jobs as far as there is room. */
export function screen(picture: Picture, choice: Choice, { columns, rows }: Size): string[] {
  const head = headLines(picture, columns);
  const size = { columns, rows: roomBelow(head, rows) };
  const body =
    choice.why === null ? jobLines(picture, choice, size) : whyLines(choice.why, choice.whyFrom, size);
  return [...head, ...body, footOf(choice)].map((line) => line.slice(0, columns));
}

/** The choice, with a text that is moved up no further than to its end. */
export function withinText(picture: Picture, choice: Choice, { columns, rows }: Size): Choice {
  if (choice.why === null) return choice;
  const room = roomBelow(headLines(picture, columns), rows);
  const last = Math.max(0, wrapped(choice.why, columns).length - room);
  return { ...choice, whyFrom: Math.min(choice.whyFrom, last) };
}

function headLines(picture: Picture, columns: number): string[] {
  const { name, now, jobCount, pools } = picture;
  const wrongs = wrongsOf(picture);
  return [
    `${printable(name)}  ${local(new Date(now).toISOString())}  ${jobCount} ${jobCount === 1 ? "job" : "jobs"}`,
    ...(wrongs.length === 0
      ? ["nothing is wrong"]
      : wrongs.slice(0, WRONGS_SHOWN).map((wrong, at) => `${at === 0 ? "WRONG" : "     "}  ${wrong}`)),
    ...(wrongs.length > WRONGS_SHOWN ? [`       and ${wrongs.length - WRONGS_SHOWN} more`] : []),
    "",
    ...poolTable(pools, columns).split("\n"),
    "",
  ];
}

function roomBelow(head: readonly string[], rows: number): number {
  return Math.max(2, rows - head.length - 1);
}

/** What is wrong, where and since when; the worst first. */
export function wrongsOf({ pools, closed, writeError }: Picture): string[] {
  const since = (time: string | null): string => (time === null ? "" : `, since ${local(time)}`);
  return [
    ...(writeError === null ? [] : [`nothing can be written, so nothing starts: ${printable(writeError)}`]),
    ...pools.flatMap(({ name, unreachable }) =>
      unreachable === null
        ? []
        : [
            `pool ${printable(name)} cannot be reached${since(unreachable.since)}: ${printable(unreachable.reason)}`,
          ],
    ),
    ...pools.flatMap(({ name, paused }) =>
      paused === null
        ? []
        : [
            `pool ${printable(name)} is ${printable(pauseText(paused))}${since(paused.since)}: it starts nothing`,
          ],
    ),
    ...pools.flatMap(({ name, machines, machinesClosed, unreachable, paused }) => {
      if (machinesClosed === 0 || unreachable !== null || paused !== null) return [];
      const [first] = closed
        .filter(({ pool }) => pool === name)
        .sort((a, b) => (a.since ?? "").localeCompare(b.since ?? ""));
      const which =
        first === undefined
          ? ""
          : `: first ${printable(first.name)}${since(first.since)}, ${printable(first.reason)}`;
      return [
        `${machinesClosed} of ${machines} machines of pool ${printable(name)} ${machinesClosed === 1 ? "takes" : "take"} nothing new${which}`,
      ];
    }),
  ];
}

function poolTable(pools: readonly PoolView[], columns: number): string {
  const hasBars = columns >= BARS_FROM_COLUMNS;
  const barOf = (title: string, text: (pool: PoolView) => string) => (hasBars ? [{ title, text }] : []);
  return table(
    [
      { title: "pool", text: ({ name }) => name },
      { title: "waiting", text: ({ waiting }) => String(waiting), right: true },
      { title: "running", text: ({ running }) => String(running), right: true },
      ...(columns < LEAST_COLUMNS
        ? []
        : [
            {
              title: "suspended",
              text: ({ suspended }: PoolView) => String(suspended),
              right: true as const,
            },
          ]),
      ...barOf("cores in use", ({ cores, coresFree }) => bar(cores - coresFree, cores)),
      {
        title: hasBars ? "" : "cores",
        text: ({ cores, coresFree }) => `${round(cores - coresFree)} of ${round(cores)}`,
        right: true,
      },
      ...(pools.some(({ gpus }) => gpus > 0)
        ? [
            {
              title: "GPUs",
              text: ({ gpus, gpusFree }: PoolView) =>
                gpus === 0 ? "" : `${round(gpus - gpusFree)} of ${round(gpus)}`,
              right: true as const,
            },
          ]
        : []),
      ...barOf("memory in use", ({ memoryMiB, memoryFreeMiB }) => bar(memoryMiB - memoryFreeMiB, memoryMiB)),
      {
        title: hasBars ? "" : "memory",
        text: ({ memoryMiB, memoryFreeMiB }) => partOfMemory(memoryMiB - memoryFreeMiB, memoryMiB),
        right: true,
      },
    ],
    pools,
  );
}

function bar(used: number, all: number): string {
  const full = all === 0 ? 0 : Math.min(BAR, Math.max(0, Math.round((used / all) * BAR)));
  return `[${"#".repeat(full)}${".".repeat(BAR - full)}]`;
}

function round(cores: number): number {
  return Math.round(cores * 100) / 100;
}

/** The jobs that a filter leaves: those with a word of it in their number, name, user, state, pool or reason. */
export function filtered(jobs: readonly ListedJob[], filter: string): ListedJob[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return jobs.filter(({ number, name, user, state, pool, reason, waitsFor }) => {
    const text = [number, name, user, state, pool ?? "", reason, waitsFor ?? ""].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function jobLines(
  { jobs, now }: Picture,
  { filter, chosen }: Choice,
  { columns, rows: room }: Size,
): string[] {
  const left = filtered(jobs, filter);
  if (left.length === 0) return [filter === "" ? "no jobs" : `no job with ${printable(filter)}`];
  const shown = room - 1;
  // The chosen one stays on the screen.
  const from = Math.max(0, Math.min(chosen - Math.floor(shown / 2), left.length - shown));
  const [titles = "", ...lines] = jobTable(left.slice(from, from + shown), now, columns - 2).split("\n");
  return [`  ${titles}`, ...lines.map((line, at) => `${from + at === chosen ? ">" : " "} ${line}`)];
}

function whyLines(why: readonly string[], from: number, { columns, rows }: Size): string[] {
  return wrapped(why, columns).slice(from, from + rows);
}

/** Long lines go on in the next one, below their text. */
function wrapped(lines: readonly string[], columns: number): string[] {
  return lines.flatMap((line) => {
    const [indent = ""] = /^ *(- )?/.exec(line)!;
    // A table is not to be broken into words.
    if (line.length <= columns || /\S {2,}\S/.test(line)) return [line];
    const parts = wrap(line.slice(indent.length), Math.max(1, columns - indent.length));
    return parts.map((part, at) => (at === 0 ? indent : " ".repeat(indent.length)) + part);
  });
}

function footOf({ filter, isTyping, why }: Choice): string {
  if (isTyping) return `filter: ${printable(filter)}_   (Enter: done, Esc: none)`;
  if (why !== null) return "Esc: back   up, down: more   q: quit";
  const now = filter === "" ? "" : ` (${printable(filter)})`;
  return `q: quit   up, down: choose   Enter: why   /: filter${now}`;
}
