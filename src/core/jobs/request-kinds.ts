import { doubleColumns } from "../arrays.ts";

/** The number of kinds without a job that are remembered, since jobs of the same kind come again. */
const IDLE_KINDS = 4096;

/** What the jobs of a kind have in common. */
export interface KindRequest {
  /** Thousandths of a core, MiB and thousandths of a GPU that one task asks for. */
  cores: number;
  memory: number;
  gpu: number;
  /** Tasks that start together, each on any machine where it fits. */
  tasks: number;
  /** The number of the requirement that its machines must meet; 0 or absent: none. */
  requirement?: number;
  /** The number of the job's group, if the group owns machines; 0 or absent: none. */
  owner?: number;
  /** The number of the family that the job is packed with; 0 or absent: an ordinary job. */
  family?: number;
  /** The number of what the job asks for of the pool's licences; 0 or absent: nothing. */
  licences?: number;
  /** The number of those whose limits the job counts against: its user, group and project; 0 or absent: it has none. */
  account?: number;
}

/**
 * Numbers the different requests that jobs make, from 1. A queue of a hundred thousand jobs holds few kinds, and what
 * is known of one job of a kind within a pass is known of all.
 *
 * A kind lives as long as jobs of it do, and for a while after; then its number is free for another kind. So the tables
 * are as large as the most kinds at one time, however many jobs pass through.
 *
 * Code that remembers something by kind for longer than a pass must also remember the kind's `version`, and forget the
 * entry if it has changed: the number then stands for another request. `KindMemory` does so. Data that is empty while
 * no job of the kind is in the table, such as a list of its waiting jobs, needs no version.
 */
export class RequestKinds {
  cores = new Int32Array(256);
  memory = new Int32Array(256);
  gpu = new Int32Array(256);
  tasks = new Int32Array(256);
  requirement = new Int32Array(256);
  owner = new Int32Array(256);
  family = new Int32Array(256);
  licences = new Int32Array(256);
  account = new Int32Array(256);
  /**
   * 0; or, for the kind of a single job that must not use some machines for a while, a number that no other job has.
   */
  exclusion = new Int32Array(256);
  /** Counts up each time the number is given to another kind. */
  version = new Int32Array(256);
  /** Jobs of the kind in the table. */
  private jobs = new Int32Array(256);
  private hash = new Int32Array(256);
  /** The kinds by hash, with open addressing; 0: an empty slot. At most half are taken. */
  private slots = new Int32Array(512);
  /** The numbers given out so far, and those of them that are free. */
  private count = 0;
  private readonly free: number[] = [];
  /** A ring of the kinds whose last job has left: the first to be forgotten is at `idleStart`. */
  private readonly idle: number[];
  private idleStart = 0;
  private idleCount = 0;
  private isIdle = new Uint8Array(256);

  /** @param idleKinds the number of kinds without a job that are remembered, at least 1 */
  constructor(idleKinds = IDLE_KINDS) {
    this.idle = Array.from({ length: idleKinds }, () => 0);
  }

  /** All kinds are below this number, which grows. */
  get capacity(): number {
    return this.cores.length;
  }

  /** What the jobs of a kind ask for. */
  request(kind: number): Required<KindRequest> {
    return {
      cores: this.cores[kind],
      memory: this.memory[kind],
      gpu: this.gpu[kind],
      tasks: this.tasks[kind],
      requirement: this.requirement[kind],
      owner: this.owner[kind],
      family: this.family[kind],
      licences: this.licences[kind],
      account: this.account[kind],
    };
  }

  /** Adds a job of this request to the table. Returns its kind. */
  take(request: KindRequest, exclusion = 0): number {
    const { cores, memory, gpu, tasks, requirement = 0, owner = 0, family = 0 } = request;
    const { licences = 0, account = 0 } = request;
    let hash = Math.imul(cores, 0x9e3779b1) ^ Math.imul(memory, 0x85ebca6b);
    hash ^= Math.imul(gpu, 0xc2b2ae35) ^ Math.imul(tasks, 0x27d4eb2f);
    hash ^= Math.imul(requirement, 0x165667b1) ^ Math.imul(owner, 0x9e3779b9);
    hash ^= Math.imul(family, 0x85ebca77) ^ Math.imul(exclusion, 0xc2b2ae3d);
    hash ^= Math.imul(licences, 0x9e3779bb) ^ Math.imul(account, 0x27d4eb4f);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    hash ^= hash >>> 13;
    let slot = hash & (this.slots.length - 1);
    for (; ; slot = (slot + 1) & (this.slots.length - 1)) {
      const kind = this.slots[slot];
      if (kind === 0) break;
      const isSame =
        this.cores[kind] === cores &&
        this.memory[kind] === memory &&
        this.gpu[kind] === gpu &&
        this.tasks[kind] === tasks &&
        this.requirement[kind] === requirement &&
        this.owner[kind] === owner &&
        this.family[kind] === family &&
        this.licences[kind] === licences &&
        this.account[kind] === account &&
        this.exclusion[kind] === exclusion;
      if (isSame) {
        this.jobs[kind]++;
        return kind;
      }
    }
    const kind = this.newNumber();
    this.cores[kind] = cores;
    this.memory[kind] = memory;
    this.gpu[kind] = gpu;
    this.tasks[kind] = tasks;
    this.requirement[kind] = requirement;
    this.owner[kind] = owner;
    this.family[kind] = family;
    this.licences[kind] = licences;
    this.account[kind] = account;
    this.exclusion[kind] = exclusion;
    this.hash[kind] = hash;
    this.jobs[kind] = 1;
    this.insert(kind);
    return kind;
  }

  /** A job of the kind leaves the table. */
  give(kind: number): void {
    if (--this.jobs[kind] > 0 || this.isIdle[kind] !== 0) return;
    const { idle } = this;
    if (this.idleCount === idle.length) {
      const oldest = idle[this.idleStart];
      this.idleStart = (this.idleStart + 1) % idle.length;
      this.idleCount--;
      this.isIdle[oldest] = 0;
      if (this.jobs[oldest] === 0) this.forget(oldest);
    }
    idle[(this.idleStart + this.idleCount++) % idle.length] = kind;
    this.isIdle[kind] = 1;
  }

  private newNumber(): number {
    const freed = this.free.pop();
    if (freed !== undefined) return freed;
    const kind = ++this.count;
    if (kind === this.cores.length) this.grow();
    return kind;
  }

  private insert(kind: number): void {
    const { slots, hash } = this;
    let slot = hash[kind] & (slots.length - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = kind;
  }

  /** Frees the kind's number. */
  private forget(kind: number): void {
    const { slots, hash } = this;
    const mask = slots.length - 1;
    let gap = hash[kind] & mask;
    while (slots[gap] !== kind) gap = (gap + 1) & mask;
    // Later entries move up, unless that would put them before the slot at which a search for them begins.
    for (let slot = (gap + 1) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const first = hash[slots[slot]] & mask;
      if (((slot - first) & mask) < ((slot - gap) & mask)) continue;
      slots[gap] = slots[slot];
      gap = slot;
    }
    slots[gap] = 0;
    this.version[kind]++;
    this.free.push(kind);
  }

  private grow(): void {
    const kinds = this.slots;
    doubleColumns(this);
    this.slots = new Int32Array(kinds.length * 2);
    for (const kind of kinds) if (kind !== 0) this.insert(kind);
  }
}
