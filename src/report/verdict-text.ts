import { wrap } from "../workload/wrap.ts";
import type { NextSteps } from "./input.ts";
import { nextSentence } from "./next-sentence.ts";
import { terminalText } from "./numbers.ts";
import { sensitivitySentence } from "./sensitivity.ts";
import { TERMINAL_WIDTH } from "./table.ts";
import type { Verdict } from "./verdict.ts";

/** The indent of a sentence's second and further lines. */
const INDENT = "  ";

/** What a verdict says, in the order to read it: what the simulation cannot see comes first. */
export function verdictLines(verdict: Verdict): string[] {
  const { unseen, sentence, losers, confidence, better, ties, sensitivity, machines, cautions } = verdict;
  return [
    ...unseen.map((each) => `First: ${each}`),
    losers === "" ? sentence : `${sentence} ${losers}`,
    confidence,
    better,
    ties,
    sensitivitySentence(sensitivity),
    machines,
    ...cautions.map((caution) => `Note: ${caution}`),
  ].filter((line) => line !== "");
}

/** The verdict as plain text for a terminal. No line breaks between a number and its unit. */
export function renderVerdict(verdict: Verdict, next?: NextSteps): string {
  return [...verdictLines(verdict), ...(next === undefined ? [] : [`Next: ${nextSentence(next, verdict)}`])]
    .map((line) => wrap(line.replaceAll(" %", "%"), TERMINAL_WIDTH - INDENT.length))
    .map((lines) => `${terminalText(lines.join(`\n${INDENT}`))}\n`)
    .join("");
}
