import type { Change, Syntax } from "./advice.ts";
import { changeText, PresentSettings } from "./present.ts";

/** Between the values of a setting that has one for prime time and one for the rest. */
const AND = " and ";

/** sched_config: `name: value ALL`, where the last word says when. */
export const schedConfigSyntax: Syntax = {
  read(text) {
    const present = new PresentSettings();
    const values = new Map<string, string[]>();
    for (const line of text.split(/\r?\n/)) {
      const [, name, told] = /^([a-z_]+):\s*(.*?)\s*$/.exec(line) ?? [];
      if (name === undefined) continue;
      const value = told!.replace(/\s+(all)$/i, "");
      values.set(name, [...(values.get(name) ?? []), value]);
    }
    if (!values.has("strict_ordering") && !values.has("by_queue") && !values.has("sched_preempt"))
      return null;
    for (const [name, each] of values) present.set("", name, each.join(AND));
    return present.done();
  },
  write: (changes) =>
    changes.flatMap((change) => [
      `# ${changeText(change)}`,
      line(change.setting.name, change.setting.value!),
    ]),
  back: (changes) =>
    changes.flatMap(({ setting: { name }, was }: Change) =>
      was === null || was === undefined
        ? [`# Take the line out: ${name}:`]
        : was.split(AND).map((value) => line(name, value)),
    ),
};

/** A value for a part of the time says so itself. */
function line(name: string, value: string): string {
  return `${name}: ${value}${/\s(prime|non_prime|none)$/i.test(value) ? "" : "\tALL"}`;
}

/** What `qmgr -c 'print server'` prints. */
export const qmgrSyntax: Syntax = {
  read(text) {
    const present = new PresentSettings();
    for (const line of text.split(/\r?\n/)) {
      const [, name, value] = /^\s*set server (\w+) \+?= (.*?)\s*$/.exec(line) ?? [];
      if (name !== undefined) present.set("", name, value!);
    }
    return present.done();
  },
  write: (changes) =>
    changes.flatMap((change) => [
      `# ${changeText(change)}`,
      `set server ${change.setting.name} = ${change.setting.value}`,
    ]),
  back: (changes) =>
    changes.map(({ setting: { name }, was }) =>
      was === null || was === undefined ? `unset server ${name}` : `set server ${name} = ${was}`,
    ),
};
