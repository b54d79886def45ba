import type { Capabilities } from "../engine.ts";
import { endRunning, settle } from "./end.ts";
import { exceeded, hasPrintedTooMuch } from "./limits.ts";
import type { Parts } from "./parts.ts";

/**
 * Looks at all that runs: what has ended is settled, what is above a limit is ended.
 *
 * @returns how many processes there are on the machine: what the look cost
 */
export async function lookAt(parts: Parts, limits: Capabilities["limits"]): Promise<number> {
  const { attempts, census, clock, disk, processes, inTurn } = parts;
  const watched = { memory: limits.memory === "watched", cores: limits.cores === "watched" };
  const { members, wrapped, processCount } = await census.look();
  for (const attempt of attempts.values()) {
    const { key, state } = attempt;
    if (state !== "running" && state !== "suspended") continue;
    if (!wrapped.has(key)) {
      inTurn(key, async () => void (await settle(parts, key)));
      continue;
    }
    if (state === "suspended" || attempt.ending !== null) continue;
    const now = clock.monotonicSeconds();
    const limit =
      (await exceeded(attempt, members.get(key) ?? [], now, watched, processes)) ??
      ((await hasPrintedTooMuch(attempt, disk)) ? "output" : null);
    if (limit === null) continue;
    inTurn(key, async () => {
      if (attempt.state === "running") await endRunning(parts, attempt, limit, attempt.limits.graceSeconds);
    });
  }
  return processCount;
}
