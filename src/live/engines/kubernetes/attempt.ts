import { attemptKey, type AttemptId } from "../attempt-id.ts";
import type { KnownAttempt, Limits, Outcome, Placement, Started } from "../engine.ts";
import { NO_LIMITS } from "../limits.ts";
import type { Pod } from "./objects.ts";
import type { PodManifest } from "./pod.ts";

/** What is kept of an attempt in its file. It is written before what follows from it is done in the cluster. */
export interface AttemptRecord {
  readonly placement: readonly Placement[];
  readonly limits: Limits;
  /** Null: it was ended before it was started. */
  readonly pod: PodManifest | null;
  /** The claim: of all pods of this name only the one with this UID is ever bound. Null: none is. */
  readonly uid: string | null;
  readonly ending: Ending | null;
  readonly outcome: Outcome | null;
  /** Why the end of what it printed is lost; absent: it is not. */
  readonly lostOutput?: string;
}

export interface Ending {
  /** `patience`: it did not start on its machine in time. `refused`: the service may not start it at present. */
  readonly cause: "asked" | "patience" | "refused";
  readonly graceSeconds: number;
  readonly reason: string;
}

/** An attempt as the engine keeps it in memory. Times are by the monotonic clock. */
export interface KubernetesAttempt {
  readonly id: AttemptId;
  readonly key: string;
  record: AttemptRecord;
  state: KnownAttempt["state"];
  started: Started | null;
  /** Whether this engine was asked to start it: then its pod is created and bound. */
  isWanted: boolean;
  /** Its pod as last seen. Null: not seen yet. */
  pod: Pod | null;
  /**
   * - `there`: it was seen and may still be there.
   * - `missing`: a list did not have it, so it is asked for.
   * - `gone`: there is no pod with the claimed UID any more.
   */
  presence: "there" | "missing" | "gone";
  /** Whether `pod` is what the API told last of a pod that is gone. */
  isFinal: boolean;
  isBound: boolean;
  /** When this engine first saw or made it bound. */
  boundAt: number | null;
  /** When its pod was first seen to have failed while its container ran. */
  failedAt: number | null;
  /** Whether the pod was asked to be deleted by this engine. */
  isDeleted: boolean;
  /** Of requests one after another. */
  failures: number;
  cancelRetry: () => void;
  /** Whether it is dealt with soon, so that many events at once count as one. */
  isQueued: boolean;
}

export const NO_RECORD: AttemptRecord = {
  placement: [],
  limits: NO_LIMITS,
  pod: null,
  uid: null,
  ending: null,
  outcome: null,
};

export function newAttempt(id: AttemptId, record: AttemptRecord): KubernetesAttempt {
  return {
    id,
    key: attemptKey(id),
    record,
    state: record.outcome === null ? "starting" : "over",
    started: null,
    isWanted: false,
    pod: null,
    presence: "missing",
    isFinal: false,
    isBound: false,
    boundAt: null,
    failedAt: null,
    isDeleted: false,
    failures: 0,
    cancelRetry: () => undefined,
    isQueued: false,
  };
}

export function known({ id, state, started, record }: KubernetesAttempt): KnownAttempt {
  if (state === "over") return { id, state, outcome: record.outcome! };
  if (state === "starting") return { id, state };
  return { id, state, started: started! };
}
