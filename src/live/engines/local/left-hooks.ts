import { HOOK } from "./hooks.ts";
import { MARK } from "./census.ts";
import type { Parts } from "./parts.ts";

const PATIENCE_SECONDS = 5;
const BETWEEN_LOOKS_SECONDS = 0.05;

/**
 * Kills the prologs and epilogs that a service has left running when it was killed: they are run again, and two of an
 * attempt would run at once. What a prolog has started that was over before the attempt began is left alone.
 */
export async function endLeftHooks(parts: Parts): Promise<void> {
  const { processes, clock, report } = parts;
  const end = clock.monotonicSeconds() + PATIENCE_SECONDS;
  for (;;) {
    const left = await leftHooks(parts);
    if (left.length === 0) return;
    if (clock.monotonicSeconds() > end)
      return report({ kind: "notice", text: `left of an earlier service: the processes ${left.join(", ")}` });
    for (const pid of left) processes.signal(pid, "SIGKILL");
    await new Promise<void>((resolve) => clock.after(BETWEEN_LOOKS_SECONDS, resolve));
  }
}

async function leftHooks({ processes, attempts }: Parts): Promise<number[]> {
  const left: number[] = [];
  for (const { pid } of processes.all()) {
    const hook = await processes.variable(pid, HOOK);
    if (hook === null) continue;
    const attempt = attempts.get((await processes.variable(pid, MARK)) ?? "");
    if (attempt !== undefined && hook === (attempt.claim === null ? "prolog" : "epilog")) left.push(pid);
  }
  return left;
}
