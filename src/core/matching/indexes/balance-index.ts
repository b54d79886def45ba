import { doubled } from "../../arrays.ts";
import type { MachineView } from "../../machines/machine-view.ts";
import { MAX_MACHINES } from "../../machines/machine-state.ts";
import { NONE } from "../../none.ts";
import { Bucket, firstMachine, firstOfTied } from "./bucket.ts";
import { DirtyList } from "./dirty-list.ts";

/** A bucket's answer if several machines tie for it and the first of them has not been looked up yet. */
const TIED = -2;

/** The number of requests whose answers are kept: a power of two. */
const ANSWERS_BITS = 5;

/** The number of empty buckets that are kept, beyond half of all buckets. */
const MAX_EMPTY = 256;

/** A score from the amounts left free and the machine's configuration. Lower is better. */
type BalanceScore = (
  cores: number,
  memory: number,
  freeCores: number,
  freeMemory: number,
  capacityCores: number,
  capacityMemory: number,
) => number;

/**
 * The free memory at which a score is best, everything else being equal: the score falls up to it and rises after it.
 * `Infinity` if more is always better.
 */
type BestMemory = (
  cores: number,
  memory: number,
  freeCores: number,
  capacityCores: number,
  capacityMemory: number,
) => number;

/**
 * Finds the machine with the lowest balance score without scoring all of them.
 *
 * Machines of the same configuration and the same free cores differ only in
 * free memory, and a balance score has one valley in it. Each such bucket is
 * kept sorted by memory, so that its best machine is one of the two next to the
 * bottom of the valley; the buckets' best are then compared. A pool of a few
 * machine types with some tens of cores has a few hundred buckets at most.
 */
export class BalanceIndex {
  private readonly machines: MachineView;
  private readonly dirty: DirtyList;
  private types!: TypeBuckets[];
  private typeOf!: Int32Array;
  /**
   * The buckets. Each is made when a machine first has so many cores free; empty ones are removed when there are too
   * many.
   */
  private buckets!: Bucket[];
  private emptyBuckets = 0;
  /** As of the last refresh: each machine's bucket (`NONE` while it has no room) and its place there. */
  private bucketOf!: Int32Array;
  private placeOf!: Float64Array;
  private answers!: (Answers | undefined)[];
  private foundScore = Infinity;
  /** By type and by bucket: counts the changes. Has room for buckets to come. */
  private typeChanges!: Float64Array;
  private bucketChanges!: Float64Array;

  constructor(machines: MachineView) {
    this.machines = machines;
    this.dirty = new DirtyList(machines);
    machines.watch(this.dirty);
    this.make();
  }

  /** Makes the index without machines; all are added at the next refresh. */
  private make(): void {
    const { count, capacityCores, capacityMemory } = this.machines;
    this.types = [];
    this.typeOf = new Int32Array(count);
    const typeByKey = new Map<string, number>();
    for (let machine = 0; machine < count; machine++) {
      const cores = capacityCores[machine];
      const memory = capacityMemory[machine];
      const key = `${cores} ${memory}`;
      let type = typeByKey.get(key);
      if (type === undefined) {
        type = this.types.push({ cores, memory, bucketAt: new Map(), buckets: [] }) - 1;
        typeByKey.set(key, type);
      }
      this.typeOf[machine] = type;
    }
    this.buckets = [];
    this.emptyBuckets = 0;
    this.bucketOf = new Int32Array(count).fill(NONE);
    this.placeOf = new Float64Array(count);
    this.typeChanges = new Float64Array(this.types.length);
    this.bucketChanges = new Float64Array(64);
    this.answers = Array.from({ length: 1 << ANSWERS_BITS });
    this.dirty.markAll();
  }

  best(cores: number, memory: number, score: BalanceScore, bestMemory: BestMemory): number {
    this.refresh();
    const { types, typeChanges } = this;
    const answers = this.answersFor(cores, memory, score);
    const { typeVersion, typeScore, typeMachine } = answers;
    let best = NONE;
    let bestScore = Infinity;
    for (let t = 0; t < types.length; t++) {
      if (typeVersion[t] !== typeChanges[t]) {
        typeVersion[t] = typeChanges[t];
        typeMachine[t] = this.bestOfType(types[t], answers, bestMemory);
        typeScore[t] = this.foundScore;
      }
      if (typeScore[t] < bestScore || (typeScore[t] === bestScore && typeMachine[t] < best)) {
        bestScore = typeScore[t];
        best = typeMachine[t];
      }
    }
    return best;
  }

  /** The best fitting machine of a type, or `NONE`. Its score is in `foundScore`. */
  private bestOfType(type: TypeBuckets, answers: Answers, bestMemory: BestMemory): number {
    const { buckets, bucketChanges } = this;
    const { cores, memory, score, version, scores, machines } = answers;
    let best = NONE;
    let bestScore = Infinity;
    // Ties occur where few cores are left, and lose to machines with more, so those are tried first.
    for (let i = 0; i < type.buckets.length; i++) {
      const b = type.buckets[i];
      if (version[b] !== bucketChanges[b]) {
        if (buckets[b].cores < cores) break;
        version[b] = bucketChanges[b];
        machines[b] = this.bestOfBucket(buckets[b], type, cores, memory, score, bestMemory);
        scores[b] = this.foundScore;
      }
      if (scores[b] > bestScore) continue;
      if (machines[b] === TIED) {
        const key = bottomKey(type, buckets[b].cores, cores, memory, bestMemory);
        machines[b] = firstOfTied(b, buckets[b], key, this.bucketOf, this.placeOf);
      }
      if (scores[b] < bestScore || machines[b] < best) {
        bestScore = scores[b];
        best = machines[b];
      }
    }
    this.foundScore = bestScore;
    return best;
  }

  /**
   * The answers of all buckets to one request. Jobs come in runs that ask for the same, and a placement changes two
   * buckets of a hundred; asking all of them anew took two thirds of a run under Mix-Fit.
   */
  private answersFor(cores: number, memory: number, score: BalanceScore): Answers {
    const slot = (Math.imul(cores, 0x9e3779b1) ^ Math.imul(memory, 0x85ebca6b)) >>> (32 - ANSWERS_BITS);
    const answers = this.answers[slot];
    if (answers?.cores === cores && answers.memory === memory && answers.score === score) return answers;
    return (this.answers[slot] = {
      cores,
      memory,
      score,
      typeVersion: answers?.typeVersion.fill(-1) ?? new Float64Array(this.types.length).fill(-1),
      typeScore: answers?.typeScore ?? new Float64Array(this.types.length),
      typeMachine: answers?.typeMachine ?? new Int32Array(this.types.length),
      version: answers?.version.fill(-1) ?? new Float64Array(this.bucketChanges.length).fill(-1),
      scores: answers?.scores ?? new Float64Array(this.bucketChanges.length),
      machines: answers?.machines ?? new Int32Array(this.bucketChanges.length),
    });
  }

  /** The best fitting machine of a bucket, `TIED` or `NONE`. Its score is in `foundScore`. */
  private bestOfBucket(
    bucket: Bucket,
    type: TypeBuckets,
    cores: number,
    memory: number,
    score: BalanceScore,
    bestMemory: BestMemory,
  ): number {
    this.foundScore = Infinity;
    const { keys, count, cores: free } = bucket;
    if (count === 0 || keys[count - 1] < memory * MAX_MACHINES) return NONE;
    let best = NONE;
    let bestScore = Infinity;
    const scoreAt = (amount: number): number => score(cores, memory, free, amount, type.cores, type.memory);
    const right = bucket.atLeast(bottomKey(type, free, cores, memory, bestMemory));
    // The first machine at or beyond the bottom of the valley …
    if (right < count) {
      best = keys[right] % MAX_MACHINES;
      const amount = Math.floor(keys[right] / MAX_MACHINES);
      const most = Math.floor(keys[count - 1] / MAX_MACHINES);
      bestScore = scoreAt(amount);
      // … where the slope is flat (a full machine is at the same angle whatever memory it keeps), all of it ties and
      // the first machine in pool order wins. There may be thousands: they are searched only if nothing else is better,
      // which is rare.
      if (most > amount && scoreAt(most) === bestScore) best = TIED;
    }
    // … and the first in pool order of the last memory amount before it.
    const amount = right === 0 ? -1 : Math.floor(keys[right - 1] / MAX_MACHINES);
    if (amount >= memory) {
      const s = scoreAt(amount);
      if (s <= bestScore) {
        const machine = keys[bucket.atLeast(amount * MAX_MACHINES)] % MAX_MACHINES;
        if (s < bestScore) best = machine;
        else best = Math.min(best === TIED ? firstMachine(bucket, right) : best, machine);
        bestScore = s;
      }
    }
    this.foundScore = bestScore;
    return best;
  }

  private refresh(): void {
    const { dirty } = this;
    if (dirty.count === 0) return;
    if (dirty.isResized || this.emptyBuckets > MAX_EMPTY + this.buckets.length / 2) this.make();
    const { machines, bucketOf, placeOf, typeOf, buckets } = this;
    const { freeCores, freeMemory, closed } = machines;
    for (let i = 0; i < dirty.count; i++) {
      const machine = dirty.machines[i];
      const cores = freeCores[machine];
      const memory = freeMemory[machine];
      const hasRoom = closed[machine] === 0 && cores >= 0 && memory >= 0;
      const bucket = hasRoom ? this.bucketAt(typeOf[machine], cores) : NONE;
      const place = memory * MAX_MACHINES + machine;
      const oldBucket = bucketOf[machine];
      if (bucket === oldBucket && place === placeOf[machine]) continue;
      this.typeChanges[typeOf[machine]]++;
      if (oldBucket !== NONE) {
        buckets[oldBucket].remove(placeOf[machine]);
        if (buckets[oldBucket].count === 0) this.emptyBuckets++;
        this.bucketChanges[oldBucket]++;
      }
      if (bucket !== NONE) {
        if (buckets[bucket].count === 0) this.emptyBuckets--;
        buckets[bucket].insert(place);
        this.bucketChanges[bucket]++;
      }
      bucketOf[machine] = bucket;
      placeOf[machine] = place;
    }
    dirty.clear();
  }

  /** The bucket of the machines of a type with this many cores free. */
  private bucketAt(typeNumber: number, cores: number): number {
    const type = this.types[typeNumber];
    const known = type.bucketAt.get(cores);
    if (known !== undefined) return known;
    const b = this.buckets.push(new Bucket(cores)) - 1;
    this.emptyBuckets++;
    if (b === this.bucketChanges.length) {
      this.bucketChanges = doubled(this.bucketChanges);
      this.answers.fill(undefined);
    }
    type.bucketAt.set(cores, b);
    const before = type.buckets.findIndex((other) => this.buckets[other].cores < cores);
    type.buckets.splice(before < 0 ? type.buckets.length : before, 0, b);
    return b;
  }
}

/** The lowest place of a machine at or beyond the bottom of the valley, among those with this many cores free. */
function bottomKey(
  type: TypeBuckets,
  free: number,
  cores: number,
  memory: number,
  bestMemory: BestMemory,
): number {
  const valley = bestMemory(cores, memory, free, type.cores, type.memory);
  return Math.max(memory, Math.ceil(valley)) * MAX_MACHINES;
}

/** The machines of one configuration. */
interface TypeBuckets {
  readonly cores: number;
  readonly memory: number;
  /** By free cores. */
  readonly bucketAt: Map<number, number>;
  /** The same buckets, ordered from the most free cores to the fewest. */
  readonly buckets: number[];
}

/** The best machine of every type and bucket for one request, each with the version of the type or bucket. */
interface Answers {
  readonly cores: number;
  readonly memory: number;
  readonly score: BalanceScore;
  readonly typeVersion: Float64Array;
  readonly typeScore: Float64Array;
  readonly typeMachine: Int32Array;
  readonly version: Float64Array;
  readonly scores: Float64Array;
  readonly machines: Int32Array;
}
