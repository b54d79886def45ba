import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { commands } from "./commands.ts";
import { commandWords, optionWords, withCounterpart, withoutCounterpart } from "./counterparts.ts";
import { makeProgram } from "./program.ts";

const page = readFileSync(
  fileURLToPath(new URL("../../docs/live/from-other-queues.md", import.meta.url)),
  "utf8",
);
const program = await makeProgram(commands, true);
const names = program.commands.map((command) => command.name());
const optionsOf = (name: string): string[] => {
  const command = program.commands.find((each) => each.name() === name)!;
  return command.options.flatMap(({ short, long }) => [short ?? "", long ?? ""]);
};

/** Of the page's table: the commands of other queues, by the word that a person types first here. */
function othersCommands(): string[] {
  const cells = page
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .flatMap((line) => line.split(/(?<!\\)\|/).slice(2, -2));
  const codes = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code));
  const first = codes.map((code) => /^(?:pueue |hq )?([a-z_]+)(?: |$)/.exec(code)?.[1]);
  return [...new Set(first.filter((word) => word !== undefined))];
}

/** Not of a queue, or `hq job …`. */
const OTHERS = ["echo", "cd", "a", "deps", "callback", "mysqldump", "pg_dump"];

describe("words of other queues", () => {
  it("are known where the page has them as commands", () => {
    const unknown = othersCommands().filter(
      (word) => !names.includes(word) && !(word in commandWords) && !(word in withoutCounterpart),
    );
    expect(unknown.filter((word) => !OTHERS.includes(word))).toEqual([]);
  });

  it("are no commands or options of croft, which would never be told", () => {
    const words = [...Object.keys(commandWords), ...Object.keys(withoutCounterpart)];
    expect(words.filter((word) => names.includes(word))).toEqual([]);
    for (const [command, options] of Object.entries(optionWords))
      expect(Object.keys(options).filter((word) => optionsOf(command).includes(word))).toEqual([]);
  });

  it("lead to commands and options that are there", () => {
    const told = Object.values(withoutCounterpart).flatMap((text) =>
      [...text.matchAll(/croft (\w+) (?:12 )?(--[\w-]+)?/g)].map(([, ...parts]) => parts.join(" ").trim()),
    );
    for (const ours of [...Object.values(commandWords).flat(), ...told]) {
      const [command, ...options] = ours.split(" ");
      expect(names).toContain(command);
      expect(options.filter((each) => !optionsOf(command).includes(each))).toEqual([]);
    }
    for (const [command, words] of Object.entries(optionWords))
      for (const ours of Object.values(words)) {
        const named = ours.startsWith("--")
          ? [...ours.matchAll(/--\w[\w-]*/g)].filter(([each]) => !optionsOf(command).includes(each))
          : [];
        expect(named).toEqual([]);
        const [, other] = /^croft (\w+)/.exec(ours) ?? [];
        if (other !== undefined) expect(names).toContain(other);
      }
  });

  it.each([
    ["", "error: unknown command 'squeue'\n", "error: unknown command 'squeue'\n(Here: croft jobs. "],
    [
      "",
      "error: unknown command 'status'\n(Did you mean shares?)\n",
      "error: unknown command 'status'\n(Here: croft jobs. ",
    ],
    [
      "",
      "error: croft has no command 'sbatch'; it has a, b\n",
      "error: croft has no command 'sbatch'\n(Here: croft submit. ",
    ],
    [
      "submit",
      "error: unknown option '--mem=2G'\n(Did you mean --memory?)\n",
      "error: unknown option '--mem=2G'\n(Here: --memory, of the whole job. ",
    ],
    [
      "",
      "error: unknown command 'switch'\n(Did you mean wait?)\n",
      "error: unknown command 'switch'\n(Here: croft change 12 --priority 60 has a job go before others. ",
    ],
    ["jobs", "error: unknown option '--me'\n", "error: unknown option '--me'\n(Here: --user NAME. "],
  ])("croft %s: %j is told with what is typed here", (command, text, told) => {
    expect(withCounterpart(command, text)).toBe(`${told}Other queues: docs/live/from-other-queues.md)\n`);
  });

  it.each([
    ["", "error: unknown command 'constructor'\n"],
    ["submit", "error: unknown option '--core'\n(Did you mean --cores?)\n"],
    ["simulate", "error: unknown option '--mem'\n"],
    ["submit", "error: option '--cores <number>' argument '0' is invalid.\n"],
  ])("croft %s: %j stays as it is", (command, text) => {
    expect(withCounterpart(command, text)).toBe(text);
  });
});
