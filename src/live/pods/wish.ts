import { usedBy } from "../engines/kubernetes/pod-use.ts";
import { parseDuration } from "../../workload/input/durations.ts";
import type { Wish } from "./nodes.ts";
import type { ScheduledPod } from "./objects.ts";
import { termsOf } from "./terms.ts";

/** How long a pod will run, such as `90m`: for policies that fill gaps. */
export const RUN_TIME = "croft.dev/run-time";

/** All that a pod asks of the decision engine. */
export interface PodWish extends Wish {
  readonly priority: number;
  /** The text of its family's label; empty: it is of none. */
  readonly family: string;
  /** Infinity: not known. */
  readonly estimateSeconds: number;
}

/** The largest amount that the decision engine counts. */
const MOST = 2 ** 31 - 1;

/** In whole thousandths and MiB, none less than asked for. The decision engine knows no job without cores. */
export function wishOf(pod: ScheduledPod, gpuResource: string, familyLabel: string | null): PodWish {
  const use = usedBy(pod, gpuResource);
  const whole = (amount: number): number => Math.min(MOST, Math.ceil(amount - 1e-9));
  return {
    coresMilli: Math.max(1, whole(use.coresMilli)),
    memoryMiB: whole(use.memoryMiB),
    gpuMilli: whole(use.gpuMilli),
    terms: termsOf(pod),
    tasks: 1,
    priority: pod.spec.priority ?? 0,
    family: familyLabel === null ? "" : (pod.metadata.labels?.[familyLabel] ?? ""),
    estimateSeconds: estimateOf(pod),
  };
}

/** The annotation, or the time after which the pod is ended in any case. */
function estimateOf({ metadata: { annotations }, spec }: ScheduledPod): number {
  const text = annotations?.[RUN_TIME];
  const seconds = text === undefined ? NaN : durationOf(text);
  return seconds > 0 ? seconds : (spec.activeDeadlineSeconds ?? Infinity);
}

/** What is wrong with the annotation; null: nothing. */
export function wrongRunTime({ metadata: { annotations } }: ScheduledPod): string | null {
  const text = annotations?.[RUN_TIME];
  if (text === undefined || durationOf(text) > 0) return null;
  return `its annotation ${RUN_TIME} is no duration, such as 90m: ${JSON.stringify(text.slice(0, 40))}`;
}

function durationOf(text: string): number {
  const bytes = new TextEncoder().encode(text.slice(0, 100));
  return parseDuration(bytes, 0, bytes.length);
}
