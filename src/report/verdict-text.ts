import { gainsSentence } from "./gains.ts";
import type { NextSteps } from "./input.ts";
import { nextSentence } from "./next-sentence.ts";
import type { Verdict } from "./verdict.ts";

/** Columns of a terminal that a line takes at most. */
const WIDTH = 120;

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
    .map((line) => `${wrapped(line.replaceAll("\u00a0", "").replaceAll(" %", "%"))}\n`)
    .join("");
}

/** In lines no longer than the tables'; those after the first begin with two blanks. */
function wrapped(text: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = `  ${word}`;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}
