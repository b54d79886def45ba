import type { Exited, StartFailed } from "../engine.ts";

/** The names of an attempt's files, in its folder. */
export const FILES = {
  /** What to run (`launch-file.ts`). It is there before anything is started. */
  launch: "launch",
  /** The claim, or a fence in its place. Made exclusively: a second wrapper does not run. */
  start: "start",
  /** What the wrapper's earlier attempts took, why the job's own program was not reached if so, and how it ended. */
  exit: "exit",
  /** Made by a wrapper that finds a claim of another one. */
  again: "again",
  /** Why the engine ends it; made before the first signal. */
  ending: "ending",
  /** Since when and how long it was suspended, for engines that count this themselves. */
  suspension: "suspension",
  /** Made before the signal that warns of the end of its time. */
  warned: "warned",
  stdout: "stdout",
  stderr: "stderr",
} as const;

/** The wrapper's claim: from here on the attempt has run. */
export interface Claim {
  readonly kind: "claim";
  readonly pid: number;
  /** When the process started, in clock ticks after the boot: with pid and boot its name for ever. */
  readonly startTicks: number;
  readonly boot: string;
  /** By the monotonic clock of that boot. */
  readonly monotonicSeconds: number;
  /** Null where it is not Slurm's. */
  readonly slurmJob: string | null;
  readonly machine: string;
}

/** It did not run, and never will. */
export interface Fence {
  readonly kind: "fence";
  readonly outcome: StartFailed | Exited;
}

/** Null if the record is incomplete or not a record: its writer started nothing. */
export function parseStart(text: string): Claim | Fence | null {
  if (!text.endsWith("\n")) return null;
  if (text.startsWith(FENCE)) return parseFence(text.slice(FENCE.length));
  const match = /^croft-start-1 (\d+) (\d+) ([0-9a-f-]+) (\d+\.\d+) (\S+) (.+)\n$/.exec(text);
  if (match === null) return null;
  const [, pid, startTicks, boot, uptime, slurmJob, machine] = match as unknown as string[];
  return {
    kind: "claim",
    pid: Number(pid),
    startTicks: Number(startTicks),
    boot: boot!,
    monotonicSeconds: Number(uptime),
    slurmJob: slurmJob === "-" ? null : slurmJob!,
    machine: machine!,
  };
}

const FENCE = "croft-fence-1 ";

export function fenceText(outcome: Fence["outcome"]): string {
  return `${FENCE}${JSON.stringify(outcome)}\n`;
}

function parseFence(text: string): Fence | null {
  try {
    const outcome = JSON.parse(text) as Fence["outcome"] | null;
    const isOutcome = outcome?.kind === "start-failed" || outcome?.kind === "exited";
    return isOutcome ? { kind: "fence", outcome } : null;
  } catch {
    return null;
  }
}

/** The wrapper's record of how the attempt ended. */
export interface ExitRecord {
  readonly status: number;
  /** The signal that the status may stand for; null: none. */
  readonly signal: number | null;
  /** By the monotonic clock of the claim's boot. */
  readonly monotonicSeconds: number;
  /** The processor time of processes of it that ended before the record was made. */
  readonly cpuSeconds: number;
  /** Why the job's own program was not reached; null if it was. */
  readonly refused: string | null;
}

/** The status of a job that was refused before its own program began. */
const REFUSED_STATUS = 125;

/** What `times` prints: the shell's own, and that of its children. */
const TIMES = String.raw`\d+m[\d.]+s \d+m[\d.]+s\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s\n`;
const BEFORE = new RegExp(`^${TIMES}`);
/** Pieces may be before it, if the disk was full for a time. */
const EXIT = new RegExp(String.raw`^croft-exit-1 (\d+) (\d+\.\d+)\n${TIMES}end\n$`);
const EXIT_MARK = "croft-exit-1 ";

/** Null where it is cut off, or none. */
export function parseExit(text: string): ExitRecord | null {
  const at = text.lastIndexOf(EXIT_MARK);
  const match = EXIT.exec(text.slice(Math.max(0, at)));
  if (match === null) return null;
  const [code, monotonicSeconds, ...times] = match.slice(1).map(Number) as [number, number, ...number[]];
  const before = BEFORE.exec(text);
  const reason = inOneLine(text.slice(before?.[0].length ?? 0, at));
  return {
    status: code,
    // 64 signals; a shell says 128 + signal. A program may end with such a status by itself, so that is kept too.
    signal: code > 128 && code <= 192 ? code - 128 : null,
    monotonicSeconds,
    cpuSeconds: Math.max(0, secondsOf(times) - secondsOf(before?.slice(1).map(Number) ?? [0, 0, 0, 0])),
    refused: code !== REFUSED_STATUS || reason === "" ? null : reason,
  };
}

function secondsOf(times: readonly number[]): number {
  const [userMinutes, userSeconds, systemMinutes, systemSeconds] = times as [number, number, number, number];
  return 60 * (userMinutes + systemMinutes) + userSeconds + systemSeconds;
}

/** A path in it may have any character. */
function inOneLine(reason: string): string {
  return reason.trim().replaceAll(/\p{Cc}/gu, "?");
}
