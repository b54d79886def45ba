import {
  RESUMING,
  RUNNING,
  STARTING,
  SUSPENDED,
  SUSPENDING,
  UNASSIGNED,
  WAITING,
  type EngineSettings,
  type Port,
} from "../../src/core/index.ts";

/**
 * The first reason of a waiting job by the table of docs/explain.md, counted plainly: machine by machine, job by job,
 * from what each asks for. It shares no code with what the engine notes.
 *
 * It is for a farm whose jobs stand: the last cycle has let none start. Tokens that follow from room that a policy
 * keeps are told by the policy's name alone.
 */
export function tokensByTheBook(port: Port, settings: EngineSettings, number: number): string[] {
  const job = port.handleOf(number);
  const { jobs } = port.view;
  if (jobs.stateOf(job) !== UNASSIGNED) return tokensIn(port, settings, number, jobs.poolOf(job));
  // What keeps it out of every pool, and else that none has room.
  const each = port.view.poolsFor(job).map((pool) => tokensIn(port, settings, number, pool));
  const isEverywhere = (...tokens: string[]): boolean =>
    each.every((some) => some.some((token) => tokens.includes(token)));
  for (const token of ["limit", "licence"]) if (isEverywhere(token)) return [token];
  return [
    isEverywhere("drained", "no-machine") && each.flat().includes("drained") ? "drained" : "no-pool-has-room",
  ];
}

function tokensIn(port: Port, settings: EngineSettings, number: number, pool: number): string[] {
  const { jobs, pools } = port.view;
  const job = port.handleOf(number);
  const {
    policy,
    groups,
    licences,
    suspend,
    shares,
    usage,
    examined = Infinity,
    packing,
  } = settings.pools[pool];
  const { machines } = pools[pool];
  const asked = jobs.requestOf(job);

  // Who is before it: its group's machines first, then priority, then arrival.
  const before = (other: number): boolean => {
    const owns = (each: number): number => (pools[pool].hasOwner(jobs.ownerOf(each)) ? 1 : 0);
    if (owns(other) !== owns(job)) return owns(other) > owns(job);
    if (jobs.priorityOf(other) !== jobs.priorityOf(job)) return jobs.priorityOf(other) > jobs.priorityOf(job);
    return jobs.arrivalOf(other) < jobs.arrivalOf(job);
  };
  const here = [...jobs].filter((each) => jobs.poolOf(each) === pool);
  const waiting = here.filter((each) => jobs.stateOf(each) === WAITING);
  const ahead = waiting.filter((each) => each !== job && before(each)).length;
  const isShared = shares !== undefined || usage !== undefined;

  // Free amounts, from the jobs that are there.
  const [cores, memory, gpus] = [
    Array.from(machines.capacityCores),
    Array.from(machines.capacityMemory),
    Array.from(machines.capacityGpu),
  ];
  const left = [...(licences?.counts ?? [])];
  for (const other of here) {
    const state = jobs.stateOf(other);
    const { cores: c, memory: m, gpu: g, licences: l = 0 } = jobs.requestOf(other);
    const holds = [RUNNING, STARTING, RESUMING].includes(state);
    if (!holds && state !== SUSPENDED) continue;
    for (const { licence, count } of licences?.asks(l) ?? []) left[licence] -= count;
    for (const { machine, tasks } of pools[pool].placementOf(other)) {
      if (holds) cores[machine] -= c * tasks;
      if (!holds && suspend !== "cpu-only") continue;
      gpus[machine] -= g * tasks;
      memory[machine] -= m * tasks;
    }
  }
  const lacksLicence = (licences?.asks(asked.licences ?? 0) ?? []).some(
    ({ licence, count }) => left[licence] < count,
  );

  // Of limits all that is on machines of any pool counts.
  const isAbove = (settings.limits?.of(asked.account ?? 0) ?? []).some((limit) => {
    let [count, taken] = [1, asked.cores * asked.tasks];
    for (const other of jobs) {
      if (![RUNNING, STARTING, RESUMING, SUSPENDED, SUSPENDING].includes(jobs.stateOf(other))) continue;
      const { cores: c, tasks, account = 0 } = jobs.requestOf(other);
      if (!settings.limits!.of(account).some(({ counted }) => counted === limit.counted)) continue;
      count++;
      taken += c * tasks;
    }
    return count > limit.jobs || taken > limit.cores;
  });

  // Each machine once.
  const counts = { never: 0, drained: 0, full: 0, room: 0, tasks: 0 };
  let nearest: { short: number; token: string } | null = null;
  for (let machine = 0; machine < machines.count; machine++) {
    const meets = !asked.requirement || groups.meets(asked.requirement, machines.groupOf[machine]);
    const isLarge =
      machines.capacityCores[machine] >= asked.cores &&
      machines.capacityMemory[machine] >= asked.memory &&
      machines.capacityGpu[machine] >= asked.gpu;
    if (!meets || !isLarge) counts.never++;
    else if (!machines.isInService(machine)) counts.drained++;
    else {
      const room = Math.min(
        Math.floor(cores[machine] / asked.cores),
        asked.memory === 0 ? Infinity : Math.floor(memory[machine] / asked.memory),
        asked.gpu === 0 ? Infinity : Math.floor(gpus[machine] / asked.gpu),
      );
      if (room > 0) {
        counts.room++;
        counts.tasks += room;
        continue;
      }
      counts.full++;
      const [c, m, g] = [
        Math.max(0, asked.cores - cores[machine]),
        Math.max(0, asked.memory - memory[machine]),
        Math.max(0, asked.gpu - gpus[machine]),
      ];
      const short = c / asked.cores + m / Math.max(1, asked.memory) + g / Math.max(1, asked.gpu);
      const token = c > 0 ? (m > 0 ? "cores-and-memory" : "cores") : m > 0 ? "memory" : "gpus";
      if (nearest === null || short < nearest.short) nearest = { short, token };
    }
  }

  // The table, from its top.
  const hasRoom = counts.tasks >= asked.tasks;
  const some: string[] = [];
  // A cycle that finds before that nothing more can start does not come to its limit.
  // These policies go through the queue in other orders too.
  const isReordered = isShared || /^(max-|lookahead)/.test(policy.name);
  if (examined < Infinity && (isReordered || ahead >= examined)) some.push("not-examined");
  if (isAbove) return [...some, "limit"];
  if (lacksLicence) return [...some, "licence"];
  if (policy.name === "fcfs" && (ahead > 0 || isShared)) some.push("behind");
  if (policy.name === "fcfs" && ahead > 0 && !isShared) return some;
  if (counts.full + counts.room === 0) return [...some, counts.drained > 0 ? "drained" : "no-machine"];
  // Which machines are reserved to families is not to be seen from outside: any of these may be all that it has left.
  if (packing !== undefined) some.push("family", "cores", "memory", "cores-and-memory", "gpus", "tasks");
  if (usage !== undefined) some.push("share");
  if (!hasRoom) return [...some, nearest?.token ?? "tasks"];
  const byPolicy: Readonly<Record<string, readonly string[]>> = {
    easy: ["would-delay", "kept-free"],
    "easy-sjbf": ["would-delay", "kept-free"],
    conservative: ["promised", "would-delay"],
    // Where it finds no single job that would be delayed it names none.
    backfill: ["promised", "would-delay", "kept-free"],
  };
  return [...some, ...(byPolicy[policy.name.split(":")[0]] ?? ["kept-free"])];
}

/** Jobs that are before a job in its pool's queue; null where shares order it. */
export function aheadByTheBook(port: Port, settings: EngineSettings, number: number): number | null {
  const { jobs, pools } = port.view;
  const job = port.handleOf(number);
  const pool = jobs.poolOf(job);
  if (settings.pools[pool].shares !== undefined || settings.pools[pool].usage !== undefined) return null;
  let count = 0;
  for (const other of jobs) {
    if (other === job || jobs.poolOf(other) !== pool || jobs.stateOf(other) !== WAITING) continue;
    const owns = (each: number): boolean => pools[pool].hasOwner(jobs.ownerOf(each));
    const key = (each: number): number[] => [
      owns(each) ? 0 : 1,
      -jobs.priorityOf(each),
      jobs.arrivalOf(each),
    ];
    const [a, b] = [key(other), key(job)];
    const at = a.findIndex((value, place) => value !== b[place]);
    if (at >= 0 && a[at] < b[at]) count++;
  }
  return count;
}
