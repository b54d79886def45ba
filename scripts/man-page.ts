import type { Command, Option } from "commander";

/** The manual of the program and all its commands, in roff with the `man` macros. */
export function manPage(program: Command, version: string): string {
  return [
    `.TH CROFT 1 "" "Croft ${version}" "User Commands"`,
    ".SH NAME",
    `croft \\- ${text(firstSmall(program.description()))}`,
    ".SH SYNOPSIS",
    ".B croft",
    "\\fICOMMAND\\fR [\\fIOPTIONS\\fR]",
    ".SH DESCRIPTION",
    text(
      "Give it a log of jobs and a list of machines: it replays the log under every policy you name, and writes a report: " +
        "which policy would have cut waiting, by how much, how sure that is, and why.",
    ),
    ".SH COMMANDS",
    ...leavesOf(program, "").flatMap(({ name, command }) => commandLines(name, command)),
    ".SH FILES",
    ...item("croft.yaml", "In the folder where a command is run: options by name, under the command's."),
    ...item(
      "settings.yaml",
      "Beside a report: what the run was given. --config takes it, and makes the run again.",
    ),
    ".SH EXIT STATUS",
    ...item("0", "Done."),
    ...item("1", "Failed: a full disk, an error of Croft's."),
    ...item("2", "Bad usage or bad input, with what to do about it."),
    "",
  ].join("\n");
}

/** The commands that can be run, by their full names, such as `workload inspect`. */
function leavesOf(command: Command, before: string): { readonly name: string; readonly command: Command }[] {
  return command.commands.flatMap((each) => {
    const name = `${before}${each.name()}`;
    return each.commands.length === 0 ? [{ name, command: each }] : leavesOf(each, `${name} `);
  });
}

function commandLines(name: string, command: Command): string[] {
  const { helper, usage } = { helper: command.createHelp(), usage: command.usage() };
  const uses = usage.split("\n").map((line) => line.trim().replace(/^croft \S+ /, ""));
  return [
    `.SS croft ${text(name)}`,
    ...uses.flatMap((each) => [".PP", `\\fBcroft ${text(name)}\\fR ${text(each)}`]),
    ".PP",
    text(`${firstCapital(command.description())}.`),
    ...helper
      .visibleArguments(command)
      .filter(({ description }) => description !== "")
      .flatMap((argument) => item(argument.name(), helper.argumentDescription(argument), "I")),
    ...helper
      .visibleOptions(command)
      .flatMap((option: Option) => item(option.flags, helper.optionDescription(option))),
  ];
}

/** A term and what it means. */
function item(term: string, meaning: string, font: "B" | "I" = "B"): string[] {
  return [".TP", `\\f${font}${text(term)}\\fR`, text(meaning)];
}

/** Escapes a text, so that roff takes nothing in it for a request or an escape. */
function text(plain: string): string {
  return plain
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(
      /[^\0-\x7f]/gu,
      (letter) => `\\[u${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`,
    )
    .replace(/^(['.])/, "\\&$1")
    .replaceAll("\n", "\n\\&");
}

function firstSmall(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");
}

function firstCapital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
