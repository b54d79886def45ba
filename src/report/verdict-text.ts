import { gainsSentence } from "./gains.ts";
import type { Verdict } from "./verdict.ts";

/** The verdict as plain text for a terminal: the sentence, and what weakens it. Units stand close, as in the table. */
export function renderVerdict({ sentence, gains, hasVerdict, cautions }: Verdict): string {
  const who = hasVerdict ? gainsSentence(gains) : "";
  return [sentence, ...(who === "" ? [] : [who]), ...cautions.map((caution) => `Note: ${caution}`)]
    .map((line) => `${line.replaceAll("\u00a0", "").replaceAll(" %", "%")}\n`)
    .join("");
}
