import { join } from "node:path";

import { stringify } from "yaml";

import { writeFileAtomically } from "../../workload/index.ts";
import { version } from "../package.ts";
import { settingName, type GivenWords } from "./words.ts";

/** The file beside a report with the settings that repeat the run. */
const SAVED_FILE = "settings.yaml";

/** Writes all options of a command, from the command line and from files, as a file of settings. */
export async function saveSettings(folder: string, given: GivenWords): Promise<void> {
  const file = join(folder, SAVED_FILE);
  await writeFileAtomically(file, [settingsText(file, given)]);
}

function settingsText(file: string, { path, command, options, operands }: GivenWords): string {
  const settings = new Map<string, unknown>();
  command.registeredArguments.forEach((argument, at) => {
    if (at < operands.length) settings.set(argument.name(), operands[at]);
  });
  for (const { option, text } of options) {
    const name = settingName(option);
    if (name === "config") continue;
    if (text === null) settings.set(name, !option.negate);
    else if (!settings.has(name)) settings.set(name, scalarOf(text));
    else settings.set(name, [settings.get(name), scalarOf(text)].flat());
  }
  const words = path.join(" ");
  return (
    `# What a run of Croft ${version} was given. In the same folder this makes it again:\n` +
    `# croft ${words} --config ${file}\n` +
    stringify({ [words]: Object.fromEntries(settings) })
  );
}

/** A number where it is written as one. */
function scalarOf(text: string): string | number {
  return String(Number(text)) === text ? Number(text) : text;
}
