import type { BusyQueue, Trial } from "../../report/index.ts";
import { resizeFarm, resizeMachines, resizeSome, type WaitsByPart } from "../../simulation/index.ts";
import { machinesOfQueue, type Workload } from "../../workload/index.ts";
import { isFarm, type Place } from "./place.ts";

/** A queue in which less of all waiting is says little of where machines are missing. */
const MOST_WAITING = 0.5;
const FACTORS = [0.9, 1.1] as const;

/** Machines to try: how many, in words, and the same place with them. */
export interface OtherMachines extends Required<Pick<Trial, "what" | "on">> {
  readonly place: (place: Place) => Place;
}

/**
 * The queue that most waiting is in, where only some of the machines take its jobs: machines of other queues would do
 * nothing for these.
 *
 * @param waits under what the farm does now, simulated
 */
export function busyQueueOf(
  waits: WaitsByPart | undefined,
  { queue }: Pick<Workload, "queue">,
  place: Place,
): BusyQueue | undefined {
  if (waits === undefined || queue === null || isFarm(place)) return undefined;
  const sumOf = (parts: readonly { jobs: number; waitMeanSeconds: number }[]): number =>
    parts.reduce((sum, { jobs, waitMeanSeconds }) => sum + jobs * waitMeanSeconds, 0);
  const all = sumOf(waits.cores);
  const most = (waits.queues ?? []).find((part) => sumOf([part]) > MOST_WAITING * all);
  if (most === undefined) return undefined;
  const machines = machinesOfQueue(place, most.name).length;
  return machines === 0 || machines === place.count
    ? undefined
    : { name: most.name, waitsShare: sumOf([most]) / all, machines, allMachines: place.count };
}

/** A tenth fewer and more machines: of the busy queue, and at least one of these, or of all. */
export function otherMachines(busy: BusyQueue | undefined): readonly OtherMachines[] {
  return FACTORS.flatMap((factor): OtherMachines[] => {
    const on = factor < 1 ? "fewer" : "more";
    if (busy === undefined)
      return [
        {
          on,
          what: `10 % ${on} machines`,
          place: (place) => (isFarm(place) ? resizeFarm(place, factor) : resizeMachines(place, factor)),
        },
      ];
    const { name, machines } = busy;
    const size = machines + Math.sign(factor - 1) * Math.max(1, Math.round(machines * Math.abs(factor - 1)));
    if (size === 0) return [];
    return [
      {
        on,
        what: `${size} machines of queue ${name} in place of ${machines}`,
        place: (place) => (isFarm(place) ? place : resizeSome(place, machinesOfQueue(place, name), size)),
      },
    ];
  });
}
