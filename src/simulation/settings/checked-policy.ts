import {
  type DelayName,
  delayNames,
  FairShareQueue,
  ORDINARY,
  type Finder,
  type Heuristic,
  type Indexes,
  type Joining,
  type Plan,
  type Policy,
  type PolicyContext,
  type PolicyKind,
  type PromiseView,
  type WaitQueue,
} from "../../core/index.ts";
import { InputError } from "../../workload/index.ts";

/**
 * A policy of one's own. The run ends with a message as soon as its plan cannot be carried out: a job that does not
 * wait, a machine that it may not use or that has no room, or resources that were not taken.
 *
 * @param file the plugin that it comes from
 */
export function checkedPolicy(kind: PolicyKind, file?: string): PolicyKind {
  const refuse = (problem: string): never => {
    throw new InputError(`policy ${kind.name} ${problem}`, file === undefined ? {} : { file });
  };
  return {
    ...plainObject(kind, policyFields),
    ...(kind.withList === undefined
      ? {}
      : { withList: (list: readonly Heuristic[]) => checkedPolicy(kind.withList!(list), file) }),
    create(context: PolicyContext, heuristic: Heuristic): Policy {
      const told = new Set<number>();
      const own = { ...context, queue: tellingQueue(context.queue, told) };
      const policy = kind.create(own, heuristic) as Partial<Policy> | null | undefined;
      if (typeof policy?.cycle !== "function") return refuse("creates no object with a function cycle");
      for (const name of ["waits", "leaves", "finished", "joined"] as const)
        if (policy[name] !== undefined && typeof policy[name] !== "function")
          refuse(`creates an object whose ${name} is no function`);
      const { promised } = policy;
      if (promised !== undefined)
        for (const name of ["firstSeconds", "broken"] as const)
          if (typeof promised?.[name] !== "function")
            refuse(`creates an object whose promised has no function ${name}`);
      if (promised?.delayOf !== undefined && typeof promised.delayOf !== "function")
        refuse("creates an object whose promised.delayOf is no function");
      return checked(policy as Policy, context, told, refuse);
    },
  };
}

const policyFields = [
  "name",
  "summary",
  "takesHeuristic",
  "needsEstimates",
  "plansOnPredictions",
  "needsMemory",
  "reactsToEvents",
  "heedsLimits",
  "heedsLicences",
] as const;

/** A heuristic of one's own. The run ends with a message where a score is no finite number, or the machine was changed. */
export function checkedHeuristic(heuristic: Heuristic, file?: string): Heuristic {
  const refuse = (problem: string): never => {
    throw new InputError(`heuristic ${heuristic.name} ${problem}`, file === undefined ? {} : { file });
  };
  return {
    ...plainObject(heuristic, ["name", "aliases", "summary", "needsMemory", "keepsChoice", "amongEquals"]),
    score(machines, machine, cores, memory, gpu) {
      const { freeCores, freeMemory, freeGpu, closed } = machines;
      const before = [freeCores[machine], freeMemory[machine], freeGpu[machine], closed[machine]];
      const value = heuristic.score(machines, machine, cores, memory, gpu);
      if (
        before[0] !== freeCores[machine] ||
        before[1] !== freeMemory[machine] ||
        before[2] !== freeGpu[machine] ||
        before[3] !== closed[machine]
      )
        return refuse(`changes machine ${machine} while it scores it: it may only read`);
      if (Number.isFinite(value)) return value;
      return refuse(`gives machine ${machine} the score ${String(value)}: it must be a finite number`);
    },
    ...(heuristic.index === undefined
      ? {}
      : {
          index(indexes: Indexes): Finder {
            if (typeof heuristic.index !== "function") return refuse("has an index that is no function");
            const finder = heuristic.index(indexes) as unknown;
            return typeof finder === "function"
              ? (finder as Finder)
              : refuse("has an index that gives no function");
          },
        }),
  };
}

/** A fair-share queue that writes down which jobs it was told of. No other queue's order depends on that. */
function tellingQueue(queue: WaitQueue, told: Set<number>): WaitQueue {
  if (!(queue instanceof FairShareQueue)) return queue;
  return {
    get length() {
      return queue.length;
    },
    isByArrival: queue.isByArrival,
    begin: () => queue.begin(),
    next: () => queue.next(),
    placed(job: number) {
      told.add(job);
      queue.placed(job);
    },
    add: (job) => queue.add(job),
    remove: (job) => queue.remove(job),
    started: (job, now) => queue.started(job, now),
    finished: (job, now) => queue.finished(job, now),
  };
}

/** @param told the jobs that the queue was told of in this cycle, under fair share */
function checked(
  policy: Policy,
  context: PolicyContext,
  told: Set<number>,
  refuse: (problem: string) => never,
): Policy {
  const waiting = new Set<number>();
  return {
    cycle(now: number, plan: Plan) {
      const before = freeResources(context);
      const reservedTo = context.reserving?.reservedTo.slice() ?? null;
      told.clear();
      policy.cycle(now, plan);
      if (context.queue instanceof FairShareQueue)
        for (let entry = 0; entry < plan.length; entry++)
          if (!told.has(plan.job[entry]))
            refuse(
              `starts a job without telling the queue (handle ${plan.job[entry]}): call context.queue.placed(job), by which fair share decides who is next`,
            );
      const problem = problemOf(plan, before, reservedTo, waiting, context);
      if (problem !== null) refuse(problem);
    },
    waits(job: number) {
      waiting.add(job);
      policy.waits?.(job);
    },
    leaves(job: number) {
      waiting.delete(job);
      policy.leaves?.(job);
    },
    ...(policy.finished === undefined ? {} : { finished: (job: number) => policy.finished!(job) }),
    ...(policy.suspended === undefined
      ? {}
      : { suspended: (job: number, keepsMemory: boolean) => policy.suspended!(job, keepsMemory) }),
    ...(policy.suspensionEnds === undefined
      ? {}
      : { suspensionEnds: (job: number) => policy.suspensionEnds!(job) }),
    ...(policy.joined === undefined
      ? {}
      : { joined: (job: number, now: number, how: Joining) => policy.joined!(job, now, how) }),
    get nextChange() {
      return policy.nextChange ?? Infinity;
    },
    ...(policy.promised === undefined ? {} : { promised: checkedPromises(policy.promised, refuse) }),
    get winners() {
      return policy.winners!;
    },
  };
}

function checkedPromises(promises: PromiseView, refuse: (problem: string) => never): PromiseView {
  const reasons: readonly unknown[] = delayNames.slice(1);
  const delayOf = (job: number): DelayName | null => {
    const delay = promises.delayOf!(job);
    if (delay === null || reasons.includes(delay)) return delay;
    return refuse(`says that a promise was broken by "${delay}": a reason is ${reasons.join(", ")}, or null`);
  };
  return {
    ...(promises.delayOf === undefined ? {} : { delayOf }),
    firstSeconds(job: number) {
      const seconds: unknown = promises.firstSeconds(job);
      if (typeof seconds === "number") return seconds;
      return refuse(`gives a job the first promise ${String(seconds)}: it must be a number, NaN for none`);
    },
    broken() {
      const counts = promises.broken();
      for (const [reason, jobs] of counts)
        if (!reasons.includes(reason) || typeof jobs !== "number")
          refuse(
            `counts ${String(jobs)} jobs whose promise was broken by "${reason}": a reason is ${reasons.join(", ")}`,
          );
      return counts;
    },
  };
}

/** What is free on each machine: cores, memory, GPUs. */
function freeResources({ machines }: PolicyContext): Int32Array[] {
  return [machines.freeCores, machines.freeMemory, machines.freeGpu].map((free) => free.slice());
}

/**
 * What is wrong with a plan; null if nothing is.
 *
 * @param before what was free on each machine
 * @param reservedTo the family that each machine was reserved for; null if none ever is
 */
function problemOf(
  plan: Plan,
  before: readonly Int32Array[],
  reservedTo: Uint8Array | null,
  waiting: ReadonlySet<number>,
  context: PolicyContext,
): string | null {
  const { jobs, machines, allowed } = context;
  const { kinds } = jobs;
  const seen = new Set<number>();
  const isOpenTo = (family: number, machine: number): boolean =>
    reservedTo === null || reservedTo[machine] === ORDINARY || reservedTo[machine] === family;
  for (let start = 0; start < plan.length;) {
    const job = plan.job[start];
    if (!waiting.has(job)) return `starts a job that does not wait (handle ${job})`;
    if (seen.has(job)) return `starts a job twice in one cycle (handle ${job})`;
    seen.add(job);
    const kind = jobs.kind[job];
    const family = kinds.family[kind];
    let tasks = 0;
    let entry = start;
    for (; entry < plan.length && plan.job[entry] === job; entry++) {
      const machine = plan.machine[entry];
      if (machine < 0 || machine >= machines.count)
        return `puts a job on machine ${machine}, and the pool has the machines 0 to ${machines.count - 1}`;
      if (!machines.isInService(machine) || !allowed.suitsKind(kind, machine) || !isOpenTo(family, machine))
        return `puts a job on machine ${machine}, which it may not use`;
      // The plan itself reserves machines for the families whose jobs it puts there.
      if (reservedTo !== null && family !== ORDINARY) reservedTo[machine] = family;
      if (plan.tasks[entry] < 1) return `puts ${plan.tasks[entry]} tasks of a job on machine ${machine}`;
      tasks += plan.tasks[entry];
      before[0][machine] -= kinds.cores[kind] * plan.tasks[entry];
      before[1][machine] -= kinds.memory[kind] * plan.tasks[entry];
      before[2][machine] -= kinds.gpu[kind] * plan.tasks[entry];
    }
    if (tasks !== jobs.tasksOf(job)) return `starts ${tasks} tasks of a job of ${jobs.tasksOf(job)}`;
    start = entry;
  }
  const after = freeResources(context);
  for (let machine = 0; machine < machines.count; machine++)
    for (const resource of [0, 1, 2]) {
      if (before[resource][machine] < 0) return `puts more on machine ${machine} than there is room for`;
      if (before[resource][machine] !== after[resource][machine])
        return `takes other resources from machine ${machine} than its plan says: place jobs with context.placer.place`;
    }
  return null;
}

/**
 * The fields of an object that a program or a plugin has made, as a plain object. The object itself may be frozen, or of
 * a class with private fields, so it can neither be changed nor wrapped.
 */
export function plainObject<T extends object, F extends keyof T>(made: T, fields: readonly F[]): Pick<T, F> {
  const plain: Partial<Pick<T, F>> = {};
  for (const field of fields) {
    const value: unknown = made[field];
    if (value === undefined) continue;
    plain[field] = (typeof value === "function" ? value.bind(made) : value) as T[F];
  }
  return plain as Pick<T, F>;
}
