import { workloadOf } from "../../workload/workload-of.ts";
import { InputError } from "../../workload/errors.ts";
import type { Machines } from "../../workload/machines/machines.ts";
import { parseShorthand } from "../../workload/machines/shorthand.ts";
import type { CodedColumn, Workload } from "../../workload/workload.ts";
import { drawGamma, gammaBelow } from "./gamma.ts";
import { batch, interactive, typeless, type LublinClass } from "./lublin-classes.ts";
import { NodeNeedsRule } from "../simulation/synthetic-needs.ts";
import { Random } from "../../workload/random.ts";

/** The mixes of the model's classes that can be chosen. */
export const lublinMixes = {
  both: [
    { name: "batch", parameters: batch },
    { name: "interactive", parameters: interactive },
  ],
  batch: [{ name: "batch", parameters: batch }],
  interactive: [{ name: "interactive", parameters: interactive }],
  typeless: [{ name: "typeless", parameters: typeless }],
} as const;

export type LublinMix = keyof typeof lublinMixes;

interface LublinOptions {
  /** 1,000 unless told otherwise. */
  readonly jobs?: number;
  /** A whole number; the same seed gives the same workload on every machine. */
  readonly seed?: number;
  /** The offered load to which the times between arrivals are stretched. Absent: the model's own. */
  readonly load?: number;
}

/** The cluster of Stillwell 2014, which is the size of the model's largest jobs: 128 nodes of 4 cores. */
const NODES = 128;
const MAX_JOBS = 10_000_000;
/** The model's limits on the logarithms of the run time and the time between arrivals. */
const MAX_LOG_RUNTIME = 12;
const MAX_LOG_ARRIVAL = 13;
const BUCKETS = 48;
const BUCKET_SECONDS = 1800;
/** The half hour at which the model's day begins. */
const DAY_START = 11;

/**
 * Jobs by the model of Lublin and Feitelson (JPDC 63(11), 2003), with a task for each processor and needs of CPU and
 * memory by the rule of Stillwell 2014. Synthetic, and marked so.
 *
 * @throws {InputError} if an option cannot be used
 */
export function generateLublin(mix: LublinMix, options: LublinOptions = {}): Workload {
  const { jobs: count = 1000, seed = 1, load } = options;
  if (!(Number.isInteger(count) && count >= 2 && count <= MAX_JOBS)) {
    throw new InputError(`jobs must be a whole number from 2 to ${MAX_JOBS}, not ${count}`);
  }
  if (!Number.isInteger(seed)) throw new InputError(`the seed must be a whole number, not ${seed}`);
  if (load !== undefined && !(load > 0 && Number.isFinite(load))) {
    throw new InputError(`the load must be more than 0, not ${load}`);
  }
  const floats = (): Float64Array => new Float64Array(new SharedArrayBuffer(count * 8));
  const integers = (): Int32Array => new Int32Array(new SharedArrayBuffer(count * 4));
  const submitSeconds = floats();
  const runtimeSeconds = floats();
  const nodeCpu = floats();
  const nodeMemory = floats();
  const tasks = integers();
  const queue: CodedColumn = { codes: integers(), names: lublinMixes[mix].map(({ name }) => name) };
  const random = new Random(seed);
  const rule = new NodeNeedsRule(seed ^ 0x2545f491);
  const classes = lublinMixes[mix].map(({ parameters }) => ({
    parameters,
    arrivals: new Arrivals(parameters, random),
  }));
  for (let row = 0; row < count; row++) {
    let code = 0;
    for (let other = 1; other < classes.length; other++)
      if (classes[other]!.arrivals.next < classes[code]!.arrivals.next) code = other;
    const { parameters, arrivals } = classes[code]!;
    submitSeconds[row] = Math.floor(arrivals.take());
    tasks[row] = drawSize(parameters, random);
    runtimeSeconds[row] = drawRuntime(parameters, tasks[row]!, random);
    queue.codes[row] = code;
    const needs = rule.next(tasks[row]!);
    nodeCpu[row] = needs.cpu;
    nodeMemory[row] = needs.memory;
  }
  if (load !== undefined) stretchArrivals(submitSeconds, tasks, nodeCpu, runtimeSeconds, load);
  return workloadOf({
    name: `lublin${mix === "both" ? "" : `-${mix}`} (synthetic)`,
    synthetic: true,
    submitSeconds,
    runtimeSeconds,
    coresMilli: integers().map((_, row) => 1000 * nodeCpu[row]!),
    tasks,
    nodeCpu,
    nodeMemory,
    queue,
    notes: [
      { what: `generated with seed ${seed}, after Lublin and Feitelson 2003; not a recorded log`, count },
    ],
    farm: { computer: "cluster (synthetic)", nodes: NODES },
  });
}

/** The cluster that the model's jobs are for. */
export function lublinMachines(): Machines {
  return parseShorthand(`${NODES}x4c`);
}

/** Shifts arrivals so that the CPU that the jobs need is this part of the cluster's over their span. */
function stretchArrivals(
  submitSeconds: Float64Array,
  tasks: Int32Array,
  nodeCpu: Float64Array,
  runtimeSeconds: Float64Array,
  load: number,
): void {
  const count = submitSeconds.length;
  let work = 0;
  for (let row = 0; row < count; row++) work += tasks[row]! * nodeCpu[row]! * runtimeSeconds[row]!;
  const span = submitSeconds[count - 1]! - submitSeconds[0]!;
  const factor = work / (NODES * load * Math.max(1, span));
  for (let row = 0; row < count; row++) submitSeconds[row] = Math.round(submitSeconds[row]! * factor);
}

/** Half hours of the day from midnight, weighted by their arrivals; 1 on average. */
export function bucketWeights({ daily: [shape, scale] }: LublinClass): Float64Array {
  const weights = new Float64Array(BUCKETS);
  let sum = 0;
  for (let i = DAY_START; i < DAY_START + BUCKETS; i++) {
    const weight = gammaBelow(i + 0.5, shape, scale) - gammaBelow(i - 0.5, shape, scale);
    weights[(i - 1) % BUCKETS] = weight;
    sum += weight;
  }
  return weights.map((weight) => (weight * BUCKETS) / sum);
}

/** The clock of one class: when its jobs arrive. */
class Arrivals {
  /** Seconds from midnight of the first day. */
  next = 0;
  private readonly parameters: LublinClass;
  private readonly random: Random;
  private readonly weights: Float64Array;
  private bucket = 0;
  /** What is used of the bucket's weight, absolutely and as a part of it. */
  private points = 0;
  private part = 0;

  constructor(parameters: LublinClass, random: Random) {
    this.parameters = parameters;
    this.random = random;
    this.weights = bucketWeights(parameters);
    this.advance();
  }

  take(): number {
    const now = this.next;
    this.advance();
    return now;
  }

  private advance(): void {
    const { arrival, rushToDay } = this.parameters;
    let log;
    do log = drawGamma(this.random, arrival[0] * rushToDay, arrival[1]);
    while (log > MAX_LOG_ARRIVAL);
    this.points += Math.exp(log) / BUCKET_SECONDS;
    let buckets = 0;
    while (this.points > this.weights[this.bucket]!) {
      this.points -= this.weights[this.bucket]!;
      this.bucket = (this.bucket + 1) % BUCKETS;
      buckets++;
    }
    const part = this.points / this.weights[this.bucket]!;
    this.next += BUCKET_SECONDS * (buckets + part - this.part);
    this.part = part;
  }
}

function drawSize(parameters: LublinClass, random: Random): number {
  const { serialPart, powerOfTwoPart, sizeLow, sizeMiddle, sizeHigh, firstStage } = parameters;
  const u = random.unit();
  if (u <= serialPart) return 1;
  const log =
    random.unit() <= firstStage
      ? sizeLow + (sizeMiddle - sizeLow) * random.unit()
      : sizeMiddle + (sizeHigh - sizeMiddle) * random.unit();
  return Math.round(2 ** (u <= serialPart + powerOfTwoPart ? Math.round(log) : log));
}

function drawRuntime(parameters: LublinClass, size: number, random: Random): number {
  const { short, long, shortSlope, shortOffset } = parameters;
  const isShort = Math.min(1, Math.max(0, shortSlope * size + shortOffset));
  for (;;) {
    const [shape, scale] = random.unit() <= isShort ? short : long;
    const log = drawGamma(random, shape, scale);
    if (log <= MAX_LOG_RUNTIME) return Math.max(1, Math.floor(Math.exp(log)));
  }
}
