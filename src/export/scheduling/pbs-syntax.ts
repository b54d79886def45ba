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

/** What a queue has of its own in place of the server's. */
const OF_QUEUES = "backfill_depth";

/** What `qmgr -c 'print server'` prints: the server's, and what queues have of their own in its place. */
export const qmgrSyntax: Syntax = {
  read(text) {
    const present = new PresentSettings();
    for (const line of text.split(/\r?\n/)) {
      const [, queue, name, value] = /^\s*set (?:server|queue (\S+)) (\w+) \+?= (.*?)\s*$/.exec(line) ?? [];
      if (name === undefined || (queue !== undefined && name !== OF_QUEUES)) continue;
      // Also where only queues are told.
      present.place("");
      present.set(queue ?? "", name, value!);
    }
    return present.done();
  },
  write: (changes) =>
    changes.flatMap((change) => [
      `# ${whose(change)}${changeText(change)}`,
      `set ${objectOf(change)} ${change.setting.name} = ${change.setting.value}`,
    ]),
  back: (changes) =>
    changes.map((change) => {
      const { setting, was } = change;
      return was === null || was === undefined
        ? `unset ${objectOf(change)} ${setting.name}`
        : `set ${objectOf(change)} ${setting.name} = ${was}`;
    }),
};

function objectOf({ place }: Change): string {
  return place === "" ? "server" : `queue ${place}`;
}

function whose({ place }: Change): string {
  return place === "" ? "" : `In queue ${place}, in place of the server's: `;
}
