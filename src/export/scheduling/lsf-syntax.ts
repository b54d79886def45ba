import type { Change, Syntax } from "./advice.ts";
import { changeText, PresentSettings } from "./present.ts";

/** lsb.queues: sections from Begin Queue to End Queue, each with its QUEUE_NAME. */
export const lsfQueuesSyntax: Syntax = {
  read(text) {
    const present = new PresentSettings();
    let section: [name: string, value: string][] | null = null;
    for (const line of text.replaceAll(/\\\r?\n/g, " ").split(/\r?\n/)) {
      if (/^\s*Begin\s+Queue\b/i.test(line)) section = [];
      const [, name, value] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(line.replace(/#.*$/, "")) ?? [];
      if (name !== undefined) section?.push([name, value!]);
      if (!/^\s*End\s+Queue\b/i.test(line) || section === null) continue;
      const queue = section.find(([each]) => each.toUpperCase() === "QUEUE_NAME")?.[1];
      if (queue !== undefined) {
        present.place(queue);
        for (const [each, told] of section) present.set(queue, each, told);
      }
      section = null;
    }
    return present.done();
  },

  write(changes) {
    return byQueue(changes, (change) => {
      const { name, value } = change.setting;
      return [
        `# ${changeText(change)}`,
        value === null ? `# Take the line out: ${name}` : `${name} = ${value}`,
      ];
    });
  },

  back(changes) {
    return byQueue(changes, ({ setting: { name }, was }) => [
      was === null || was === undefined ? `# Take the line out: ${name}` : `${name} = ${was}`,
    ]);
  },
};

function byQueue(changes: readonly Change[], lines: (change: Change) => string[]): string[] {
  const queues = [...new Set(changes.map(({ place }) => place))];
  return queues.flatMap((queue) => [
    ...(queue === "" ? [] : [`# Queue ${queue}:`]),
    ...changes.filter(({ place }) => place === queue).flatMap(lines),
  ]);
}
