import { wrap } from "../workload/wrap.ts";
import { gainsSentence } from "./gains.ts";
import type { NextSteps } from "./input.ts";
import { nextSentence } from "./next-sentence.ts";
import { closePercent } from "./numbers.ts";
import { TERMINAL_WIDTH } from "./table.ts";
import type { Verdict } from "./verdict.ts";

/** Before the lines of a sentence that follow its first. */
const INDENT = "  ";

/**
 * The verdict as plain text for a terminal: the sentence, who gains, what weakens it and what to do next. Units stand
 * close, as in the table.
 */
export function renderVerdict(verdict: Verdict, next?: NextSteps): string {
  const { sentence, gains, hasVerdict, cautions } = verdict;
  const who = hasVerdict ? gainsSentence(gains) : "";
  return [
    sentence,
    ...(who === "" ? [] : [who]),
    ...cautions.map((caution) => `Note: ${caution}`),
    ...(next === undefined ? [] : [`Next: ${nextSentence(next, verdict)}`]),
  ]
    .map((line) => wrap(closePercent(line).replaceAll("\u00a0", ""), TERMINAL_WIDTH - INDENT.length))
    .map((lines) => `${lines.join(`\n${INDENT}`)}\n`)
    .join("");
}
