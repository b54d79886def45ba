import { wrap } from "../workload/wrap.ts";
import { gainsSentence } from "./gains.ts";
import type { NextSteps } from "./input.ts";
import { nextSentence } from "./next-sentence.ts";
import { terminalText } from "./numbers.ts";
import { TERMINAL_WIDTH } from "./table.ts";
import type { Verdict } from "./verdict.ts";

/** The indent of a sentence's second and further lines. */
const INDENT = "  ";

/**
 * The verdict as plain text for a terminal: the sentence, who gains, what weakens it and what to do next. No line
 * breaks between a number and its unit.
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
    .map((line) => wrap(line.replaceAll(" %", "%"), TERMINAL_WIDTH - INDENT.length))
    .map((lines) => `${terminalText(lines.join(`\n${INDENT}`))}\n`)
    .join("");
}
