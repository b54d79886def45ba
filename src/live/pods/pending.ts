import type { Verdict } from "./unit.ts";

/** How many pods that are to be scheduled are on no node, by what they wait for. */
export interface PendingPods {
  /** Their turn, or pods that are about to leave a node for them. */
  readonly active: number;
  /** A binding was refused: the end of a pause. */
  readonly backoff: number;
  /** They could not start though it were their turn. */
  readonly unschedulable: number;
  readonly gated: number;
}

/** Which of them a pod is of that has no gates. */
export function queueOf(verdict: Verdict | undefined): "active" | "backoff" | "unschedulable" {
  switch (verdict?.reason) {
    case undefined:
    case "WaitingForTurn":
    case "Preempting":
      return "active";
    case "BindFailed":
      return "backoff";
    default:
      return "unschedulable";
  }
}
