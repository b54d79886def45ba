import { simulate, type PackingChoice } from "../../../simulation/index.ts";
import type { Machines, Workload } from "../../../workload/index.ts";
import { workloadOf } from "../../../workload/workload-of.ts";

const HOUR = 3600;
/** How long the packed jobs run. The farm is locked for that time, less the time in which the other jobs still run. */
const PACKED_SECONDS = 10 * 24 * HOUR;
const ORDINARY_SECONDS = 2 * HOUR;

/** The outcome of the constructed sequence under one policy. */
export interface LockOutcome {
  readonly policy: PackingChoice["policy"];
  /** Absent where reservations never expire, or there are none. */
  readonly ttlSeconds?: number;
  /** How long slots are free and jobs wait, and none starts. */
  readonly lockedSeconds: number;
  /** Slots that are free at the end of it, ÷ all slots. */
  readonly idleShare: number;
}

/**
 * The sequence of Dal Pra 2014, section 4, that locks a farm: ordinary jobs on all
 * slots of every node but one, then one packed job a node, then ordinary jobs
 * only. The first ordinary jobs end after two hours, the packed after ten days.
 */
function lockWorkload({ count: nodes, coresMilli }: Machines): Workload {
  const slots = coresMilli[0]! / 1000;
  const first = nodes * (slots - 1);
  const jobs = first + nodes + first;
  const isPacked = (row: number): boolean => row >= first && row < first + nodes;
  return workloadOf({
    name: "lock (synthetic)",
    synthetic: true,
    submitSeconds: Float64Array.from({ length: jobs }, (_, row) => row),
    runtimeSeconds: Float64Array.from({ length: jobs }, (_, row) =>
      isPacked(row) ? PACKED_SECONDS : ORDINARY_SECONDS,
    ),
    coresMilli: new Int32Array(jobs).fill(1000),
    queue: {
      names: ["other", "packed"],
      codes: Int32Array.from({ length: jobs }, (_, row) => (isPacked(row) ? 1 : 0)),
    },
  });
}

/** Runs the sequence under the order-driven clock. */
export function runLock(
  machines: Machines,
  { policy, ttlSeconds }: Pick<PackingChoice, "policy" | "ttlSeconds">,
): LockOutcome {
  const workload = lockWorkload(machines);
  const { schedule } = simulate(workload, machines, {
    policy: "worse-fit-cores",
    clock: "order",
    packing: { policy, ttlSeconds, families: [{ field: "queue", values: ["packed"] }] },
  });
  const { startSeconds } = schedule;
  const slots = machines.coresMilli[0]! / 1000;
  const waited = machines.count * slots;
  const unlocked = startSeconds[waited]!;
  // The order-driven clock looks one second after a job's end.
  const firstFree = startSeconds[0]! + ORDINARY_SECONDS + 1;
  let busy = 0;
  for (let row = 0; row < waited; row++) {
    if (startSeconds[row]! + workload.runtimeSeconds[row]! >= unlocked - 1) busy++;
  }
  return {
    policy,
    ...(policy === "exclusive" && ttlSeconds !== Infinity ? { ttlSeconds } : {}),
    lockedSeconds: unlocked - firstFree,
    idleShare: 1 - busy / (machines.count * slots),
  };
}
