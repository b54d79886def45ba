import type { Nearest, PlainReason, Reason } from "./explanation.ts";
import { limitText } from "../build/limits.ts";
import { queueText } from "./unmet-text.ts";
import { memoryText } from "../../core/index.ts";

/** The one reason to tell a person first, of several for which a job does not run. */
export interface DominantReason {
  /** It stays the same from version to version. */
  readonly token: ReasonToken;
  readonly sentence: string;
}

/** A kind of reason that may come first. */
interface TokenKind {
  readonly token: string;
  /** What it means for whoever waits. */
  readonly meaning: string;
  /** Says it of these reasons of a waiting job; null: it does not hold. Absent: it is no matter of a cycle's reasons. */
  readonly holds?: (reasons: Given) => string | null;
}

/** A waiting job's reasons by kind. */
type Given = <Kind extends Reason["kind"]>(kind: Kind) => Extract<Reason, { readonly kind: Kind }>[];

/**
 * All tokens, in the order of precedence: of those that hold for a job the first one is told. What would let no job
 * start comes first; then what holds the job wherever it could run; then room; then what the policy keeps from it.
 */
export const reasonTokens = [
  { token: "not-written", meaning: "the farm cannot write down what it decides, so nothing starts" },
  { token: "held", meaning: "its user or an operator holds it" },
  { token: "after-job", meaning: "it is to start after another job" },
  { token: "begin-time", meaning: "it is not to start before a time" },
  { token: "array-limit", meaning: "as many jobs of its array run or wait as may at once" },
  { token: "suspended", meaning: "it is suspended for a job that comes first" },
  { token: "suspended-by-hand", meaning: "it was suspended by hand" },
  { token: "on-its-way", meaning: "it has not arrived at its pool yet" },
  { token: "paused", meaning: "somebody has paused its pool, all pools that could run it, or the farm" },
  { token: "unreachable", meaning: "the engine of its pool does not answer" },
  { token: "no-cycle", meaning: "its pool has not looked at its queue since" },
  {
    token: "not-examined",
    meaning: "a cycle looks at so many jobs of the queue, and the job is not among them",
    holds: (given) =>
      first(
        given("not examined"),
        ({ examined }) =>
          `a cycle looks at the first ${examined} jobs of the queue, and it is not among them`,
      ),
  },
  {
    token: "limit",
    meaning: "its user, group or project has as much as it may have at a time",
    holds: (given) => first(given("limit"), aboveText),
  },
  {
    token: "licence",
    meaning: "too few of a licence are free",
    holds: (given) =>
      first(
        given("licence"),
        ({ licence, asked, inUse, count }) =>
          `it asks for ${asked} of the licence ${licence}, and ${Math.max(0, count - inUse)} of ${count} ${count - inUse === 1 ? "is" : "are"} free`,
      ),
  },
  {
    token: "behind",
    meaning: "the queue is served in order, and a job before it has no room",
    holds: (given) =>
      first(given("behind"), ({ job }) => `job ${job} is before it, has no room, and may not be passed`),
  },
  {
    token: "no-machine",
    meaning: "no machine of the pool meets its requirement and could hold it",
    holds(given) {
      if (usable(given) > 0 || sum(given("drained")) > 0 || isOfNoMachine(given)) return null;
      const [unmet] = given("requirement");
      return unmet === undefined
        ? "no machine of the pool could hold it, even when empty"
        : `no machine of the pool could hold it: ${unmet.machines} ${queueText(unmet) ?? `${unmet.machines === 1 ? "does" : "do"} not meet ${unmet.part}`}`;
    },
  },
  {
    token: "drained",
    meaning: "the machines that could hold it take no jobs",
    holds: (given) =>
      usable(given) > 0 || isOfNoMachine(given)
        ? null
        : `${machines(sum(given("drained")))} could hold it, and ${sum(given("drained")) === 1 ? "takes" : "take"} no jobs${closedText(...given("drained"))}`,
  },
  {
    token: "refused",
    meaning: "the machines that it could use could not start it a short while ago",
    holds: (given) =>
      open(given) > 0 || sum(given("refused it")) === 0
        ? null
        : `${machines(sum(given("refused it")))} could not start it a short while ago`,
  },
  {
    token: "family",
    meaning: "the machines that it could use are reserved to other families",
    holds: (given) =>
      open(given) > 0 || sum(given("other families")) === 0
        ? null
        : `${machines(sum(given("other families")))} ${sum(given("other families")) === 1 ? "is" : "are"} reserved to other families`,
  },
  {
    token: "reserved",
    meaning: "the machines that it could use are reserved for others before its limit is over",
    holds: (given) =>
      open(given) > 0
        ? null
        : first(given("reserved"), ({ machines: count, reservation, hasBegun, hasLimit }) =>
            hasBegun
              ? `${machines(count)} ${count === 1 ? "is" : "are"} kept for others by the reservation ${reservation}`
              : hasLimit
                ? `its limit reaches into the reservation ${reservation} of ${machines(count)}`
                : `it has no time limit (--time), and so does not start before the reservation ${reservation} of ${machines(count)} is over`,
          ),
  },
  {
    token: "no-pool-has-room",
    meaning: "it waits at its virtual pool, and none of the pools has room",
    holds: (given) =>
      first(
        given("no pool has room"),
        ({ pools }) => `no pool has room: ${listed(pools)}${lacksText(given)}`,
      ),
  },
  {
    token: "share",
    meaning: "its project has used more for its share, and later jobs of others go first",
    holds: (given) =>
      first(given("share used"), ({ project, before }) => {
        const whose = project === "" ? "jobs without a project have" : `its project ${project} has`;
        return `${whose} used more for ${project === "" ? "their" : "its"} share: ${jobNames(before)}, which came later, ${before.length === 1 ? "goes" : "go"} first`;
      }),
  },
  { token: "cores", meaning: "the machine that lacks least lacks cores", holds: lacking("cores") },
  { token: "memory", meaning: "the machine that lacks least lacks memory", holds: lacking("memory") },
  {
    token: "cores-and-memory",
    meaning: "the machine that lacks least lacks both",
    holds: lacking("cores-and-memory"),
  },
  { token: "gpus", meaning: "the machine that lacks least lacks only GPUs", holds: lacking("gpus") },
  {
    token: "tasks",
    meaning: "there is room for some of its tasks, and they start together",
    holds: (given) =>
      first(given("kept free"), ({ tasks, tasksWithRoom }) =>
        tasksWithRoom >= tasks ? null : `there is room for ${tasksWithRoom} of its ${tasks} tasks`,
      ),
  },
  {
    token: "promised",
    meaning: "there is room, and it is reserved for other jobs; its own start is promised for later",
    holds: (given) =>
      first(given("promised"), ({ machines: count }) =>
        count === 0
          ? null
          : `${machines(count)} with room ${count === 1 ? "is" : "are"} reserved for other jobs, and its own start is promised for later`,
      ),
  },
  {
    token: "would-delay",
    meaning: "there is room, and it would delay jobs that come first",
    holds: (given) =>
      first(given("would delay"), ({ machines: count, job }) =>
        count === 0
          ? null
          : `on ${machines(count)} with room it would delay job ${job}, the first in the queue`,
      ) ??
      first(given("would delay promises"), ({ machines: count, jobs }) =>
        count === 0 ? null : `on ${machines(count)} with room it would delay ${jobNames(jobs)}`,
      ),
  },
  {
    token: "kept-free",
    meaning: "there is room, and the policy keeps it for jobs before it",
    holds: (given) =>
      first(
        given("kept free"),
        ({ machines: count, before }) =>
          `${machines(count)} with room ${count === 1 ? "is" : "are"} ${before.length === 0 ? "reserved for another job until the next cycle" : `kept free for ${jobNames(before)}, before it in the queue`}`,
      ),
  },
] as const satisfies readonly TokenKind[];

export type ReasonToken = (typeof reasonTokens)[number]["token"];

export const tokenNames: readonly ReasonToken[] = reasonTokens.map(({ token }) => token);

const kinds: readonly (TokenKind & { readonly token: ReasonToken })[] = reasonTokens;

/** The reason to tell first, of those for which a cycle has left a job waiting; null: there are none. */
export function dominantReason(reasons: readonly Reason[]): DominantReason | null {
  if (reasons.length === 0) return null;
  const given: Given = (kind) =>
    reasons.filter((each): each is Extract<Reason, { readonly kind: typeof kind }> => each.kind === kind);
  for (const { token, holds } of kinds) {
    const sentence = holds?.(given) ?? null;
    if (sentence !== null) return { token, sentence };
  }
  return null;
}

/** What a token means; for tables. */
export function meaningOf(token: ReasonToken): string {
  return kinds.find((each) => each.token === token)!.meaning;
}

/** What the machine lacks that lacks least, of all pools that a job may go to. */
function lacksText(given: Given): string {
  const full = given("too full");
  if (full.length === 0 || hasRoom(given)) return "";
  const [least] = full.toSorted(
    ({ nearest: a }, { nearest: b }) =>
      a.coresShort - b.coresShort || a.memoryShortMiB - b.memoryShortMiB || a.gpusShort - b.gpusShort,
  );
  return `; ${least.nearest.machine}, which lacks least, lacks ${shortText(least.nearest)}`;
}

/** Where nothing is known of machines: of a job at its virtual pool. */
function isOfNoMachine(given: Given): boolean {
  return given("no pool has room").length > 0 && given("drained").length === 0;
}

/** The machines that a job could use, and that take jobs. */
function usable(given: Given): number {
  return open(given) + sum(given("refused it")) + sum(given("other families")) + sum(given("reserved"));
}

/** Those of them that are too full, or have room. */
function open(given: Given): number {
  const ruled = [...given("would delay"), ...given("would delay promises"), ...given("promised")];
  // Where a policy's own reason is told, or a licence is missing, machines with room are not told of.
  return sum(given("too full")) + sum(given("kept free")) + sum(ruled);
}

/** Whether all of its tasks have room. */
function hasRoom(given: Given): boolean {
  return (
    given("kept free").some(({ tasks, tasksWithRoom }) => tasksWithRoom >= tasks) ||
    sum([...given("would delay"), ...given("would delay promises"), ...given("promised")]) > 0
  );
}

function lacking(token: "cores" | "memory" | "cores-and-memory" | "gpus"): (given: Given) => string | null {
  return (given) => {
    const [full] = given("too full");
    // Others may be too full beside machines that the policy keeps from it.
    if (full === undefined || hasRoom(given)) return null;
    const { machine, coresShort, memoryShortMiB } = full.nearest;
    const is =
      coresShort > 0
        ? memoryShortMiB > 0
          ? "cores-and-memory"
          : "cores"
        : memoryShortMiB > 0
          ? "memory"
          : "gpus";
    if (is !== token) return null;
    if (is === "gpus") return `it waits for ${gpusText(full.nearest)}: ${whereOf(full)}`;
    const what = shortText(full.nearest);
    return full.machines === 1
      ? `machine ${machine} is too full for it: it lacks ${what}`
      : `${machines(full.machines)} are too full for it, and ${machine}, which lacks least, lacks ${what}`;
  };
}

/** `2 cores and 1 GiB of memory`. */
function shortText(nearest: Nearest): string {
  const { coresShort, memoryShortMiB } = nearest;
  const gpus = gpusText(nearest);
  return [
    ...(coresShort > 0 ? [coresShort === 1 ? "1 core" : `${coresShort} cores`] : []),
    ...(memoryShortMiB > 0 ? [`${memoryText(memoryShortMiB)} of memory`] : []),
    ...(gpus === "" ? [] : [gpus]),
  ].join(" and ");
}

/** Which machines take no jobs, and why, where a farm tells it. */
export function closedText(...reasons: readonly PlainReason[]): string {
  const count = sum(reasons);
  const closed = reasons.flatMap((reason) => reason.closed ?? []);
  if (closed.length === 0) return "";
  const names = new Map<string, string[]>();
  for (const { machine, why } of closed) names.set(why, [...(names.get(why) ?? []), machine]);
  const named = Array.from(names, ([why, of]) => (why === "" ? listed(of) : `${listed(of)}: ${why}`));
  const more = count > closed.length ? `; and ${count - closed.length} more` : "";
  return `: ${named.join("; ")}${more}`;
}

function whereOf({ machines: count, nearest }: { machines: number; nearest: Nearest }): string {
  return count === 1
    ? `machine ${nearest.machine} has too few free`
    : `${machines(count)} have too few free, and ${nearest.machine} lacks least`;
}

type AboveLimit = Extract<Reason, { kind: "limit" }>;

/** `above ann's limit of 64 cores: 60 are in use, and it asks for 8`. */
export function aboveText(reason: AboveLimit): string {
  const { what, asked, inUse } = reason;
  const [runs, are] = inUse === 1 ? ["runs", "is"] : ["run", "are"];
  const used = what === "jobs" ? `${inUse} ${runs}` : `${inUse} ${are} in use, and it asks for ${asked}`;
  return `above ${exceededText(reason)}: ${used}`;
}

/** `ann's limit of 64 cores`. */
export function exceededText({ of, name, what, most }: AboveLimit): string {
  return `${limitText({ of, name })} of ${most} ${most === 1 ? what.slice(0, -1) : what}`;
}

/** The GPUs that a machine lacks for a job, by their kind; empty: none. */
export function gpusText({
  gpusShort,
  gpuKind,
}: {
  readonly gpusShort: number;
  readonly gpuKind: string | null;
}): string {
  if (gpusShort === 0) return "";
  const kind = gpuKind === null ? "" : ` ${gpuKind}`;
  if (gpusShort === 1) return `a GPU${kind}`;
  return gpusShort < 1 ? `${gpusShort} of a GPU${kind}` : `${gpusShort} GPUs${kind}`;
}

function first<Item>(items: readonly Item[], say: (item: Item) => string | null): string | null {
  return items.length === 0 ? null : say(items[0]);
}

function sum(reasons: readonly { readonly machines: number }[]): number {
  return reasons.reduce((total, each) => total + each.machines, 0);
}

function machines(count: number): string {
  return count === 1 ? "1 machine" : `${count} machines`;
}

function jobNames(numbers: readonly number[]): string {
  return numbers.length === 1 ? `job ${numbers[0]}` : `jobs ${numbers.join(", ")}`;
}

function listed(names: readonly string[]): string {
  return names.join(", ");
}
