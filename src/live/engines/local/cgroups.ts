import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, basename, join } from "node:path";

import { parseAttemptKey } from "../attempt-id.ts";
import type { Limits } from "../engine.ts";

/**
 * The cgroup that the service moves itself into, since a cgroup with processes cannot have children with controllers.
 */
const SERVICE = "croft-service";
/** The period that the kernel shares cores out in, in microseconds. */
const PERIOD_MICROS = 100_000;
const MIB = 1024 * 1024;

/**
 * A cgroup (version 2) for each attempt: its processes are counted and killed by the kernel, none escapes, and where
 * controllers are delegated to us, its limits cannot be exceeded.
 */
export class Cgroups {
  /** Whether the kernel keeps these limits. */
  readonly memory: boolean;
  readonly cores: boolean;
  readonly folder: string;
  private readonly isOurs: boolean;

  /**
   * @param folder for the attempts' cgroups, made if it is not there
   * @param isOurs whether we have chosen it, and remove it
   */
  constructor(folder: string, isOurs = false) {
    this.folder = folder;
    this.isOurs = isOurs;
    mkdirSync(folder, { recursive: true });
    const given = enabled(dirname(folder)) && enabled(folder);
    const controllers = given ? words(join(folder, "cgroup.subtree_control")) : [];
    this.memory = controllers.includes("memory");
    this.cores = controllers.includes("cpu");
  }

  /** @returns the attempt's cgroup, with its limits */
  create(key: string, { memoryMiB, coresMilli }: Limits): string {
    const path = join(this.folder, key);
    mkdirSync(path, { recursive: true });
    if (this.memory && memoryMiB !== null) {
      write(join(path, "memory.max"), String(memoryMiB * MIB));
      // Above the limit the kernel kills the whole job, not just one of its processes.
      write(join(path, "memory.oom.group"), "1");
      if (existsSync(join(path, "memory.swap.max"))) write(join(path, "memory.swap.max"), "0");
    }
    if (this.cores && coresMilli !== null)
      write(join(path, "cpu.max"), `${Math.max(1000, (coresMilli * PERIOD_MICROS) / 1000)} ${PERIOD_MICROS}`);
    return path;
  }

  /** Maps each pid in our cgroups to its attempt's key. */
  pids(): Map<number, string> {
    const pids = new Map<number, string>();
    for (const key of readdirSync(this.folder, { withFileTypes: true }))
      if (key.isDirectory())
        for (const pid of wordsWithin(join(this.folder, key.name))) pids.set(Number(pid), key.name);
    return pids;
  }

  isEmpty(path: string): boolean {
    // Of it and all below it; one that is gone is empty, too.
    return !text(join(path, "cgroup.events")).includes("populated 1");
  }

  /** Kills all that is in one, at once. */
  kill(path: string): void {
    if (existsSync(join(path, "cgroup.kill"))) write(join(path, "cgroup.kill"), "1");
  }

  usage(path: string): CgroupUsage {
    const peak = Number(text(join(path, "memory.peak")));
    const cpu = /^usage_usec (\d+)$/m.exec(text(join(path, "cpu.stat")));
    const killed = /^oom_kill (\d+)$/m.exec(text(join(path, "memory.events")));
    return {
      memoryPeakMiB: peak > 0 ? peak / MIB : null,
      cpuSeconds: cpu === null ? null : Number(cpu[1]) / 1e6,
      isOverMemory: killed !== null && Number(killed[1]) > 0,
    };
  }

  /** Removes what attempts that are over, or forgotten, have left empty: a process may take its time to go. */
  tidy(isOver: (key: string) => boolean): void {
    for (const { name } of readdirSync(this.folder, { withFileTypes: true }).filter((each) =>
      each.isDirectory(),
    ))
      if (parseAttemptKey(name) !== null && isOver(name)) this.remove(join(this.folder, name));
  }

  /** The service ends: ours goes too, unless attempts are left in it. The next service makes it again. */
  close(): void {
    try {
      if (this.isOurs) rmdirSync(this.folder);
    } catch {
      // Attempts run on.
    }
  }

  /** Removes one that is empty, with those that a job may have made in it; leaves it where it is not. */
  remove(path: string): void {
    try {
      for (const each of readdirSync(path, { withFileTypes: true }))
        if (each.isDirectory()) this.remove(join(path, each.name));
      rmdirSync(path);
    } catch {
      // It still has processes, and `tidy` removes it later; or it is gone already.
    }
  }
}

export interface CgroupUsage {
  readonly memoryPeakMiB: number | null;
  readonly cpuSeconds: number | null;
  /** Whether the kernel killed a process of it because memory ran out. */
  readonly isOverMemory: boolean;
}

/**
 * A path for `name` below the cgroup of this process, if we may make cgroups there; otherwise null.
 *
 * With systemd: `Delegate=yes`, `DelegateSubgroup=croft-service` and `KillMode=process` in the unit.
 */
export function cgroupPlace(name: string): string | null {
  try {
    const own = ownCgroup()?.folder;
    if (own === undefined) return null;
    // The root cgroup has no type, and takes processes beside cgroups.
    const isRoot = !existsSync(join(own, "cgroup.type"));
    const isAside = basename(own) === SERVICE;
    const place = isAside ? dirname(own) : own;
    if (!isRoot && !isAside && words(join(own, "cgroup.procs")).every((pid) => Number(pid) === process.pid)) {
      mkdirSync(join(own, SERVICE), { recursive: true });
      writeFileSync(join(own, SERVICE, "cgroup.procs"), String(process.pid));
    }
    // A trial: if this works, the cgroups of attempts can be made too.
    mkdirSync(join(place, name), { recursive: true });
    return join(place, name);
  } catch {
    return null;
  }
}

/**
 * The folder of this process's cgroup in the version 2 hierarchy, and that of the hierarchy itself.
 *
 * @param read a file's text; empty where there is none
 */
export function ownCgroup(
  read: (path: string) => string = text,
): { readonly folder: string; readonly root: string } | null {
  const path = /^0::(.*)$/m.exec(read("/proc/self/cgroup"))?.[1];
  for (const line of read("/proc/self/mountinfo").split("\n")) {
    const [mount, kind] = line.split(" - ");
    const [, , , root, point] = mount!.split(" ");
    if (path === undefined || !kind?.startsWith("cgroup2 ")) continue;
    if (path === root || root === "/" || path.startsWith(`${root}/`))
      return { folder: join(point!, root === "/" ? path : path.slice(root!.length)), root: point! };
  }
  return null;
}

/** Hands memory and cores on to the cgroups below; false where there is nothing to hand on, or it is refused. */
function enabled(folder: string): boolean {
  const wanted = words(join(folder, "cgroup.controllers")).filter(
    (each) => each === "memory" || each === "cpu",
  );
  try {
    for (const each of wanted) writeFileSync(join(folder, "cgroup.subtree_control"), `+${each}`);
  } catch {
    return false;
  }
  return wanted.length > 0;
}

/** The processes in a cgroup and in all below it. */
function wordsWithin(folder: string): string[] {
  try {
    const below = readdirSync(folder, { withFileTypes: true }).filter((each) => each.isDirectory());
    return [
      ...words(join(folder, "cgroup.procs")),
      ...below.flatMap((each) => wordsWithin(join(folder, each.name))),
    ];
  } catch {
    return [];
  }
}

function words(path: string): string[] {
  return text(path)
    .split(/\s+/)
    .filter((word) => word !== "");
}

function text(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** If the kernel refuses the value, the engine watches that limit itself. */
function write(path: string, value: string): void {
  try {
    writeFileSync(path, value);
  } catch {
    // The cgroup is gone, or the value was refused.
  }
}
