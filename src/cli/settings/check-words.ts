import { existsSync } from "node:fs";

import type { Command, Option } from "commander";

import { InputError } from "../../workload/index.ts";
import { takeApart, type GivenWords } from "./words.ts";

/**
 * Refuses what commander would take in silence, or not understand: an option of one value that is given again, of which
 * the last would count, and a misspelt value of an option that may go without.
 *
 * @throws InputError
 */
export function checkWords(program: Command, words: readonly string[]): void {
  const given = takeApart(program, words);
  if (given === null || given.rest.includes("--help") || given.rest.includes("-h")) return;
  for (const [option, texts] of textsOf(given)) {
    if (!doesLastCount(option, texts)) continue;
    throw new InputError(
      `${option.long} is given ${texts.join(" and ")}, of which only the last would count: give one`,
    );
  }
  refuseMisspelt(given);
}

/** By option that takes a value: the values that it is given. */
function textsOf({ options }: GivenWords): ReadonlyMap<Option, readonly string[]> {
  const texts = new Map<Option, string[]>();
  for (const { option, text } of options) {
    if (!option.required && !option.optional) continue;
    const given = text ?? String(option.presetArg);
    const known = texts.get(option);
    if (known === undefined) texts.set(option, [given]);
    else known.push(given);
  }
  return texts;
}

/** Whether a value takes the place of one before it, rather than being added to it. */
function doesLastCount(option: Option, texts: readonly string[]): boolean {
  if (texts.length < 2 || option.variadic) return false;
  const { parseArg } = option;
  if (parseArg === undefined) return true;
  try {
    let before: unknown = parseArg(texts[0]!, undefined);
    for (const text of texts.slice(1)) {
      const alone: unknown = parseArg(text, undefined);
      const both: unknown = parseArg(text, before);
      const isAdded = typeof both === "object" && !isSame(both, alone);
      // What is in a list once more is in it all the same.
      if (!isAdded && !(typeof both === "object" && isSame(before, alone))) return true;
      before = both;
    }
    return false;
  } catch {
    // The option says itself what is wrong.
    return false;
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** With more arguments than the command has, a word that is no file was meant for the option before it. */
function refuseMisspelt({ command, options, operands }: GivenWords): void {
  const { registeredArguments } = command;
  if (registeredArguments.some(({ variadic }) => variadic)) return;
  if (operands.length <= registeredArguments.length) return;
  for (const { option, next } of options) {
    if (next === undefined || !option.optional || option.argChoices === undefined) continue;
    if (next.startsWith("-") || existsSync(next)) continue;
    throw new InputError(`${option.long}: "${next}" is none of ${option.argChoices.join(", ")}`);
  }
}
