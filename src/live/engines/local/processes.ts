import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";

import type { WarningSignal } from "../engine.ts";
import { codeOf } from "../system/disk.ts";

/** The processes of this machine, as the local engine inspects and signals them. */
export interface Processes {
  /** Starts a program and exchanges lines with it. It ends when this process does. */
  exchange(program: string, args: readonly string[], environment: Environment, listener: Listener): Exchange;
  /**
   * All processes, without zombies. Processes that start during the look are included: so if all of a group are found
   * stopped, or none is found, none of it runs.
   */
  all(): Process[];
  /** One of them; null where it is gone. */
  one(pid: number): Process | null;
  /** Does nothing where there is no such process, or it is somebody else's. */
  signal(pid: number, signal: Signal): void;
  /** A variable of the environment that a process was started with. Null: not set, or not to be read. */
  variable(pid: number, name: string): Promise<string | null>;
  /** What new processes could take before the machine has to swap. */
  memoryAvailableMiB(): number;
  /** Memory of its own and its part of what is shared. Null: not to be read. */
  proportionalMiB(pid: number): Promise<number | null>;
}

export type Environment = Readonly<Record<string, string>>;
export type Signal = `SIG${WarningSignal}` | "SIGKILL" | "SIGSTOP";

export interface Listener {
  readonly line: (line: string) => void;
  /** It has ended, or could not be started: it hears and says nothing any more. */
  readonly ended: () => void;
}

export interface Exchange {
  /** Without its line end. */
  send(line: string): void;
  /** Nothing more will be said: it may end. */
  end(): void;
}

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  readonly state: string;
  /** Clock ticks after the boot. With the pid it names a process until the next boot. */
  readonly startTicks: number;
  /** Processor time of its own and of its children that it has waited for. */
  readonly cpuSeconds: number;
  readonly residentMiB: number;
}

/** Stopped, by a signal or by who traces it. */
export function isStopped({ state }: Process): boolean {
  return state === "T" || state === "t";
}

/** Linux always reports 100 ticks a second to user space (USER_HZ), whatever it counts in. */
export const TICKS_PER_SECOND = 100;
/** Of x86 and nearly all others. */
const PAGE_MIB = 4096 / 1024 / 1024;
/** Zombies and dead ones: nothing of them runs. */
const GONE = new Set(["Z", "X", "x"]);
/** A limit, because of processes that fork for ever; stopping and killing look again anyway. */
const MAX_PASSES = 4;

export const systemProcesses: Processes = {
  exchange(program, args, environment, { line, ended }) {
    const child = spawn(program, args, {
      detached: true,
      cwd: "/",
      env: environment,
      stdio: ["pipe", "pipe", "ignore"],
    });
    let isOver = false;
    const over = (): void => {
      if (!isOver) ended();
      isOver = true;
    };
    child.on("error", over);
    child.on("exit", over);
    child.stdin.on("error", () => undefined);
    createInterface({ input: child.stdout }).on("line", line);
    // It does not keep the service's process alive.
    child.unref();
    for (const pipe of [child.stdin, child.stdout] as { unref?: () => void }[]) pipe.unref?.();
    return {
      send: (text) => void child.stdin.write(`${text}\n`),
      end: () => void child.stdin.end(),
    };
  },

  all() {
    const found = new Map<number, Process | null>();
    for (let pass = 0, isNew = true; isNew && pass < MAX_PASSES; pass++) {
      isNew = false;
      for (const name of readdirSync("/proc")) {
        const pid = Number(name);
        if (!Number.isInteger(pid) || found.has(pid)) continue;
        isNew = true;
        found.set(pid, read(pid));
      }
    }
    return [...found.values()].filter((process) => process !== null);
  },

  one: read,

  signal(pid, signal) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (!["ESRCH", "EPERM"].includes(codeOf(error) ?? "")) throw error;
    }
  },

  async variable(pid, name) {
    const text = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
    const found = text.split("\0").find((each) => each.startsWith(`${name}=`));
    return found === undefined ? null : found.slice(name.length + 1);
  },

  memoryAvailableMiB() {
    const match = /^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync("/proc/meminfo", "utf8"));
    return match === null ? Infinity : Number(match[1]) / 1024;
  },

  async proportionalMiB(pid) {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
    const match = /^Pss:\s+(\d+) kB$/m.exec(text);
    return match === null ? null : Number(match[1]) / 1024;
  },
};

/** Null where it is gone. */
function read(pid: number): Process | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return null;
  }
  // The name is in brackets and may have brackets and blanks in it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const field = (number: number): number => Number(fields[number - 3]);
  const state = fields[0] ?? "";
  if (GONE.has(state)) return null;
  return {
    pid,
    parent: field(4),
    session: field(6),
    state,
    startTicks: field(22),
    cpuSeconds: (field(14) + field(15) + field(16) + field(17)) / TICKS_PER_SECOND,
    residentMiB: field(24) * PAGE_MIB,
  };
}
