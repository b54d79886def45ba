/** A job in Slurm's queue. */
export interface SlurmJob {
  readonly id: string;
  readonly state: string;
  /** Whose it is. */
  readonly uid: number;
  readonly reason: string;
  /** Running time, suspended time left out. */
  readonly usedSeconds: number;
  /** Where it runs or ran; empty where it never did, as far as Slurm knows. */
  readonly nodes: string;
  readonly name: string;
  readonly comment: string;
}

/** What an attempt is known by in Slurm, beside its name. */
export function commentOf(key: string): string {
  return `croft ${key}`;
}

/** The user's own texts come last, and the comment, which may be anything, after the name. */
export const QUEUE_FIELDS = "|%i|%T|%U|%M|%N|%r|%j|%k";

/** @param nonce what each true line begins with; anything else is a line end in somebody's name or comment */
export function parseQueue(text: string, nonce: string): SlurmJob[] {
  const jobs: SlurmJob[] = [];
  for (const piece of text.split(nonce).slice(1)) {
    const match = /^\|(\d+)\|([A-Z_]+)\|(\d+)\|([^|]*)\|([^|]*)\|([^|]*)\|([^|\n]*)\|([^\n]*)/.exec(piece);
    if (match === null) continue;
    const [, id, state, uid, used, nodes, reason, name, comment] = match as unknown as string[];
    jobs.push({
      id: id!,
      state: state!,
      uid: Number(uid),
      reason: reason!,
      usedSeconds: secondsOf(used!),
      nodes: nodes!,
      name: name!,
      comment: comment!,
    });
  }
  return jobs;
}

/** `1-02:03:04`, `02:03:04`, `03:04`; what is none of these is 0. */
function secondsOf(time: string): number {
  const match = /^(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)$/.exec(time);
  if (match === null) return 0;
  const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  return ((days! * 24 + hours!) * 60 + minutes!) * 60 + seconds!;
}

const OVER = new Set([
  "BOOT_FAIL",
  "CANCELLED",
  "COMPLETED",
  "DEADLINE",
  "FAILED",
  "NODE_FAIL",
  "OUT_OF_MEMORY",
  "PREEMPTED",
  "REVOKED",
  "TIMEOUT",
]);

/** Slurm is done with it: nothing of it runs, and nothing will. */
export function isOver({ state }: SlurmJob): boolean {
  return OVER.has(state);
}

/** Waits, and nothing that happens by itself will let it start. */
export function isHopeless({ state, reason }: SlurmJob): boolean {
  return (
    state === "PENDING" &&
    /^(?:BadConstraints|PartitionConfig|PartitionNodeLimit|PartitionTimeLimit|Invalid|Assoc|QOS|AccountNotAllowed|QOSNotAllowed)/.test(
      reason,
    )
  );
}

/** Somebody, this engine too, or Slurm itself after a launch that failed, keeps it from starting. */
export function isHeld({ state, reason }: SlurmJob): boolean {
  return state === "PENDING" && /held|JobLaunchFailure|launch failed/i.test(reason);
}
