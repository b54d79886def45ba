import { InputError, type Farm, type Machines } from "../../workload/index.ts";
import { nodePoliciesOf } from "./node-policies.ts";
import { nameOfPolicy } from "./policy-names.ts";
import type { SimulationSettings } from "./settings.ts";

/**
 * The table of combinations: every kind of policy, option, workload column and command against every kind of run.
 * Refusals and remarks are made from it, `docs/combinations.md` is generated from it, and a test runs all combinations
 * that it says work.
 */

/** A run has one of the first three kinds, to which any of the next three may be added; or only one of the last two. */
export const runKinds = {
  machines: "a list of machines",
  pool: "a farm file of one pool",
  farm: "a farm of several pools",
  packing: "packing",
  order: "the order-driven clock",
  single: "single events",
  whole: "whole nodes",
  shared: "nodes shared in parts",
} as const;
export type RunKind = keyof typeof runKinds;

/**
 * Refused: the run is not made. Told: it is made, and a line says that the setting has no effect. Both give the
 * reason.
 */
type Limit = { readonly refused: string } | { readonly told: string };

export interface Combination {
  readonly what: "policy" | "option" | "column" | "command";
  readonly name: string;
  /** The kinds of run in which it does not work. It works in all others. */
  readonly limits: Readonly<Partial<Record<RunKind, Limit>>>;
}

type Limits = Combination["limits"];

const refused = (reason: string): Limit => ({ refused: reason });
const told = (reason: string): Limit => ({ told: reason });
const on = (kinds: readonly RunKind[], limit: Limit): Limits =>
  Object.fromEntries(kinds.map((kind) => [kind, limit]));
const ofPools: readonly RunKind[] = ["machines", "pool", "farm", "packing", "order", "single"];
const ofNodes: readonly RunKind[] = ["whole", "shared"];

const noCycles = told(
  "policies that share nodes in parts decide after events and at periods, not in cycles over a queue",
);
const noLimits = told("only heuristics, max-jobs, lookahead and either-order have the limits of a cycle");
const noEstimates = told(
  "policies that share nodes in parts need no run times, and those that take whole nodes know the true ones",
);
const noParts = told("policies of a pool neither pause nor move jobs");
const noSpeeds = refused(
  "it is for policies that share nodes in parts; machines of a farm file have a speed of their own",
);
const equalNodes = refused(
  "equal nodes are a list of machines: they run with --machines, not on a farm of pools",
);
const noFamilies = refused("where equal nodes are shared or taken whole, no families are kept together");
const noOrder = refused("the order-driven clock is for policies of a pool");
const inOrder = refused(
  "under the order-driven clock jobs come one after the other, whatever the log's times",
);
const oneClock = refused("the order-driven clock and the event order of single events exclude each other");
const onePoolOnly = refused("it is for one pool, and the farm has several");
const nowhereElse = "there is one pool, so no choice between pools: give a farm of several pools with --farm";
const farmOnly = refused(nowhereElse);
const noPools = refused("it is for the pools of a farm: the figures of a single pool are those of the run");
const noFailures = refused(
  "machines fail on the time-driven clock only, with all events of an instant at once, under policies of a pool",
);
const nothingDrawn = told("nothing is drawn at random in one pool whose machines do not fail at random");
const nobodySuspended = told(
  "only the time-driven clock, with all events of an instant at once, lets jobs suspend others",
);
const alikeNodes = told("equal nodes know of cores and memory only, and serve jobs as they come");
const onePool = told("there is one pool, and it takes all jobs");
const noOwners = told("no machine has an owner");
const noMemory = refused("the order-driven clock is for slots, which have no memory to go by");
const wholeNodes = told("every task has a whole node, whatever else it asks for");
const noLicences = told("no pool has licences: a farm file says how many there are");

const ofCycles: Limits = { shared: noCycles };
const ofPacking: Limits = on(ofNodes, noFamilies);
const ofParts: Limits = { ...on(ofPools, noParts), whole: noParts };
const betweenPools: Limits = {
  pool: told(nowhereElse),
  ...on(["machines", "order", "single", ...ofNodes], farmOnly),
};

const policyRows: Readonly<Record<"pool" | "whole" | "shared", Combination>> = {
  pool: { what: "policy", name: "policies of a pool (`first-fit`, `max-jobs`, `easy`, …)", limits: {} },
  whole: {
    what: "policy",
    name: "policies of whole nodes (`whole-node/fcfs`, `whole-node/easy`)",
    limits: { pool: equalNodes, farm: equalNodes, packing: noFamilies, order: noOrder },
  },
  shared: {
    what: "policy",
    name: "policies that share nodes in parts (`'GreedyPM */per'`, …)",
    limits: { pool: equalNodes, farm: equalNodes, packing: noFamilies, order: noOrder, single: noCycles },
  },
};

const options: readonly (readonly [name: string, limits: Limits])[] = [
  ["--policy", {}],
  ["--plugin", {}],
  ["--beta", { order: inOrder }],
  ["--load", { order: inOrder }],
  ["--interval", { order: inOrder, ...ofCycles }],
  ["--estimates", on(ofNodes, noEstimates)],
  ["--preset simba", { order: inOrder, ...ofCycles }],
  ["--preset pyss", { farm: onePoolOnly, order: oneClock, shared: noCycles }],
  ["--max-jobs", ofCycles],
  ["--fair-share running", ofCycles],
  ["--fair-share usage", ofCycles],
  ["--half-life", ofCycles],
  ["--fair-share-of", { order: noMemory, whole: wholeNodes, ...ofCycles }],
  ["--shares", ofCycles],
  [
    "--reservations",
    {
      order: told("under the order-driven clock a job that finds no slot keeps none from others"),
      whole: noLimits,
      ...ofCycles,
    },
  ],
  ["--examine", { whole: noLimits, ...ofCycles }],
  ["--strategy", betweenPools],
  ["--routing", betweenPools],
  ["--pool-detail", on(["machines", "order", "single", ...ofNodes], noPools)],
  ["--seed", on(["machines", "pool", "order", "single", ...ofNodes], nothingDrawn)],
  ["--failures", { order: noFailures, single: noFailures, ...on(ofNodes, noFailures) }],
  ["--packing", ofPacking],
  ["--family", ofPacking],
  ["--ttl", ofPacking],
  ["--idle-watts", ofPacking],
  ["--busy-watts", ofPacking],
  ["--frames", ofPacking],
  ["--clock order", { farm: onePoolOnly, single: oneClock, ...on(ofNodes, noOrder) }],
  ["--queue", { farm: onePoolOnly, single: oneClock, ...on(ofNodes, noOrder) }],
  ["--penalty", ofParts],
  ["--period", ofParts],
  ["--mvt", ofParts],
  ["--mft", ofParts],
  ["--node-speeds", on([...ofPools, "whole"], noSpeeds)],
  ["--node-memory", ofParts],
  ["--warmup", {}],
  ["--cooldown", { order: inOrder }],
  ["--from", {}],
  ["--to", {}],
  ["--scale-cores", {}],
  ["--scale-memory", {}],
  [
    "--machine-memory-unit",
    on(["pool", "farm"], refused("a farm file tells the unit of every amount itself")),
  ],
  [
    "--leave-out-down",
    on(
      ["pool", "farm"],
      refused("a farm file says so itself: leaveOutDown: true beside its list of machines"),
    ),
  ],
  ["--schedule", {}],
  ["--out", {}],
  ["--figures", {}],
  ["--json", {}],
];

const columns: readonly (readonly [name: string, limits: Limits])[] = [
  ["tasks", { order: refused("the order-driven clock is for jobs of one slot") }],
  ["policy", { shared: noCycles }],
  ["requires", on(ofNodes, alikeNodes)],
  ["priority", { order: nobodySuspended, single: nobodySuspended, ...on(ofNodes, alikeNodes) }],
  [
    "group",
    { machines: noOwners, order: nobodySuspended, single: nobodySuspended, ...on(ofNodes, alikeNodes) },
  ],
  ["pools", { machines: onePool, ...on(ofNodes, onePool) }],
  ["restart_pools", { ...on(["machines", "pool"], onePool), ...on(ofNodes, onePool) }],
  ["site", { machines: onePool, ...on(ofNodes, onePool) }],
  ["licences", { machines: noLicences, ...on(ofNodes, alikeNodes) }],
];

const without = (option: string): Limit => refused(`it has no ${option}`);
const ofStudies: Limits = { packing: without("--packing"), order: without("--clock") };
const withoutPreset: Limits = { single: without("--preset") };
const ofStudiesOfOnePool: Limits = { ...on(["pool", "farm"], without("--farm")), ...ofStudies };
const policiesOnly: Limits = on(ofNodes, refused("it compares policies of a pool"));
const heuristicsOnly: Limits = on(ofNodes, refused("it compares heuristics of a pool"));
const severalPools = refused("it needs several pools");
const commands: readonly (readonly [name: string, limits: Limits])[] = [
  ["simulate", {}],
  [
    "explain",
    on(ofNodes, refused("only runs of a pool that gives out cores and memory in cycles can be explained")),
  ],
  ["shares", on(ofNodes, refused("only pools that give out cores and memory in cycles have shares"))],
  ["study load", { ...ofStudiesOfOnePool, ...policiesOnly }],
  ["study buckets", { ...ofStudiesOfOnePool, ...withoutPreset, ...heuristicsOnly }],
  ["study optimum", { ...ofStudiesOfOnePool, ...withoutPreset, ...policiesOnly }],
  [
    "study packing",
    { ...on(["pool", "farm"], without("--farm")), ...withoutPreset, ...on(ofNodes, noFamilies) },
  ],
  [
    "study rescheduling",
    { ...on(["machines", "pool", ...ofNodes], severalPools), ...ofStudies, ...withoutPreset },
  ],
  ["study online", { ...on(ofPools.slice(1), refused("it studies equal nodes on a list of machines")) }],
];

/** The table, in the order of its page. */
export const combinations: readonly Combination[] = [
  ...Object.values(policyRows),
  ...options.map(([name, limits]) => ({ what: "option", name, limits }) as const),
  ...columns.map(([name, limits]) => ({ what: "column", name, limits }) as const),
  ...commands.map(([name, limits]) => ({ what: "command", name, limits }) as const),
];

const byName = new Map(combinations.map((row) => [`${row.what} ${row.name}`, row]));

/** Why an option, a column or a command does not work in one of these kinds of run; null if it works in all. */
export function limitOf(
  what: "option" | "column" | "command",
  name: string,
  kinds: readonly RunKind[],
): Limit | null {
  const row = byName.get(`${what} ${name}`);
  if (row === undefined) throw new Error(`no ${what} ${name} in the table of combinations`);
  return firstLimit(row.limits, kinds);
}

/** A refusal has precedence over a remark. */
function firstLimit(limits: Limits, kinds: readonly RunKind[]): Limit | null {
  const found = kinds.map((kind) => limits[kind]).filter((limit) => limit !== undefined);
  return found.find((limit) => "refused" in limit) ?? found[0] ?? null;
}

/** The settings that determine the kinds of a run. */
type KindSettings = Pick<SimulationSettings, "policy" | "packing" | "clock" | "eventOrder">;

/** The kinds of a run. */
export function kindsOfRun(
  where: Machines | Farm,
  settings: KindSettings,
  isInParts: boolean,
): readonly RunKind[] {
  const policy = policyKind(settings, isInParts);
  return policy === "pool" ? poolKinds(where, settings) : [policy];
}

function poolKinds(where: Machines | Farm, { packing, clock, eventOrder }: KindSettings): RunKind[] {
  return [
    "pools" in where ? (where.pools.length === 1 ? "pool" : "farm") : "machines",
    ...(packing === null ? [] : (["packing"] as const)),
    ...(clock === "order" ? (["order"] as const) : []),
    ...(eventOrder === "single" ? (["single"] as const) : []),
  ];
}

/**
 * The kind of a run's policy.
 *
 * @param isInParts whether the log's jobs ask for parts of nodes: then every policy gives out nodes
 */
export function policyKind({ policy }: KindSettings, isInParts: boolean): keyof typeof policyRows {
  const family = typeof policy === "string" ? nodePoliciesOf(policy) : undefined;
  return family?.kind ?? (isInParts ? "whole" : "pool");
}

/**
 * Refuses a policy that is for another kind of run, as the table says.
 *
 * @throws InputError with the reason
 */
export function refusePolicy(where: Machines | Farm, settings: KindSettings, isInParts: boolean): void {
  // What was asked for on top of the place comes first.
  const kinds = poolKinds(where, settings).toReversed();
  const limit = firstLimit(policyRows[policyKind(settings, isInParts)].limits, kinds);
  if (limit === null || !("refused" in limit)) return;
  const { policy } = settings;
  const subject =
    policy === null ? "the log's jobs ask for parts of nodes" : `policy ${nameOfPolicy(policy)}`;
  throw new InputError(`${subject}: ${limit.refused}`);
}

/**
 * Refuses settings that do not go together, as the table says.
 *
 * @throws InputError with the reason
 */
export function refuseCombinations(
  where: Machines | Farm,
  settings: SimulationSettings,
  isInParts: boolean,
): void {
  refusePolicy(where, settings, isInParts);
  const kinds = kindsOfRun(where, settings, isInParts);
  const given: readonly (readonly [string, boolean])[] = [
    ["--beta", settings.beta !== 1],
    ["--load", settings.load !== null],
    ["--interval", settings.intervalSeconds !== null && settings.eventOrder !== "single"],
    ["--cooldown", settings.cooldownSeconds > 0],
    ["--preset pyss", settings.eventOrder === "single"],
    ["--clock order", settings.clock === "order"],
    ["--queue", settings.queuedJobs !== null],
    ["--failures", settings.failures !== null],
    ["--packing", settings.packing !== null],
    ["--strategy", settings.strategy !== null],
    ["--routing", settings.routing !== null],
    ["--pool-detail", settings.poolDetail],
    ["--node-speeds", settings.nodeSpeeds !== null],
  ];
  for (const [option, isGiven] of given) {
    const limit = isGiven ? limitOf("option", option, kinds) : null;
    if (limit !== null && "refused" in limit) throw new InputError(`${option}: ${limit.refused}`);
  }
}
