/** Kinds told apart at most; jobs beyond are of the kind 0. */
export const MAX_KINDS = 1 << 16;
const SLOTS = MAX_KINDS * 2;

/**
 * Numbers the different requests that jobs make, from 1. A queue of a hundred
 * thousand jobs holds few kinds, and what is known of one job of a kind within a
 * pass is known of all. Kind 0 is no kind: nothing is remembered of it.
 */
export class RequestKinds {
  readonly cores = new Int32Array(MAX_KINDS);
  readonly memory = new Int32Array(MAX_KINDS);
  readonly gpu = new Int32Array(MAX_KINDS);
  readonly tasks = new Int32Array(MAX_KINDS);
  readonly requirement = new Int32Array(MAX_KINDS);
  readonly owner = new Int32Array(MAX_KINDS);
  readonly family = new Int32Array(MAX_KINDS);
  private count = 0;
  private readonly kindAt = new Int32Array(SLOTS);

  of(
    cores: number,
    memory: number,
    gpu: number,
    tasks: number,
    requirement: number,
    owner: number,
    family: number,
  ): number {
    let hash = Math.imul(cores, 0x9e3779b1) ^ Math.imul(memory, 0x85ebca6b);
    hash ^= Math.imul(gpu, 0xc2b2ae35) ^ Math.imul(tasks, 0x27d4eb2f);
    hash ^= Math.imul(requirement, 0x165667b1) ^ Math.imul(owner, 0x9e3779b9) ^ Math.imul(family, 0x85ebca77);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    let slot = (hash ^ (hash >>> 13)) & (SLOTS - 1);
    for (;;) {
      const kind = this.kindAt[slot];
      if (kind === 0) break;
      const isSame =
        this.cores[kind] === cores &&
        this.memory[kind] === memory &&
        this.gpu[kind] === gpu &&
        this.tasks[kind] === tasks &&
        this.requirement[kind] === requirement &&
        this.owner[kind] === owner &&
        this.family[kind] === family;
      if (isSame) return kind;
      slot = (slot + 1) & (SLOTS - 1);
    }
    if (this.count === MAX_KINDS - 1) return 0;
    const kind = ++this.count;
    this.kindAt[slot] = kind;
    this.cores[kind] = cores;
    this.memory[kind] = memory;
    this.gpu[kind] = gpu;
    this.tasks[kind] = tasks;
    this.requirement[kind] = requirement;
    this.owner[kind] = owner;
    this.family[kind] = family;
    return kind;
  }
}
