import { formatCount } from "../report/index.ts";
import { onMachinesOfQueues, type Machines, type QueuedWorkload, type Workload } from "../workload/index.ts";
import { say } from "./terminal.ts";

/** The queues that are named; the others are only counted. */
const NAMED = 5;

/**
 * Sends jobs to the machines of their queues, where the machines tell that, and says so on standard error; null where
 * they do not.
 */
export function toMachinesOfQueues(workload: Workload, machines: Machines): QueuedWorkload | null {
  const placed = onMachinesOfQueues(workload, machines);
  if (placed === null) return null;
  const { queues, unknown } = placed;
  if (queues.length > 0) {
    const named = queues.map(({ name, machines: count }) => `${name} ${formatCount(count)}`);
    say(
      `${workload.name}: jobs go to the machines of their queue, of ${formatCount(machines.count)}: ${listed(named)}; ` +
        "limits, priorities and rights of queues are not known, and all jobs wait in one line",
    );
  }
  if (unknown.length > 0)
    say(`${workload.name}: queues that no machine of the list names: ${listed(unknown)}`);
  return placed;
}

function listed(names: readonly string[]): string {
  const more = names.length > NAMED ? `, and ${formatCount(names.length - NAMED)} more` : "";
  return `${names.slice(0, NAMED).join(", ")}${more}`;
}
