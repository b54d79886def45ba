import { WHOLE_NODE, type OnlinePolicy } from "../fractional/index.ts";
import { InputError, type Machines } from "../../workload/index.ts";
import type { NodeNeeds } from "./synthetic-needs.ts";

/**
 * The speeds of the nodes, in whole percents; undefined where all are alike.
 *
 * @throws InputError where they cannot be used
 */
export function speedsOf(
  speeds: readonly number[] | null,
  machines: Machines,
  { name, periodic, allocation }: OnlinePolicy,
  needs: NodeNeeds,
): Int32Array | undefined {
  if (speeds === null) return undefined;
  if (speeds.length !== machines.count)
    throw new InputError(
      `there are speeds for ${speeds.length} nodes, and ${machines.count} nodes: give one for each, as in ${machines.count}x0.5`,
    );
  const percents = Int32Array.from(speeds, (speed) => Math.round(WHOLE_NODE * speed));
  const wrong = speeds.findIndex((speed, node) => !(speed <= 1) || !(percents[node] >= 1));
  if (wrong >= 0)
    throw new InputError(`a node's speed is ${speeds[wrong]}: it must be from 0.01 to 1, the fastest kind's`);
  if (!allocation.isTimeless || periodic?.name === "stretch-per")
    throw new InputError(
      `policy ${name}: the search for the lowest maximum stretch is for nodes of one speed: take /per and /OPT=MIN`,
    );
  // Shares are whole percents, at least one for a task.
  const least = needs.memory.reduce((low, memory) => Math.min(low, memory), WHOLE_NODE);
  const slowest = percents.reduce((low, percent) => Math.min(low, percent), WHOLE_NODE);
  if (Math.floor(WHOLE_NODE / least) > slowest)
    throw new InputError(
      `${Math.floor(WHOLE_NODE / least)} tasks of ${least} % of the memory fit on a node, and one of speed ${slowest / 100} has ${slowest} percents of CPU to share out: leave such small jobs out, or take faster nodes`,
    );
  return percents;
}
