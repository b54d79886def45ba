import { readAccess, readResources, type AccessSettings } from "../engines/kubernetes/settings.ts";
import { Settings } from "../engines/settings.ts";
import { InputError, type Farm, type PhysicalPool } from "../../workload/index.ts";

/** A pool of a farm file that is a cluster whose pods are scheduled, whoever made them. */
export interface Plan extends AccessSettings {
  readonly pool: PhysicalPool;
  readonly schedulerName: string;
  /** Labels that a node has to have to be a machine of the pool. */
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly gpuResource: string;
  /** The label of pods that names their family; null: there are no families. */
  readonly familyLabel: string | null;
  /** How families are kept together; null: there are none. */
  readonly packing: "relaxed" | "exclusive" | null;
  /** The rule that chooses whom to evict for a pod of higher priority; null: nobody is. */
  readonly victim: string | null;
}

/** What a pool of a farm file may have that would have no effect here. */
const WITHOUT_EFFECT = ["shares", "usage", "licences", "gpus", "hooks"] as const;

/**
 * The pool whose pods are scheduled.
 *
 * @param name of the pool; null: there is only one
 * @throws {InputError} where there is none, or its farm file asks for what is not done here
 */
export function planOf(farm: Farm, name: string | null): Plan {
  const pools = farm.pools.filter(({ engine }) => engine?.settings["schedule"] === "all");
  const pool = name === null ? pools[0] : pools.find((each) => each.name === name);
  if (pool === undefined)
    throw new InputError(
      `${name === null ? "no pool" : `pool ${name}: it`} has engine: { kind: kubernetes, schedule: all }: pods are scheduled for one that has`,
    );
  if (name === null && pools.length > 1)
    throw new InputError(
      `several pools schedule pods: name one by --pool: ${pools.map((each) => each.name).join(", ")}`,
    );
  const refuse = (what: string): never => {
    throw new InputError(`pool ${pool.name}: ${what}`);
  };
  if (pool.engine?.kind !== "kubernetes") refuse("schedule: all is of the engine kubernetes");
  for (const field of WITHOUT_EFFECT)
    if (pool[field] !== undefined && pool[field] !== null)
      refuse(`${field} has no effect on pods of others: leave it out`);
  if (pool.groups.length > 0) refuse("its machines are the cluster's nodes: leave groups out");
  const { victim } = farm.preemption;
  const mayEvict = pool.engine?.settings["evict"] === true;
  if (mayEvict !== (victim !== null))
    refuse(
      mayEvict
        ? "evict: true has no effect under preemption: { victim: none }: leave one of them out"
        : "pods of others are evicted for those of higher priority only where that is allowed: say preemption: { victim: none } in the file, or evict: true in the engine's settings",
    );
  if (farm.limits !== undefined || farm.reservations !== undefined)
    refuse("limits and reservations have no effect on pods of others: leave them out of the file");
  try {
    return readPlan(pool, victim);
  } catch (error) {
    if (error instanceof InputError) refuse(error.message);
    throw error;
  }
}

const LABEL = /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?\/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;

function readPlan(pool: PhysicalPool, victim: string | null): Plan {
  const settings = new Settings("kubernetes", pool.engine!.settings);
  settings.choice("schedule", ["all"], "all");
  settings.flag("evict", false);
  const familyLabel = settings.text("familyLabel");
  if (familyLabel !== null && !LABEL.test(familyLabel))
    throw settings.wrong("familyLabel", "give the name of a label of pods, such as example.org/flow");
  const packing = settings.choice(
    "packing",
    ["relaxed", "exclusive", "none"],
    familyLabel === null ? "none" : "relaxed",
  );
  if ((familyLabel === null) !== (packing === "none"))
    throw settings.wrong(
      "packing",
      "it is for pods that have families: give familyLabel and packing, or none of them",
    );
  const schedulerName = settings.text("schedulerName") ?? "croft";
  if (!/^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/.test(schedulerName) || schedulerName === "default-scheduler")
    throw settings.wrong("schedulerName", "give a name that no other scheduler has, such as croft");
  const plan: Plan = {
    pool,
    ...readAccess(settings),
    ...readResources(settings),
    schedulerName,
    familyLabel,
    packing: packing === "none" ? null : packing,
    victim,
  };
  settings.done();
  return plan;
}
