import type { Change, Syntax } from "./advice.ts";
import { changeText, PresentSettings, type Present } from "./present.ts";

const PARAMETERS = "SchedulerParameters";

/** A line has one, of which slurmctld takes off the quotes. */
const PAIR = /^\s*([A-Za-z]\w*)\s*=\s*(?:"([^"]*)"|(.*))/;
/** Lines of these have settings of their own. */
const OTHERS = /^(NodeName|NodeSet|PartitionName|DownNodes|FrontendName)$/i;

/** slurm.conf, or what `scontrol show config` prints. The parts of SchedulerParameters are a place of their own. */
export const slurmSyntax: Syntax = {
  parts: PARAMETERS,

  read(text) {
    const present = new PresentSettings();
    let isSlurm = false;
    let isWhole = true;
    for (const whole of linesOf(text)) {
      const line = whole.replace(/(^|[^\\])#.*$/, "$1");
      isWhole &&= !/^\s*Include\s/i.test(line);
      const [, name, quoted, bare] = PAIR.exec(line) ?? [];
      if (name === undefined || OTHERS.test(name)) continue;
      isSlurm ||= /^(ClusterName|SlurmctldHost|ControlMachine|SlurmctldPort|SchedulerType)$/i.test(name);
      set(present, name, (quoted ?? bare!).trim());
    }
    // A line that replaces one in another file would drop the parameters that are there.
    if (isSlurm && !isWhole)
      throw new RangeError(
        "it has Include lines, which are not followed: give what scontrol show config prints",
      );
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

/** Lines with those that they go on in. */
function linesOf(text: string): string[] {
  return text
    .replaceAll(/,\\\r?\n[ \t]*/g, ",")
    .replaceAll(/\\\r?\n/g, "")
    .split(/\r?\n/);
}

function set(present: PresentSettings, name: string, value: string): void {
  if (name.toLowerCase() !== PARAMETERS.toLowerCase()) {
    present.set("", name, value);
    return;
  }
  // The last line counts.
  present.place(PARAMETERS).clear();
  if (value !== "(null)") for (const part of value.split(",")) addPart(present, part.trim());
}

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
