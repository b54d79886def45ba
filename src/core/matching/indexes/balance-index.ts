import type { MachineView } from "../../machines/machine-view.ts";
import { NONE } from "../../none.ts";
import { Bucket, firstMachine, firstOfTied, MACHINE_RANGE } from "./bucket.ts";
import { DirtyList } from "./dirty-list.ts";

/** A bucket's answer: several machines tie for it, and which is the first of them is not known yet. */
const TIED = -2;

/** Requests whose answers are kept: a power of two. */
const ANSWERS_BITS = 5;

/** A score over the amounts left free, with what the machine is configured with. Lower is better. */
export type BalanceScore = (
  cores: number,
  memory: number,
  freeCores: number,
  freeMemory: number,
  capacityCores: number,
  capacityMemory: number,
) => number;

/**
 * The free memory at which a score is best, all else held: the score falls up to
 * it and rises after it. `Infinity` where more is always better.
 */
export type BestMemory = (
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
  private readonly grain: number;
  private readonly isExact: boolean;
  private readonly typeOf: Int32Array;
  private readonly types: MachineType[] = [];
  private readonly buckets: Bucket[] = [];
  /** As of the last refresh: each machine's bucket (`NONE` while closed) and place in it. */
  private readonly bucketOf: Int32Array;
  private readonly placeOf: Float64Array;
  private readonly coresSeen: Int32Array;
  private readonly answers: (Answers | undefined)[] = Array.from({ length: 1 << ANSWERS_BITS });
  private foundScore = Infinity;
  /** By type and by bucket: counts the changes. Beside each other, since a search compares all of them. */
  private readonly typeChanges: Float64Array;
  private readonly bucketChanges: Float64Array;

  /** @param grain the largest amount that divides every capacity and request of cores */
  constructor(machines: MachineView, grain: number, maxLevels = 1024) {
    this.machines = machines;
    this.dirty = new DirtyList(machines.count);
    machines.watch(this.dirty);
    let mostCores = 0;
    for (const cores of machines.capacityCores) mostCores = Math.max(mostCores, cores);
    this.isExact = Math.floor(mostCores / grain) + 1 <= maxLevels;
    this.grain = this.isExact ? grain : Math.ceil((mostCores + 1) / maxLevels);
    this.typeOf = new Int32Array(machines.count);
    const typeByKey = new Map<string, number>();
    for (let machine = 0; machine < machines.count; machine++) {
      const cores = machines.capacityCores[machine];
      const memory = machines.capacityMemory[machine];
      const key = `${cores} ${memory}`;
      let type = typeByKey.get(key);
      if (type === undefined) {
        type = this.types.length;
        typeByKey.set(key, type);
        const levels = Math.floor(cores / this.grain) + 1;
        this.types.push({ cores, memory, firstBucket: this.buckets.length, levels });
        for (let level = 0; level < levels; level++) this.buckets.push(new Bucket());
      }
      this.typeOf[machine] = type;
    }
    this.typeChanges = new Float64Array(this.types.length);
    this.bucketChanges = new Float64Array(this.buckets.length);
    this.bucketOf = new Int32Array(machines.count).fill(NONE);
    this.placeOf = new Float64Array(machines.count);
    this.coresSeen = new Int32Array(machines.count).fill(-1);
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

  /** The best fitting machine of a type, or `NONE`; its score is in `foundScore`. */
  private bestOfType(type: MachineType, answers: Answers, bestMemory: BestMemory): number {
    const { buckets, bucketChanges, grain } = this;
    const { cores, memory, score, version, scores, machines } = answers;
    const lowest = this.isExact ? Math.ceil(cores / grain) : Math.floor(cores / grain);
    let best = NONE;
    let bestScore = Infinity;
    // Ties are found where few cores are left, and beaten by machines with more: look at those first.
    for (let b = type.firstBucket + type.levels - 1; b >= type.firstBucket + lowest; b--) {
      if (version[b] !== bucketChanges[b]) {
        version[b] = bucketChanges[b];
        machines[b] = this.bestOfBucket(
          buckets[b],
          type,
          b - type.firstBucket,
          cores,
          memory,
          score,
          bestMemory,
        );
        scores[b] = this.foundScore;
      }
      if (scores[b] > bestScore) continue;
      if (machines[b] === TIED) {
        const key = this.bottomKey(type, b - type.firstBucket, cores, memory, bestMemory);
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
   * What is known of every bucket for one request. Jobs come in runs that ask for
   * the same, and a placement changes two buckets of a hundred: asking all of
   * them anew took two thirds of a run under Mix-Fit.
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
      version: answers?.version.fill(-1) ?? new Float64Array(this.buckets.length).fill(-1),
      scores: answers?.scores ?? new Float64Array(this.buckets.length),
      machines: answers?.machines ?? new Int32Array(this.buckets.length),
    });
  }

  /** The lowest place of a machine at or beyond the bottom of a bucket's valley. */
  private bottomKey(
    type: MachineType,
    level: number,
    cores: number,
    memory: number,
    bestMemory: BestMemory,
  ): number {
    const valley = bestMemory(cores, memory, level * this.grain, type.cores, type.memory);
    return Math.max(memory, Math.ceil(valley)) * MACHINE_RANGE;
  }

  /** The best fitting machine of a bucket, `TIED` or `NONE`; its score is in `foundScore`. */
  private bestOfBucket(
    bucket: Bucket,
    type: MachineType,
    level: number,
    cores: number,
    memory: number,
    score: BalanceScore,
    bestMemory: BestMemory,
  ): number {
    this.foundScore = Infinity;
    const { keys, count } = bucket;
    if (count === 0 || keys[count - 1] < memory * MACHINE_RANGE) return NONE;
    if (!this.isExact) return this.bestOfMixed(bucket, type, cores, memory, score);
    let best = NONE;
    let bestScore = Infinity;
    const free = level * this.grain;
    const scoreAt = (amount: number): number => score(cores, memory, free, amount, type.cores, type.memory);
    const right = bucket.atLeast(this.bottomKey(type, level, cores, memory, bestMemory));
    // The first machine at or beyond the bottom of the valley …
    if (right < count) {
      best = keys[right] % MACHINE_RANGE;
      const amount = Math.floor(keys[right] / MACHINE_RANGE);
      const most = Math.floor(keys[count - 1] / MACHINE_RANGE);
      bestScore = scoreAt(amount);
      // … where the slope is flat (a full machine is at the same angle whatever memory it keeps),
      // all of it ties and the first machine in pool order wins. Thousands may: they are looked
      // through only if nothing is better, and nearly always something is.
      if (most > amount && scoreAt(most) === bestScore) best = TIED;
    }
    // … and the first in pool order of the last memory amount before it.
    const amount = right === 0 ? -1 : Math.floor(keys[right - 1] / MACHINE_RANGE);
    if (amount >= memory) {
      const s = scoreAt(amount);
      if (s <= bestScore) {
        const machine = keys[bucket.atLeast(amount * MACHINE_RANGE)] % MACHINE_RANGE;
        if (s < bestScore) best = machine;
        else best = Math.min(best === TIED ? firstMachine(bucket, right) : best, machine);
        bestScore = s;
      }
    }
    this.foundScore = bestScore;
    return best;
  }

  /** The same where free cores differ within the bucket: its machines are compared one by one. */
  private bestOfMixed(
    bucket: Bucket,
    type: MachineType,
    cores: number,
    memory: number,
    score: BalanceScore,
  ): number {
    const { freeCores } = this.machines;
    let best = NONE;
    let bestScore = Infinity;
    for (let i = bucket.atLeast(memory * MACHINE_RANGE); i < bucket.count; i++) {
      const machine = bucket.keys[i] % MACHINE_RANGE;
      if (freeCores[machine] < cores) continue;
      const amount = Math.floor(bucket.keys[i] / MACHINE_RANGE);
      const s = score(cores, memory, freeCores[machine], amount, type.cores, type.memory);
      if (s < bestScore || (s === bestScore && machine < best)) {
        bestScore = s;
        best = machine;
      }
    }
    this.foundScore = bestScore;
    return best;
  }

  private refresh(): void {
    const { dirty, machines, bucketOf, placeOf, coresSeen, typeOf, types, buckets } = this;
    for (let i = 0; i < dirty.count; i++) {
      const machine = dirty.machines[i];
      const level = Math.floor(machines.freeCores[machine] / this.grain);
      const bucket = machines.closed[machine] !== 0 ? NONE : types[typeOf[machine]].firstBucket + level;
      const place = machines.freeMemory[machine] * MACHINE_RANGE + machine;
      const oldBucket = bucketOf[machine];
      const cores = machines.freeCores[machine];
      if (bucket === oldBucket && place === placeOf[machine] && cores === coresSeen[machine]) continue;
      coresSeen[machine] = cores;
      this.typeChanges[typeOf[machine]]++;
      if (oldBucket !== NONE) {
        buckets[oldBucket].remove(placeOf[machine]);
        this.bucketChanges[oldBucket]++;
      }
      if (bucket !== NONE) {
        buckets[bucket].insert(place);
        this.bucketChanges[bucket]++;
      }
      bucketOf[machine] = bucket;
      placeOf[machine] = place;
    }
    dirty.clear();
  }
}

/** Machines of one configuration; their buckets lie next to each other, by free cores. */
interface MachineType {
  readonly cores: number;
  readonly memory: number;
  readonly firstBucket: number;
  readonly levels: number;
}

/** The best machine of every type and bucket for one request, as of the type's and bucket's version. */
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
