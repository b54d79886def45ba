import { gpusText, queueText, type GroupEvidence } from "../../simulation/index.ts";
import { memoryText } from "../../core/index.ts";
import { machineMemoryText } from "./memory-text.ts";
import { table } from "./tables.ts";

/** Why a job cannot use the machines of a pool, a group of machines that are alike a line. */
export function evidenceTable(groups: readonly GroupEvidence[]): string {
  return table(
    [
      { title: "machines", text: ({ machines }) => String(machines), right: true },
      { title: "such as", text: ({ example }) => example },
      { title: "cores", text: ({ cores }) => String(cores), right: true },
      {
        title: "memory",
        text: ({ memoryMiB }) => machineMemoryText(memoryMiB),
        right: true,
      },
      { title: "", text: whyNot },
    ],
    groups,
  );
}

function whyNot(group: GroupEvidence): string {
  const { unmet, tooSmall, drained, refused, otherFamilies, reserved, tooFull, nearest, withRoom } = group;
  const short = [
    ...(nearest !== null && nearest.coresShort > 0
      ? [nearest.coresShort === 1 ? "1 core" : `${nearest.coresShort} cores`]
      : []),
    ...(nearest !== null && nearest.memoryShortMiB > 0 ? [memoryText(nearest.memoryShortMiB)] : []),
    ...(nearest !== null && nearest.gpusShort > 0 ? [gpusText(nearest)] : []),
  ];
  const parts: [number, string][] = [
    [withRoom, "with room"],
    [tooFull, nearest === null ? "too full" : `too full: ${nearest.machine} lacks ${short.join(" and ")}`],
    [drained, "take no jobs"],
    [refused, "could not start it a short while ago"],
    [otherFamilies, "reserved to other families"],
    [reserved, "reserved for others before its limit is over"],
    [tooSmall, "too small even when empty"],
  ];
  if (unmet !== null) return queueText({ ...unmet, machines: 1 }) ?? `${unmet.part} is not met: ${unmet.has}`;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => (count === group.machines ? what : `${count} ${what}`))
    .join("; ");
}
