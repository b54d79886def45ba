import { attributeName, QUEUE } from "./machines/attributes.ts";
import type { Machines } from "./machines/machines.ts";
import type { Workload } from "./workload.ts";

/** A workload whose jobs go to the machines of their queues. */
export interface QueuedWorkload {
  readonly workload: Workload;
  /** By queue, or partition, of the jobs: how many machines take them. */
  readonly queues: readonly { readonly name: string; readonly machines: number }[];
  /** Queues of jobs that no machine names: they go where machines name none, or anywhere. */
  readonly unknown: readonly string[];
}

/** The longest requirement. */
const MAX_LENGTH = 10_000;

/**
 * Adds to each job's requirement that the machine takes jobs of its queue, where the machines tell that: a farm of
 * several partitions is then one pool with requirements.
 *
 * @returns null where the machines tell no queues, the jobs have none, or every machine takes them all
 */
export function onMachinesOfQueues(workload: Workload, machines: Machines): QueuedWorkload | null {
  const { queue, requires } = workload;
  const { attributes } = machines;
  if (queue === null || attributes === undefined) return null;
  const { sets, codes } = attributes;
  const known = new Set(
    sets.flatMap((set) => Object.keys(set).filter((name) => name.startsWith(QUEUE) && set[name] === true)),
  );
  if (known.size === 0) return null;
  const inSet = new Int32Array(sets.length);
  for (const code of codes) inSet[code]!++;
  const machinesWith = (isMet: (set: (typeof sets)[number]) => boolean): number =>
    sets.reduce((sum, set, code) => sum + (isMet(set) ? inSet[code]! : 0), 0);
  const free = machinesWith((set) => ![...known].some((name) => name in set));
  const noQueue = [...known].map((name) => `!has(${name})`).join(" && ");

  const unknown: string[] = [];
  const queues: { name: string; machines: number }[] = [];
  const used = new Uint8Array(queue.names.length);
  for (const code of queue.codes) used[code] = 1;
  const wanted = queue.names.map((name, code): string => {
    if (used[code] === 0) return "";
    const there = attributesOf(name).filter((each) => known.has(each));
    if (there.length > 0) {
      queues.push({ name, machines: machinesWith((set) => there.some((each) => each in set)) });
      return there.join(" || ");
    }
    if (name !== "") unknown.push(name);
    return free > 0 && noQueue.length <= MAX_LENGTH ? noQueue : "";
  });
  const isAnywhere = free === 0 && unknown.length === queue.names.length;
  if (isAnywhere || (queues.every((each) => each.machines === machines.count) && unknown.length === 0))
    return null;

  const names: string[] = [];
  const codeOf = new Map<string, number>();
  const column = Int32Array.from(queue.codes, (code, row) => {
    const text = both(requires === null ? "" : requires.names[requires.codes[row]!]!, wanted[code]!);
    let number = codeOf.get(text);
    if (number === undefined) codeOf.set(text, (number = names.push(text) - 1));
    return number;
  });
  return { workload: { ...workload, requires: { codes: column, names } }, queues, unknown };
}

/** The machines that take jobs of a queue, by their places in the list; none where no machine names it. */
export function machinesOfQueue({ attributes }: Machines, queue: string): number[] {
  if (attributes === undefined) return [];
  const names = attributesOf(queue);
  const takes = attributes.sets.map((set) => names.some((name) => set[name] === true));
  return [...attributes.codes].flatMap((code, machine) => (takes[code] === true ? [machine] : []));
}

/** What says of a machine that it takes a job's queue. A job may name several partitions. */
function attributesOf(queue: string): string[] {
  return queue.split(",").map((each) => attributeName(`${QUEUE}${each.trim()}`));
}

function both(one: string, other: string): string {
  if (one.trim() === "") return other;
  return other === "" ? one : `(${one}) && (${other})`;
}
