import type { Limit } from "../limits/limits.ts";
import { HOLDING, STOPPING } from "../jobs/engine-jobs.ts";
import {
  FREE,
  HELD,
  IN_TRANSFER,
  KILLING,
  RESUMING,
  STARTING,
  STATES,
  UNASSIGNED,
  WAITING,
} from "../jobs/job-states.ts";
import { StateCounts } from "../jobs/transition.ts";
import { REMOVED, RESERVED } from "../machines/machine-state.ts";
import { NONE } from "../none.ts";
import type { Port } from "./port.ts";
import type { PoolManager } from "../engine/pool-manager.ts";

/** Where the engine's books differ from a plain recount over its jobs; empty if they agree. */
export function wrongInBooks(port: Port): string[] {
  const wrong: string[] = [];
  const { state, jobs } = port["engineJobs"];
  let unassigned = 0;
  const counted = new StateCounts(port["pools"].length);
  for (let job = 0; job < state.length; job++) {
    if (state[job] === FREE) continue;
    counted.count(state[job], port["engineJobs"].pool[job], 1);
    if (state[job] === UNASSIGNED) unassigned++;
    const isPlaced = jobs.placement[job] !== NONE;
    const isWithout = [WAITING, UNASSIGNED, HELD, IN_TRANSFER].includes(state[job]);
    if (isPlaced === isWithout)
      wrong.push(`job ${job} in state ${state[job]} has ${isPlaced ? "" : "no "}machines`);
  }
  const { counts } = port["engineJobs"];
  for (let each = FREE; each < STATES; each++)
    for (let pool = NONE; pool < port["pools"].length; pool++)
      if (counts.ofPool(pool, each) !== counted.ofPool(pool, each) || counts.of(each) !== counted.of(each))
        wrong.push(
          `${counts.ofPool(pool, each)} jobs in state ${each} in pool ${pool}, counted ${counted.ofPool(pool, each)}`,
        );
  if (unassigned !== port["engineJobs"].unassigned)
    wrong.push(`${port["engineJobs"].unassigned} wait at virtual pools, ${unassigned} do`);
  wrong.push(...wrongLimits(port));
  for (const manager of port["pools"])
    wrong.push(...wrongInPool(port, manager).map((text) => `pool ${manager.number}: ${text}`));
  return wrong;
}

/** What counts against limits is what is on machines, of all pools. */
function wrongLimits(port: Port): string[] {
  const limits = port["pools"][0]?.pool.licences?.limits ?? null;
  if (limits === null) return [];
  const { jobs, state } = port["engineJobs"];
  const used = new Map<number, { jobs: number; cores: number; most: Limit }>();
  for (let job = 0; job < state.length; job++) {
    const account = jobs.kinds.account[jobs.kind[job]];
    if (state[job] === FREE || jobs.placement[job] === NONE || account === 0) continue;
    for (const most of limits["of"](account)) {
      const known = used.get(most.counted) ?? { jobs: 0, cores: 0, most };
      used.set(most.counted, known);
      known.jobs++;
      known.cores += jobs.coresOf(job) * jobs.tasksOf(job);
    }
  }
  const wrong: string[] = [];
  for (const counted of new Set([...used.keys(), ...limits["jobs"].keys()])) {
    const should = used.get(counted);
    const is = { jobs: limits["jobs"][counted] ?? 0, cores: limits["cores"][counted] ?? 0 };
    if (is.jobs !== (should?.jobs ?? 0) || is.cores !== (should?.cores ?? 0))
      wrong.push(`limit ${counted} counts ${is.jobs} jobs and ${is.cores} cores`);
    if (is.jobs > (should?.most.jobs ?? 0) || is.cores > (should?.most.cores ?? 0))
      wrong.push(`above limit ${counted}: ${is.jobs} jobs, ${is.cores} cores`);
  }
  return wrong;
}

function wrongInPool(port: Port, manager: PoolManager): string[] {
  const wrong: string[] = [];
  const engineJobs = port["engineJobs"];
  const { jobs, state, hold } = engineJobs;
  const { machines } = manager.pool;
  const expect = (what: string, is: number, should: number): void => {
    if (is !== should) wrong.push(`${what} is ${is}, counted ${should}`);
  };
  const freeCores = [...machines.capacityCores];
  const freeMemory = [...machines.capacityMemory];
  const freeGpu = [...machines.capacityGpu];
  const stopping = freeCores.map(() => 0);
  const suspendedHere = freeCores.map(() => 0);
  const on = freeCores.map((): number[] => []);
  const { licences } = manager.pool;
  const freeLicences = [...(licences?.counts ?? [])];
  const awaitedLicences = freeLicences.map(() => 0);
  const heldBy = new Map<number, number>();
  const waiting: number[] = [];
  let waitingCores = 0;
  let waitingWork = 0n;
  let suspended = 0;
  const isPreemptive = manager.preemption !== null;
  for (let job = 0; job < state.length; job++) {
    if (state[job] === FREE || engineJobs.pool[job] !== manager.number) continue;
    if (state[job] === WAITING) {
      waiting.push(job);
      const cores = jobs.coresOf(job) * jobs.tasksOf(job);
      waitingCores += cores;
      const seconds = Math.min(jobs.estimateSeconds[job], 2 ** 31);
      if (jobs.estimateSeconds[job] < Infinity) waitingWork += BigInt(Math.round(cores * seconds));
      for (const { licence, count } of licences?.askedBy(jobs.kind[job]) ?? [])
        awaitedLicences[licence] += count;
    }
    if (jobs.placement[job] !== NONE && (!isPreemptive || hold[job] === HOLDING))
      heldBy.set(
        jobs.project[job],
        (heldBy.get(jobs.project[job]) ?? 0) + jobs.coresOf(job) * jobs.tasksOf(job),
      );
    // Also while it is suspended.
    if (jobs.placement[job] !== NONE)
      for (const { licence, count } of licences?.askedBy(jobs.kind[job]) ?? [])
        freeLicences[licence] -= count;
    const isHolding = !isPreemptive || hold[job] === HOLDING;
    if (jobs.placement[job] !== NONE && !isHolding) suspended++;
    let tasks = 0;
    for (const entry of manager.placed.placementOf(job)) {
      const { machine } = entry;
      tasks += entry.tasks;
      on[machine].push(job);
      if (isHolding) {
        freeCores[machine] -= jobs.coresOf(job) * entry.tasks;
      } else {
        suspendedHere[machine]++;
        if (hold[job] === STOPPING) stopping[machine]++;
      }
      if (!isHolding && engineJobs.keepsMemory[job] === 0) continue;
      freeMemory[machine] -= jobs.memoryOf(job) * entry.tasks;
      freeGpu[machine] -= jobs.gpuOf(job) * entry.tasks;
    }
    if (tasks !== 0) expect(`tasks of job ${job}`, tasks, jobs.tasksOf(job));
    if (isPreemptive && tasks > 0) {
      const isListed = manager.machineJobs!.isListedAsRunning(job);
      if (isListed !== isHolding) wrong.push(`job ${job} is ${isListed ? "" : "not "}listed as running`);
    }
    if (engineJobs.unread[job] !== 0 && ![STARTING, RESUMING, KILLING].includes(state[job]))
      wrong.push(`job ${job} in state ${state[job]} has an unread decision`);
  }
  let totalFree = 0;
  for (let machine = 0; machine < machines.count; machine++) {
    const at = `of machine ${machine}`;
    expect(`free cores ${at}`, machines.freeCores[machine], freeCores[machine]);
    expect(`free memory ${at}`, machines.freeMemory[machine], freeMemory[machine]);
    expect(`free GPUs ${at}`, machines.freeGpu[machine], freeGpu[machine]);
    expect(`stopping ${at}`, manager.suspensions.stopping[machine], stopping[machine]);
    if (machines.closed[machine] === 0) totalFree += Math.max(0, freeCores[machine]);
    if ((machines.closed[machine] & RESERVED) !== 0)
      wrong.push(`machine ${machine} is reserved between cycles`);
    if ((machines.closed[machine] & REMOVED) !== 0 && on[machine].length > 0)
      wrong.push(`machine ${machine} was removed, and jobs ${on[machine].join()} are on it`);
    if (!isPreemptive) continue;
    expect(
      `suspended ${at}`,
      manager.preemption.resumption["suspendedHere"][machine],
      suspendedHere[machine],
    );
    if (!manager.machineJobs!.isListed) continue;
    const residents = [...manager.machineJobs!.on(machine)].sort((a, b) => a - b).join();
    const counted = [...new Set(on[machine])].sort((a, b) => a - b).join();
    if (residents !== counted) wrong.push(`on machine ${machine} are jobs ${counted}, listed ${residents}`);
  }
  expect("free cores in all", machines.totalFreeCores, totalFree);
  freeLicences.forEach((free, licence) => {
    expect(`free of licence ${licence}`, licences!.free[licence], free);
    if (free < 0) wrong.push(`more of licence ${licence} is in use than there is: ${-free}`);
    if (manager["isRouted"])
      expect(`awaited of licence ${licence}`, licences!.awaited[licence], awaitedLicences[licence]);
  });
  const { usage } = manager.pool;
  if (usage?.settings.of === "cores")
    usage["tree"].leafOf.forEach((leaf, project) =>
      expect(`cores held by project ${project}`, usage["held"][leaf], heldBy.get(project) ?? 0),
    );
  expect("suspended jobs", manager.suspensions.count, suspended);
  expect("length of the queue", manager.pool.waiting, waiting.length);
  if (manager["isRouted"]) {
    expect("waiting cores", manager.waitingCores, waitingCores);
    expect("waiting work", manager["work"].total, Number(waitingWork));
  }
  const queue = manager.pool["queue"];
  const queued: number[] = [];
  queue.begin();
  for (let job = queue.next(); job !== NONE; job = queue.next()) queued.push(job);
  if (queued.sort((a, b) => a - b).join() !== waiting.join())
    wrong.push(`in the queue are ${queued.join()}, waiting ${waiting.join()}`);
  return wrong;
}
