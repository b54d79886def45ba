import type { AttemptId } from "../attempt-id.ts";
import type { Outcome } from "../engine.ts";
import { newAttempt, NO_RECORD, type AttemptRecord, type Ending, type KubernetesAttempt } from "./attempt.ts";
import { attemptPath, outputPath, recordPath, type Parts } from "./parts.ts";

/** Writes down how the attempt stands. Rejects where the disk fails. */
export async function save(parts: Parts, { key, record }: KubernetesAttempt): Promise<void> {
  await parts.disk.makeFolder(attemptPath(parts, key));
  await parts.disk.writeWhole(recordPath(parts, key), `${JSON.stringify(record)}\n`);
}

/** Changes the record, and returns when the change is written down. */
export async function change(
  parts: Parts,
  attempt: KubernetesAttempt,
  what: Partial<AttemptRecord>,
): Promise<void> {
  attempt.record = { ...attempt.record, ...what };
  await parts.insist(() => save(parts, attempt));
}

/** Keeps the outcome of an attempt, and reports it. */
export async function finish(parts: Parts, attempt: KubernetesAttempt, outcome: Outcome): Promise<void> {
  await change(parts, attempt, { outcome });
  attempt.state = "over";
  attempt.cancelRetry();
  parts.report(outcome);
}

/** Tells that what an attempt printed is not kept to its end: there, and in a notice. */
export async function tellLostOutput(parts: Parts, attempt: KubernetesAttempt, lost: string): Promise<void> {
  const text = `the end of what ${attempt.key} printed is lost: ${lost}`;
  parts.report({ kind: "notice", text, warns: true });
  await change(parts, attempt, { lostOutput: lost });
  const line = `\ncroft: the end of what was printed is lost: ${lost}\n`;
  await parts.insist(() => parts.disk.append(outputPath(parts, attempt.key), line));
}

/** Ends an attempt; one that has not run never will. */
export async function endAttempt(
  parts: Parts,
  id: AttemptId,
  before: KubernetesAttempt | undefined,
  ending: Ending,
): Promise<void> {
  const attempt = before ?? newAttempt(id, NO_RECORD);
  parts.attempts.set(attempt.key, attempt);
  // An attempt that was heard of for the first time has no pod.
  if (before === undefined) attempt.presence = "gone";
  // A second end may have a shorter grace.
  if (attempt.record.ending?.graceSeconds !== ending.graceSeconds) attempt.isDeleted = false;
  await change(parts, attempt, { ending });
  parts.reconcileSoon(attempt);
}
