import type { Clock } from "../system/clock.ts";
import { HOOK } from "./hooks.ts";
import { MARK } from "./census.ts";
import type { Parts } from "./parts.ts";
import type { Processes } from "./processes.ts";

const PATIENCE_SECONDS = 5;
const BETWEEN_LOOKS_SECONDS = 0.05;

/** Whether the processes of a hook of an attempt are meant. */
type IsMeant = (key: string, hook: string) => boolean;

/**
 * Kills processes of prologs and epilogs, also those that have left the group of theirs.
 *
 * @returns those that are still there
 */
export async function endHooks(
  processes: Processes,
  clock: Clock,
  isMeant: IsMeant,
): Promise<readonly number[]> {
  const end = clock.monotonicSeconds() + PATIENCE_SECONDS;
  for (;;) {
    const left = await hookProcesses(processes, isMeant);
    if (left.length === 0 || clock.monotonicSeconds() > end) return left;
    for (const pid of left) processes.signal(pid, "SIGKILL");
    await new Promise<void>((resolve) => clock.after(BETWEEN_LOOKS_SECONDS, resolve));
  }
}

/**
 * Kills the prologs and epilogs that a service has left running when it was killed: they are run again, and two of an
 * attempt would run at once. What a prolog has started that was over before the attempt began is left alone.
 */
export async function endLeftHooks({ processes, clock, attempts, report }: Parts): Promise<void> {
  const left = await endHooks(processes, clock, (key, hook) => {
    const attempt = attempts.get(key);
    return attempt !== undefined && hook === (attempt.claim === null ? "prolog" : "epilog");
  });
  if (left.length > 0)
    report({
      kind: "notice",
      text: `left of an earlier service: the processes ${left.join(", ")}`,
      warns: true,
    });
}

async function hookProcesses(processes: Processes, isMeant: IsMeant): Promise<number[]> {
  const found: number[] = [];
  for (const { pid } of processes.all()) {
    const hook = await processes.variable(pid, HOOK);
    if (hook !== null && isMeant((await processes.variable(pid, MARK)) ?? "", hook)) found.push(pid);
  }
  return found;
}
