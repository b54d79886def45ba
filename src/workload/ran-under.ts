import type { RecordedFarm } from "./workload.ts";

/** What Croft ran, as a log says it that has no other place for it: `easy; interval 0 s`. */
export type RanUnder = Pick<RecordedFarm, "policy" | "intervalSeconds">;

/** Before the text, in a note of a header. */
export const RAN_NOTE = "ran under Croft's policy: ";

const SEVERAL = "several policies";
const FORM = /^(\S+|several policies)(?:; interval (\d{1,9}(?:\.\d{1,9})?) s)?$/;

/** Undefined for logs of other systems. */
export function ranUnderText(farm: RecordedFarm | null): string | undefined {
  if (farm?.policy === undefined) return undefined;
  const { policy, intervalSeconds } = farm;
  return `${policy ?? SEVERAL}${intervalSeconds === undefined ? "" : `; interval ${intervalSeconds} s`}`;
}

/** Nothing where the text is another's. */
export function readRanUnder(text: string): RanUnder {
  const [, policy, seconds] = FORM.exec(text.trim()) ?? [];
  if (policy === undefined) return {};
  return {
    policy: policy === SEVERAL ? null : policy,
    ...(seconds === undefined ? {} : { intervalSeconds: Number(seconds) }),
  };
}
