import type { MachineAttributes } from "../farm/farm.ts";
import { sharedInt32Array } from "../shared-arrays.ts";
import type { MachineAttributeColumn } from "./machines.ts";

export type AttributeValue = MachineAttributes[string];

/** The limit of a farm file. */
const MAX_NAME = 100;
/** Words with a meaning of their own in requirements. */
const TAKEN = new Set(["cores", "memory", "gpus", "speed", "owner"]);
const WORDS = new Set(["and", "or", "not", "in", "has", "true", "false"]);

/** What the attributes begin with that tell the queues, or partitions, of a machine. */
export const QUEUE = "queue.";

/**
 * The attribute name for what a batch system calls `text`: characters other than letters, digits, `_`, `.` and `-`
 * become `_`, and a name that cannot be used in a requirement gets a `_` in front.
 */
export function attributeName(text: string): string {
  const name = text.replace(/[^A-Za-z0-9_.-]/g, "_").slice(0, MAX_NAME - 1);
  const fits = /^[A-Za-z_]/.test(name) && !TAKEN.has(name) && !WORDS.has(name.toLowerCase());
  return fits ? name : `_${name}`;
}

/** Collects the attributes of one machine. If two get the same name the first counts. */
export class AttributeSet {
  private readonly values = new Map<string, AttributeValue>();

  set(text: string, value: AttributeValue): this {
    const name = attributeName(text);
    if (!this.values.has(name)) this.values.set(name, value);
    return this;
  }

  /** Labels that are either present or not: `ib` becomes `ib: true`. */
  flags(texts: Iterable<string>): this {
    for (const text of texts) if (text !== "") this.set(text, true);
    return this;
  }

  /** The queues whose jobs the machine takes: `queue.long: true`. */
  queues(names: Iterable<string>): this {
    for (const name of names) if (name !== "") this.set(`${QUEUE}${name}`, true);
    return this;
  }

  /** Ordered by name, so that machines with the same attributes have the same set. */
  done(): MachineAttributes {
    return Object.fromEntries([...this.values].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** The column of these sets, with equal ones kept once; undefined if no machine has attributes. */
export function attributeColumn(
  machines: readonly (MachineAttributes | undefined)[],
): MachineAttributeColumn | undefined {
  if (machines.every((attributes) => attributes === undefined)) return undefined;
  const codeOf = new Map<string, number>();
  const sets: MachineAttributes[] = [];
  const codes = sharedInt32Array(machines.length);
  machines.forEach((attributes = {}, row) => {
    const key = JSON.stringify(attributes);
    let code = codeOf.get(key);
    if (code === undefined) {
      codeOf.set(key, (code = sets.length));
      sets.push(attributes);
    }
    codes[row] = code;
  });
  return sets.every((set) => Object.keys(set).length === 0) ? undefined : { codes, sets };
}
