import type { RunResult } from "../../simulation/result.ts";
import { colour } from "../charts/marks.ts";
import { markup } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { legendOf } from "../sections/parts.ts";

/** What a slot can show, in the order of its states: see `SlotTable`. */
export interface SlotState {
  readonly name: string;
  /** As CSS says it. */
  readonly fill: string;
}

/** Series colours that stand out against the ordinary jobs' grey. */
const familyColours = [3, 1, 2, 4, 6, 0, 5];

export function slotStates({ packing, lostJobs }: Pick<RunResult, "packing" | "lostJobs">): SlotState[] {
  const families = packing?.families.map(({ family }) => family) ?? [];
  return [
    { name: "free", fill: "var(--ground)" },
    { name: "no slot", fill: "none" },
    { name: "ordinary job", fill: "var(--farm-ordinary)" },
    ...families.map((name, i) => ({ name, fill: colour(familyColours[i % familyColours.length]!) })),
    // Only in runs in which machines fail.
    ...(lostJobs === undefined ? [] : [{ name: "down", fill: colour(7) }]),
  ];
}

/** Colours and names, in one line. */
export function stateLegend(states: readonly SlotState[]): Markup {
  const shown = states.filter(({ fill }) => fill !== "none");
  return legendOf(
    shown.map(({ name, fill }) => ({
      name,
      mark: markup`<rect x="0.5" y="0.5" width="11" height="11" fill="${fill}" stroke="var(--muted)"/>`,
      width: 12,
    })),
  );
}
