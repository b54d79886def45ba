import type { Verdict } from "./verdict.ts";

/** The verdict as plain text for a terminal: the sentence, and what weakens it. Units stand close, as in the table. */
export function renderVerdict({ sentence, cautions }: Verdict): string {
  return [sentence, ...cautions.map((caution) => `Note: ${caution}`)]
    .map((line) => `${line.replaceAll("\u00a0", "").replaceAll(" %", "%")}\n`)
    .join("");
}
