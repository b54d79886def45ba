import type { Move, PolicyKind, Routing } from "../../core/index.ts";
import {
  combinations,
  hasLicences,
  kindsOfRun,
  knownRouting,
  knownStrategy,
  limitOf,
  nodePoliciesOf,
  refusePolicy,
  resolvePolicy,
  type Plugin,
  type RunKind,
} from "../../simulation/index.ts";
import { InputError, type Farm, type Workload } from "../../workload/index.ts";
import { drawsFailures } from "./failures.ts";
import type { SimulateFlags } from "./flags.ts";
import { isFarm, type Place } from "./place.ts";
import { packingVariants } from "./packing.ts";
import { eventOrderOf, presetOf, type PlannedRun } from "./runs.ts";

/**
 * Refuses options that do not go together whatever the log is.
 *
 * @throws InputError with the reason
 */
export function refuseOptions(flags: SimulateFlags, place: Place): void {
  const { clock = "time", policy = [] } = flags;
  const packing = packingVariants(flags)[0]!.settings.packing ?? null;
  const { eventOrder = "instant" } = { ...presetOf(flags).settings, ...eventOrderOf(flags) };
  for (const name of policy.length === 0 ? [null] : policy) {
    const settings = { policy: name, packing, clock, eventOrder };
    refusePolicy(place, settings, false);
    const kinds = kindsOfRun(place, settings, false);
    for (const option of optionsGiven(flags)) {
      const limit = limitOf("option", option, kinds);
      if (limit !== null && "refused" in limit) throw new InputError(`${option}: ${limit.refused}`);
    }
  }
}

/**
 * What the table of combinations says of the options given and the columns that the workload has: refuses, and tells
 * in lines what has no effect on which policies. The latter are not errors, since users compare runs by repeating a
 * command with the same options.
 */
export function remarksOn(
  flags: SimulateFlags,
  planned: readonly PlannedRun[],
  place: Place,
  workload: Workload,
): string[] {
  const isInParts = workload.nodeCpu !== undefined;
  const kindsOf = new Map<string, readonly RunKind[]>();
  for (const { policy, settings } of planned) kindsOf.set(policy, kindsOfRun(place, settings, isInParts));
  const uses: Uses = {
    estimates: planned.some((run) => isMovedBy(run, place, ({ usesEstimates }) => usesEstimates !== false)),
    random: planned.some((run) => isMovedBy(run, place, ({ usesRandom }) => usesRandom !== false)),
  };
  const found = new Map<string, { readonly names: string[]; readonly policies: string[] }>();
  const look = (what: "option" | "column", name: string): void => {
    const without = new Map<string, string[]>();
    for (const [policy, kinds] of kindsOf) {
      const limit = limitOf(what, name, kinds) ?? ownLimit(what, name, flags, place, policy, uses);
      if (limit === null) continue;
      if ("refused" in limit)
        throw new InputError(
          `${what === "column" ? `the workload's column ${name}` : name}: ${limit.refused}`,
        );
      without.set(limit.told, [...(without.get(limit.told) ?? []), policy]);
    }
    for (const [because, policies] of without) {
      const key = JSON.stringify([what, because, policies]);
      const line = found.get(key) ?? { names: [], policies };
      line.names.push(name);
      found.set(key, line);
    }
  };
  for (const name of optionsGiven(flags)) look("option", name);
  for (const name of columnsOf(workload)) look("column", name);
  const lines = [...found].map(([key, { names, policies }]) => {
    const [what, because] = JSON.parse(key) as [string, string];
    // A reason that depends only on the place holds for all policies.
    const isOfPlace =
      policies.length === kindsOf.size && policies.every((policy) => isOfPool(kindsOf.get(policy)!));
    const isOne = names.length === 1;
    const subject =
      `${what === "option" ? "" : `the workload's column${isOne ? "" : "s"} `}${names.join(", ")} ` +
      `${isOne ? "has" : "have"} no effect`;
    const reading = names.some((name) => name.startsWith("--preset")) ? " beyond how files are read" : "";
    return `${subject}${isOfPlace ? "" : ` on ${policies.join(", ")}`}${reading}: ${because}`;
  });
  lines.push(...samePolicies([...kindsOf.keys()]));
  const hasShares = isFarm(place) && place.pools.some(({ shares }) => shares !== null);
  if (hasShares && workload.project === null)
    lines.push("the farm's shares have no effect: the workload names no projects");
  if (workload.user === null && planned.some((run) => predictsRunTimes(run, place)))
    lines.push("the workload names no users: every job's predicted run time is its estimate");
  if (workload.restartPools !== undefined && isFarm(place) && !restartsJobs(planned, place))
    lines.push("the workload's column restart_pools has no effect: under NoRes no job is restarted");
  return lines;
}

/** Policies that are asked for by two names: `easy` is `easy/first-fit`. */
function samePolicies(names: readonly string[]): string[] {
  const known = new Map<string, string>();
  const lines: string[] = [];
  for (const name of names) {
    if (name === "" || nodePoliciesOf(name) !== undefined) continue;
    const { kind, heuristic } = resolvePolicy(name);
    const rule = `${kind.name}/${heuristic.name}`;
    const other = known.get(rule);
    if (other === undefined) known.set(rule, name);
    else lines.push(`${other} and ${name} are the same policy`);
  }
  return lines;
}

function predictsRunTimes({ policy, settings }: PlannedRun, place: Place): boolean {
  return policyKinds(place, policy).some(
    (kind) =>
      kind?.plansOnPredictions === true ||
      (settings.estimates === "predicted" && kind?.needsEstimates === true),
  );
}

function restartsJobs(planned: readonly PlannedRun[], { pools, rescheduling }: Farm): boolean {
  // Of one pool the table says it.
  return (
    pools.length === 1 ||
    planned.some(({ settings }) => (settings.strategy ?? rescheduling.strategy) !== "NoRes")
  );
}

function isOfPool(kinds: readonly RunKind[]): boolean {
  return !kinds.includes("whole") && !kinds.includes("shared");
}

/** What the routings and strategies of the runs may look at. */
interface Uses {
  /** Expected run times. */
  readonly estimates: boolean;
  /** Numbers drawn at random. */
  readonly random: boolean;
}

/** Whether some way to choose where a run's jobs are sent, or sent on to, is as asked. */
function isMovedBy(
  { settings }: PlannedRun,
  place: Place,
  isSo: (choice: Routing | Move) => boolean,
): boolean {
  if (!isFarm(place) || place.pools.length === 1) return false;
  const { onSuspension, onLongWait } = knownStrategy(settings.strategy ?? place.rescheduling.strategy);
  const routings = place.virtualPools.map(({ routing }) => knownRouting(settings.routing ?? routing));
  return [...routings, onSuspension, onLongWait].some((each) => each !== null && isSo(each));
}

/**
 * Limits that depend on more than the kind of run: on the farm's owners and licences, and on the kind of policy.
 */
function ownLimit(
  what: "option" | "column",
  name: string,
  flags: SimulateFlags,
  place: Place,
  policy: string,
  uses: Uses,
): ReturnType<typeof limitOf> {
  // A farm may have owners and licences or not; without one it is as a list of machines.
  if (what === "column") {
    const isIdle =
      (name === "group" && ownersOf(place).length === 0) ||
      (name === "licences" && !(isFarm(place) && place.pools.some(hasLicences)));
    return isIdle ? limitOf(what, name, ["machines"]) : null;
  }
  if (name === "--max-jobs" && policyKinds(place, policy).every((kind) => kind?.withList === undefined))
    return { told: "it is the list of the policy max-jobs and its like" };
  if (
    (name === "--reservations" || name === "--examine") &&
    policyKinds(place, policy).every((kind) => kind?.heedsLimits === false)
  )
    return limitOf(what, name, ["whole"]);
  if (name === "--scale-memory" && !hasMemory(place)) return { told: "the machines have no memory" };
  if (name === "--pool-detail" && flags.json !== true && flags.out === undefined)
    return { told: "it is for --json and the report of --out" };
  if (name === "--frames" && flags.out === undefined) return { told: "pictures go into the folder of --out" };
  if (name === "--seed" && !uses.random)
    return { told: "no routing or strategy of the runs draws at random, and no machine fails at random" };
  const because = nodePoliciesOf(policy)?.withoutEffect(name, policy) ?? null;
  if (because !== null) return { told: because };
  if (
    name === "--estimates" &&
    flags.estimates !== "predicted" &&
    policyKinds(place, policy).every((kind) => kind?.plansOnPredictions === true)
  )
    return { told: "it plans on predicted run times" };
  if (
    name === "--estimates" &&
    !uses.estimates &&
    policyKinds(place, policy).every((kind) => kind?.needsEstimates === false)
  )
    return {
      told:
        "only backfilling plans with run times" +
        (isFarm(place) && place.pools.length > 1
          ? ", and no routing or strategy of the runs looks at them"
          : ""),
    };
  return null;
}

/** The kinds of a run's policies of pools, its pools' own where it names none; null: not of a pool. */
export function policyKinds(place: Place, policy: string): readonly (PolicyKind | null)[] {
  const names = policy !== "" ? [policy] : isFarm(place) ? place.pools.map((pool) => pool.policy) : [];
  return names.map((name) => (nodePoliciesOf(name) === undefined ? resolvePolicy(name).kind : null));
}

function ownersOf(place: Place): string[] {
  const owners = isFarm(place) ? place.pools.flatMap(({ groups }) => groups.map(({ owner }) => owner)) : [];
  return [...new Set(owners.filter((owner) => owner !== null))];
}

/** Whether a run, the farm or a job names something of a plugin. */
export function isPluginUsed(
  plugin: Plugin,
  planned: readonly PlannedRun[],
  place: Place,
  { policy }: Workload,
): boolean {
  const { pools, virtualPools, rescheduling } = isFarm(place) ? place : noPools;
  const named = [
    ...planned.flatMap(({ policy: name, settings }) => [
      name,
      settings.strategy,
      settings.routing,
      ...settings.maxJobsList,
    ]),
    ...pools.flatMap((pool) => [pool.policy, ...pool.maxJobsList]),
    ...virtualPools.map(({ routing }) => routing),
    rescheduling?.strategy,
    ...(policy?.names ?? []),
  ];
  const parts = new Set(named.flatMap((name) => name?.split(/[/+]/) ?? []));
  const { heuristics = [], policies = [], routings = [], strategies = [] } = plugin;
  return [...heuristics, ...policies, ...routings, ...strategies].some(({ name }) => parts.has(name));
}

const noPools: Partial<Farm> & Pick<Farm, "pools" | "virtualPools"> = { pools: [], virtualPools: [] };

/** Groups that own machines but have no jobs: most likely misspelt. */
export function idleOwners(place: Place, { group }: Workload): string[] {
  return ownersOf(place).filter((owner) => group === null || !group.names.includes(owner));
}

function hasMemory(place: Place): boolean {
  return isFarm(place)
    ? place.pools.some(({ groups }) => groups.some(({ memoryMiB }) => memoryMiB !== null))
    : place.memoryMiB !== null;
}

/** The options given that the table knows, as it names them. */
function optionsGiven(flags: SimulateFlags): string[] {
  const { preset, clock, failures } = flags;
  const drawn = failures !== undefined && drawsFailures(failures);
  return combinations
    .filter(({ what }) => what === "option")
    .map(({ name }) => name)
    .filter((name) => {
      switch (name) {
        case "--preset simba":
        case "--preset pyss":
          return name.endsWith(` ${preset}`);
        case "--fair-share running":
        case "--fair-share usage":
          return name.endsWith(` ${flags.fairShare}`);
        case "--clock order":
          return clock === "order";
        case "--seed":
          return flags.seed !== undefined && !drawn;
        default:
          return flags[keyOf(name)] !== undefined;
      }
    });
}

function keyOf(option: string): keyof SimulateFlags {
  return option
    .slice(2)
    .replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()) as keyof SimulateFlags;
}

/** The columns of the table that the workload has. */
function columnsOf(workload: Workload): string[] {
  const { tasks, policy, requires, priority, group, pools, restartPools, site, state } = workload;
  const given: readonly (readonly [string, boolean])[] = [
    ["tasks", tasks !== null && tasks.some((each) => each !== 1)],
    ["policy", policy !== null],
    ["requires", requires !== null],
    ["priority", priority !== null && priority.some((each) => each !== priority[0])],
    // A batch system's own log has the group of every user; only in a list made for a farm does it mean owners.
    ["group", group !== null && state === undefined],
    ["pools", pools !== null],
    ["restart_pools", restartPools !== undefined],
    ["site", site !== null],
    ["licences", workload.licences !== undefined],
  ];
  return given.filter(([, isGiven]) => isGiven).map(([name]) => name);
}
