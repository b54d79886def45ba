import { doubled } from "../../../core/arrays.ts";
import { NONE } from "../../../core/none.ts";
import { Fillings } from "./fillings.ts";
import { keepNodes, type Dealt } from "./keep-nodes.ts";
import { WHOLE_NODE } from "./nodes.ts";
import { hasNodeForEach } from "./node-for-each.ts";
import { HEAVY_IN_CPU, sortDescending, sortKey } from "./size-order.ts";
import type { OnlineState } from "./state.ts";

const SIZES = WHOLE_NODE + 1;

/**
 * Multi-capacity bin packing (MCB) of tasks with given CPU shares onto the nodes.
 *
 * Tasks that want more CPU than memory are one list, the others a second; each
 * by the larger, then the smaller of the two, then the later job first. One node
 * is filled at a time, from the list that works against its imbalance.
 *
 * Tasks of one size are told apart only once a packing is accepted, and nodes
 * that are filled alike are filled at once: it is tried out a dozen times per
 * decision.
 */
export class JobPacking {
  /** The CPU share to try for a task of each job, by its place in the list that `begin` was given. */
  share = new Int32Array(256);
  private readonly state: OnlineState;
  private job: readonly number[] = [];
  /** Whether a job stays on the nodes it is on; the places of those that do. */
  private stays: readonly boolean[] = [];
  private staying = new Int32Array(256);
  private stayingCount = 0;
  /** What the jobs that stay take of each node. */
  private readonly cpu: Int32Array;
  private readonly memory: Int32Array;
  /** The CPU that each node lacks of the fastest kind's. */
  private readonly missing: Int32Array;

  /** The sizes of a trial, in order of the list that they are in: CPU-heavy, then memory-heavy. */
  private readonly left = new Int32Array(SIZES * SIZES);
  private sizes = new Int32Array(256);
  private sizeCpu = new Int32Array(256);
  private sizeMemory = new Int32Array(256);
  private sizeLeft = new Int32Array(256);
  private heavyInCpu = 0;
  private sizeCount = 0;

  /** What went where. */
  private trial: Fillings;
  private accepted: Fillings;
  private acceptedShare = new Int32Array(256);
  /** In `deal`: the jobs of each size, the later first, and the tasks that each job has left. */
  private readonly firstOfSize = new Int32Array(SIZES * SIZES);
  private nextOfSize = new Int32Array(256);
  private tasksLeft = new Int32Array(256);
  private readonly dealt: Dealt;
  /** The first entry of each job's chain while the plan is made. */
  private chain = new Int32Array(256);
  private readonly keepsNodes: boolean;
  private isRoomy = false;
  private minYield = 0;

  constructor(state: OnlineState, keepsNodes: boolean) {
    this.keepsNodes = keepsNodes;
    this.state = state;
    this.cpu = new Int32Array(state.nodes.count);
    this.missing = state.nodes.capacity.map((capacity) => WHOLE_NODE - capacity);
    this.memory = new Int32Array(state.nodes.count);
    this.trial = new Fillings(state.nodes.count);
    this.accepted = new Fillings(state.nodes.count);
    this.dealt = {
      start: new Int32Array(state.nodes.count + 1),
      job: new Int32Array(256),
      tasks: new Int32Array(256),
    };
  }

  /** @param jobs in order of arrival; those that stay must be planned */
  begin(jobs: readonly number[], stays: readonly boolean[]): void {
    this.job = jobs;
    this.stays = stays;
    while (this.share.length < jobs.length) {
      this.share = doubled(this.share);
      this.acceptedShare = doubled(this.acceptedShare);
      this.staying = doubled(this.staying);
      this.nextOfSize = doubled(this.nextOfSize);
      this.tasksLeft = doubled(this.tasksLeft);
      this.chain = doubled(this.chain);
    }
    this.stayingCount = 0;
    for (let i = 0; i < jobs.length; i++) if (stays[i]) this.staying[this.stayingCount++] = i;
    // Where no job stays nothing is taken, and `placeStaying` leaves them as they are.
    this.cpu.fill(0);
    this.memory.fill(0);
    this.isRoomy = hasNodeForEach(this.state, jobs, stays);
  }

  /**
   * Whether the tasks fit with their present shares. Remembers how, if they do.
   *
   * @param minYield the tasks' yield, 0 to 1: nodes that are slower than that take none
   */
  fits(minYield: number): boolean {
    this.minYield = minYield;
    if (!this.placeStaying() || !(this.isRoomy || this.pack())) return false;
    this.acceptedShare.set(this.share);
    return true;
  }

  /** Makes the last packing that fitted the plan; all other jobs are planned nowhere. */
  apply(): void {
    const { state, job, stays } = this;
    const { jobs, nodes, placements } = state;
    if (this.isRoomy) {
      this.share.set(this.acceptedShare);
      this.placeStaying();
      this.pack();
    }
    const dealt = this.deal();
    const { start, job: inBin, tasks } = dealt;
    const binOn = this.keepsNodes ? keepNodes(state, job, stays, dealt) : null;
    const { chain } = this;
    chain.fill(NONE, 0, job.length);
    for (let node = nodes.count - 1; node >= 0; node--) {
      const bin = binOn === null ? node : binOn[node];
      for (let at = start[bin]; at < start[bin + 1]; at++)
        chain[inBin[at]] = placements.add(node, tasks[at], chain[inBin[at]]);
    }
    nodes.clear();
    for (let i = 0; i < job.length; i++) {
      if (!stays[i]) state.plan(job[i], chain[i]);
      nodes.add(job[i], jobs.planned[job[i]], jobs, placements);
    }
  }

  /** Tells the tasks of one size apart: which job's, and how many, go into each bin of the accepted packing. */
  private deal(): Dealt {
    const { state, job, stays, acceptedShare, accepted } = this;
    const { jobs } = state;
    const { firstOfSize, nextOfSize, tasksLeft, dealt } = this;
    for (let i = 0; i < job.length; i++) firstOfSize[acceptedShare[i] * SIZES + jobs.memory[job[i]]] = NONE;
    for (let i = 0; i < job.length; i++) {
      tasksLeft[i] = jobs.tasks[job[i]];
      const size = acceptedShare[i] * SIZES + jobs.memory[job[i]];
      nextOfSize[i] = firstOfSize[size];
      if (!stays[i]) firstOfSize[size] = i;
    }
    const { start } = dealt;
    const { groups, groupEnd, groupStart, size, tasks } = accepted;
    let bin = 0;
    let count = 0;
    for (let group = 0; group < groups; group++) {
      for (; bin < groupEnd[group]; bin++) {
        start[bin] = count;
        for (let at = groupStart[group]; at < groupStart[group + 1]; at++) {
          for (let toPlace = tasks[at]; toPlace > 0;) {
            const i = firstOfSize[size[at]];
            const placed = Math.min(toPlace, tasksLeft[i]);
            if (count === dealt.job.length) {
              dealt.job = doubled(dealt.job);
              dealt.tasks = doubled(dealt.tasks);
            }
            dealt.job[count] = i;
            dealt.tasks[count++] = placed;
            toPlace -= placed;
            tasksLeft[i] -= placed;
            if (tasksLeft[i] === 0) firstOfSize[size[at]] = nextOfSize[i];
          }
        }
      }
    }
    start.fill(count, bin);
    return dealt;
  }

  /** Packs the tasks that do not stay. Remembers how, if they fit. */
  private pack(): boolean {
    if (!this.collectSizes() || !this.fillNodes()) return false;
    [this.trial, this.accepted] = [this.accepted, this.trial];
    return true;
  }

  /** What the jobs that stay take of each node. False where that is more CPU than a node has. */
  private placeStaying(): boolean {
    const { cpu, memory, job, staying, stayingCount, share, state } = this;
    const { isUniform, capacity } = state.nodes;
    if (stayingCount === 0 && isUniform) return true;
    const { jobs, placements } = state;
    cpu.fill(0);
    if (!isUniform) {
      // What a slow node lacks is as if it were taken; a node too slow for the yield takes nothing.
      cpu.set(this.missing);
      for (let node = 0; node < cpu.length; node++)
        if (100 * this.minYield > capacity[node]) cpu[node] = WHOLE_NODE;
    }
    memory.fill(0);
    let isWithin = true;
    for (let s = 0; s < stayingCount; s++) {
      const i = staying[s];
      const taskMemory = jobs.memory[job[i]];
      for (let entry = jobs.planned[job[i]]; entry !== NONE; entry = placements.after(entry)) {
        const node = placements.machineOf(entry);
        cpu[node] += share[i] * placements.tasksOf(entry);
        memory[node] += taskMemory * placements.tasksOf(entry);
        if (cpu[node] > WHOLE_NODE) isWithin = false;
      }
    }
    return isWithin;
  }

  /** Sorts the tasks into sizes. False where all jobs want more CPU than all nodes have. */
  private collectSizes(): boolean {
    const { job, stays, share, left, state } = this;
    const { jobs } = state;
    let cpuFree = state.nodes.totalCapacity;
    for (let i = 0; i < job.length; i++) cpuFree -= share[i] * jobs.tasks[job[i]];
    if (cpuFree < 0) return false;

    let count = 0;
    for (let i = 0; i < job.length; i++) {
      if (stays[i]) continue;
      const taskMemory = jobs.memory[job[i]];
      const size = share[i] * SIZES + taskMemory;
      if (left[size] === 0) {
        if (count === this.sizes.length) this.sizes = doubled(this.sizes);
        this.sizes[count++] = sortKey(share[i], taskMemory);
      }
      left[size] += jobs.tasks[job[i]];
    }
    if (this.sizeCpu.length < this.sizes.length) {
      this.sizeCpu = new Int32Array(this.sizes.length);
      this.sizeMemory = new Int32Array(this.sizes.length);
      this.sizeLeft = new Int32Array(this.sizes.length);
    }
    sortDescending(this.sizes, count);
    this.sizeCount = count;
    this.heavyInCpu = 0;
    for (let i = 0; i < count; i++) {
      const key = this.sizes[i];
      const larger = (key >> 8) & 255;
      const isCpu = key >= HEAVY_IN_CPU;
      if (isCpu) this.heavyInCpu++;
      this.sizeCpu[i] = isCpu ? larger : key & 255;
      this.sizeMemory[i] = isCpu ? key & 255 : larger;
      const size = this.sizeCpu[i] * SIZES + this.sizeMemory[i];
      this.sizeLeft[i] = left[size];
      left[size] = 0;
    }
    return true;
  }

  private fillNodes(): boolean {
    const { cpu, memory, sizeCpu, sizeMemory, sizeLeft, sizeCount, heavyInCpu, trial } = this;
    const count = cpu.length;
    const isEmpty = this.stayingCount === 0 && this.state.nodes.isUniform;
    trial.clear();
    let tasksLeft = 0;
    for (let i = 0; i < sizeCount; i++) tasksLeft += sizeLeft[i];
    for (let node = 0; node < count && tasksLeft > 0;) {
      let cpuUsed = cpu[node];
      let memoryUsed = memory[node];
      let inCpu = 0;
      let inMemory = heavyInCpu;
      while (inCpu < heavyInCpu || inMemory < sizeCount) {
        const fromCpu = inMemory >= sizeCount || (cpuUsed <= memoryUsed && inCpu < heavyInCpu);
        const end = fromCpu ? heavyInCpu : sizeCount;
        let size = fromCpu ? inCpu : inMemory;
        const cpuFree = WHOLE_NODE - cpuUsed;
        const memoryFree = WHOLE_NODE - memoryUsed;
        while (
          size < end &&
          (sizeLeft[size] === 0 || sizeCpu[size] > cpuFree || sizeMemory[size] > memoryFree)
        )
          size++;
        if (size < end) {
          cpuUsed += sizeCpu[size];
          memoryUsed += sizeMemory[size];
          sizeLeft[size]--;
          tasksLeft--;
          trial.add(size, sizeCpu[size] * SIZES + sizeMemory[size]);
        }
        if (fromCpu) inCpu = size;
        else inMemory = size;
      }
      // The next are filled like this one, if they begin alike and as much is left of all that it took.
      let next = node + 1;
      const end = next + trial.maxRepeats(count - next, sizeLeft);
      if (isEmpty) next = end;
      while (next < end && cpu[next] === cpu[node] && memory[next] === memory[node]) next++;
      tasksLeft -= trial.end(next, next - node - 1, sizeLeft);
      node = next;
    }
    return tasksLeft === 0;
  }
}
