import type { Syntax } from "./advice.ts";
import { changeText, PresentSettings } from "./present.ts";

/** The scheduler's configuration, as `qconf -ssconf` prints it: `name   value`. */
export const schedulerConfigSyntax: Syntax = {
  read(text) {
    if (!/^schedule_interval\s/m.test(text)) return null;
    const present = new PresentSettings();
    for (const line of text.replaceAll(/\\\r?\n\s*/g, "").split(/\r?\n/)) {
      const [, name, value] = /^(\w+)\s+(.*?)\s*$/.exec(line) ?? [];
      if (name !== undefined) present.set("", name, value!);
    }
    return present.done();
  },
  write: (changes) =>
    changes.flatMap((change) => [
      `# ${changeText(change)}`,
      line(change.setting.name, change.setting.value!),
    ]),
  back: (changes) =>
    changes.map(({ setting: { name, byDefault }, was }) => line(name, was ?? byDefault ?? "NONE")),
};

function line(name: string, value: string): string {
  return `${name.padEnd(33)} ${value}`;
}

/** sge_request: options that jobs are submitted with unless they say otherwise. */
export const requestSyntax: Syntax = {
  read(text) {
    const lines = text.split(/\r?\n/).filter((each) => each.trim() !== "" && !each.startsWith("#"));
    if (lines.some((each) => !each.startsWith("-"))) return null;
    const present = new PresentSettings();
    present.place("");
    for (const each of lines) {
      const value = /(?:^|\s)-R\s+(\w+)/.exec(each)?.[1];
      if (value !== undefined) present.set("", "-R", value);
    }
    return present.done();
  },
  write: (changes) =>
    changes.flatMap((change) => [
      `# ${changeText(change)}`,
      change.setting.value === null ? "# Take the line out: -R" : `-R ${change.setting.value}`,
    ]),
  back: (changes) =>
    changes.map(({ was }) => (was === null || was === undefined ? "# Take the line out: -R" : `-R ${was}`)),
};
