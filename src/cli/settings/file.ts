import type { Command, Option } from "commander";

import { nearest, readYaml, type FileNode } from "../../workload/index.ts";
import { settingName, type GivenWords } from "./words.ts";

/** The settings of a command, from a file. */
interface FileSettings {
  /** Options to insert before those of the command line, and operands to append. */
  readonly options: string[];
  readonly operands: string[];
  /** The names of the settings that are used, and of those that the command line overrides. */
  readonly used: string[];
  readonly overruled: string[];
}

/** Whose settings a command takes where a file that was named has none for it: a run is explained as it was made. */
const borrowedFrom: ReadonlyMap<string, string> = new Map([
  ["explain", "simulate"],
  ["shares", "simulate"],
]);

/**
 * Reads what a file of settings says for a command: a mapping of commands, each with its options and arguments by
 * name. A list is an option given several times.
 *
 * @param commands the names of all commands
 * @param isNamed whether the command line names the file
 * @throws InputError with file and line for an unknown command, option or value
 */
export async function readSettings(
  file: string,
  given: GivenWords,
  commands: readonly string[],
  isNamed: boolean,
): Promise<FileSettings> {
  const whole = await readYaml(file);
  const sections = whole.entries;
  if (sections === null) return whole.refuse(`commands by name should stand here, not ${whole.found}`);
  for (const [name, section] of sections) refuseUnknown(name, section, given, commands);
  const words = given.path.join(" ");
  const own = sections.get(words);
  const section = own ?? (isNamed ? sections.get(borrowedFrom.get(words) ?? "") : undefined);
  const read: FileSettings = { options: [], operands: [], used: [], overruled: [] };
  if (section === undefined || section.scalar === null) return read;
  const { entries } = section;
  if (entries === null) return section.refuse(`options by name should stand here, not ${section.found}`);
  // What was printed or written of that run is no matter.
  const borrowed = settingNames(given.command).filter((name) => name !== "json");
  for (const [name, node] of entries)
    if (own !== undefined || borrowed.includes(name)) readSetting(name, node, given, read);
  return read;
}

/** The names of a command's arguments and options. */
function settingNames({ registeredArguments, options }: Command): string[] {
  return [
    ...registeredArguments.map((argument) => argument.name()),
    ...options.map(settingName).filter((each) => each !== "config"),
  ];
}

function readSetting(name: string, node: FileNode, given: GivenWords, read: FileSettings): void {
  const { command } = given;
  const place = command.registeredArguments.findIndex((argument) => argument.name() === name);
  const option = command.options.find((each) => settingName(each) === name && name !== "config");
  if (option !== undefined) {
    const words = wordsOf(option, node);
    if (isOverruled(option, given)) read.overruled.push(name);
    else {
      read.used.push(name);
      read.options.push(...words);
    }
  } else if (place !== -1) {
    const text = textOf(node);
    if (isOperandGiven(place, given)) read.overruled.push(name);
    else {
      read.used.push(name);
      read.operands.push(text);
    }
  } else {
    const near = nearest(name, settingNames(command)).join(", ");
    node.refuse(`there is no such option; did you mean ${near}?`);
  }
}

/** Whether the command line has the argument at a place. `--longest` stands for the job that is explained, the first. */
function isOperandGiven(place: number, { operands, options }: GivenWords): boolean {
  const isFirstLeftOut = options.some(({ option }) => option.long === "--longest");
  return operands.length > (isFirstLeftOut ? place - 1 : place);
}

/** Checks only the first word of a section for another command; the rest is checked when that command runs. */
function refuseUnknown(
  name: string,
  section: FileNode,
  { path, command }: GivenWords,
  commands: readonly string[],
): void {
  const [first = ""] = name.split(" ");
  let top = command;
  for (let depth = path.length; depth > 1; depth--) top = top.parent!;
  const own = pathsOf(top, "");
  const isKnown = first === path[0] ? own.includes(name) : commands.includes(first);
  if (isKnown) return;
  if (command.options.some((option) => settingName(option) === name))
    section.refuse(`an option stands below its command: { ${path.join(" ")}: { ${name}: … } }`);
  const near = nearest(name, [...commands.filter((each) => each !== path[0]), ...own]).join(", ");
  section.refuse(`there is no such command; did you mean ${near}?`);
}

/** The commands that can be run, by their full names. */
function pathsOf(command: Command, before: string): string[] {
  const path = before + command.name();
  return command.commands.length === 0
    ? [path]
    : command.commands.flatMap((each) => pathsOf(each, `${path} `));
}

/** Options that exclude each other and that commander does not know to be exclusive. */
const EITHER_OR = ["machines", "farm"];

/** Whether the command line has the option, or one that excludes it. */
function isOverruled(option: Option, { options }: GivenWords): boolean {
  // A time to live goes with a way of packing, which the command line may have replaced.
  const packing = options.findLast(({ option: each }) => each.long === "--packing")?.text;
  if (option.long === "--ttl" && packing != null && !packing.includes("exclusive")) return true;
  const fairShare = options.findLast(({ option: each }) => each.long === "--fair-share");
  const isOfUsage = option.long === "--half-life" || option.long === "--fair-share-of";
  if (isOfUsage && fairShare !== undefined && fairShare.text !== "usage") return true;
  return options.some((given) => {
    const [own, other] = [option.attributeName(), given.option.attributeName()];
    return (
      own === other ||
      conflictsOf(option).includes(other) ||
      conflictsOf(given.option).includes(own) ||
      (EITHER_OR.includes(own) && EITHER_OR.includes(other))
    );
  });
}

/** The options that conflict with an option; commander's types do not have them. */
function conflictsOf(option: Option): readonly string[] {
  return (option as unknown as { readonly conflictsWith: readonly string[] }).conflictsWith;
}

function wordsOf(option: Option, node: FileNode): string[] {
  const { long } = option;
  const { items, entries, scalar } = node;
  if (!option.required && (!option.optional || typeof scalar === "boolean")) {
    if (typeof scalar !== "boolean") node.refuse(`true or false should stand here, not ${node.found}`);
    return scalar === !option.negate ? [long!] : [];
  }
  if (items === null && entries === null) return [`${long}=${textOf(node)}`];
  const texts =
    items === null ? Array.from(entries!, ([key, value]) => `${key}=${textOf(value)}`) : items.map(textOf);
  if (texts.length > 0 && !takesSeveral(option, texts[0]!))
    node.refuse(`one value should stand here, not ${node.found}`);
  return texts.map((text) => `${long}=${text}`);
}

function textOf(node: FileNode): string {
  const { scalar } = node;
  if (typeof scalar === "string") return scalar;
  if (typeof scalar === "number" || typeof scalar === "bigint") return String(scalar);
  return node.refuse(`text or a number should stand here, not ${node.found}`);
}

/** Whether an option collects several values: a list of policies, pairs of columns. */
function takesSeveral(option: Option, text: string): boolean {
  if (option.variadic) return true;
  try {
    const parsed: unknown = option.parseArg?.(text, undefined);
    return typeof parsed === "object" && parsed !== null;
  } catch {
    // Commander will say what is wrong with it.
    return true;
  }
}
