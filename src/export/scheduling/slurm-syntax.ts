import type { Change, Syntax } from "./advice.ts";
import { changeText, PresentSettings, type Present } from "./present.ts";

const PARAMETERS = "SchedulerParameters";

/** slurm.conf, or what `scontrol show config` prints. The parts of SchedulerParameters are a place of their own. */
export const slurmSyntax: Syntax = {
  read(text) {
    const present = new PresentSettings();
    let isSlurm = false;
    for (const line of text.replaceAll(/\\\r?\n/g, " ").split(/\r?\n/)) {
      const [, name, told] =
        /^\s*([A-Za-z][\w]*)\s*=\s*(.*)$/.exec(line.replace(/(^|[^\\])#.*$/, "$1")) ?? [];
      // Lines of nodes and partitions have settings of their own.
      if (name === undefined || /^(NodeName|NodeSet|PartitionName|DownNodes|FrontendName)$/i.test(name))
        continue;
      const value = told!.trim();
      isSlurm ||= /^(ClusterName|SlurmctldHost|ControlMachine|SlurmctldPort|SchedulerType)$/i.test(name);
      if (name.toLowerCase() !== PARAMETERS.toLowerCase()) {
        present.set("", name, value);
        continue;
      }
      // The last line counts.
      present.place(PARAMETERS).clear();
      if (value !== "(null)") for (const part of value.split(",")) addPart(present, part.trim());
    }
    return isSlurm ? present.done() : null;
  },

  write(changes, present) {
    const parts = changes.filter(({ setting }) => setting.within !== undefined);
    const own = changes.filter(({ setting }) => setting.within === undefined);
    return [
      ...own.flatMap((change) => [comment(change), `${change.setting.name}=${change.setting.value}`]),
      ...parts.map(comment),
      ...(parts.length === 0
        ? []
        : present === null
          ? [
              "# All parameters are in one line, and a second line would drop those of the first: add these to those",
              "# that are there. With --against slurm.conf this is the whole line.",
              `#${PARAMETERS}=${parts.map(({ setting }) => partText(setting.name, setting.value ?? "")).join(",")}`,
            ]
          : [`${PARAMETERS}=${withParts(parts, present)}`]),
    ];
  },

  back(changes, present) {
    const own = changes.filter(({ setting }) => setting.within === undefined);
    const parts = partsOf(present);
    return [
      ...own.map(({ setting: { name }, was }) =>
        was === null || was === undefined ? `# Take the line out: ${name}=` : `${name}=${was}`,
      ),
      ...(own.length === changes.length
        ? []
        : parts.length === 0
          ? [`# Take the line out: ${PARAMETERS}=`]
          : [`${PARAMETERS}=${parts.map(([name, value]) => partText(name, value)).join(",")}`]),
    ];
  },
};

function comment(change: Change): string {
  return `# ${changeText(change)}`;
}

function addPart(present: PresentSettings, part: string): void {
  if (part === "") return;
  const equals = part.indexOf("=");
  if (equals === -1) present.set(PARAMETERS, part, "");
  else present.set(PARAMETERS, part.slice(0, equals).trim(), part.slice(equals + 1).trim());
}

function partsOf(present: Present): [string, string][] {
  return [...(present.get(PARAMETERS) ?? [])];
}

/** The site's own parameters in their order, with those of the policy in place of the same ones or behind them. */
function withParts(changes: readonly Change[], present: Present): string {
  const parts = new Map(partsOf(present));
  for (const { setting } of changes) parts.set(setting.name.toLowerCase(), setting.value ?? "");
  return [...parts].map(([name, value]) => partText(name, value)).join(",");
}

function partText(name: string, value: string): string {
  return value === "" ? name : `${name}=${value}`;
}
