import { NONE, type Port } from "../../core/index.ts";
import { awaitedText } from "../service/awaited-pools.ts";
import { pauseSentences } from "../service/pause-sentence.ts";
import type { PlainFarm } from "../service/plain-farm.ts";
import type { Connection } from "../store/connection.ts";

/**
 * Why waiting jobs start nowhere as the farm is: the machines that could hold them are gone, too small, or closed. Jobs
 * that ask for the same are looked at once.
 */
export class Nowhere {
  private readonly port: Port;
  private readonly farm: PlainFarm;
  private readonly connection: Connection;
  private readonly known = new Map<string, string | null>();

  constructor(port: Port, farm: PlainFarm, connection: Connection) {
    this.port = port;
    this.farm = farm;
    this.connection = connection;
  }

  /** @returns null where there is a machine for the job */
  whyOf(handle: number): string | null {
    const { port, known } = this;
    const { jobs, pools } = port.view;
    const { cores, memory, gpu } = jobs.requestOf(handle);
    const at = jobs.poolOf(handle);
    const candidates = at === NONE ? port.view.poolsFor(handle) : [at];
    const asked = [
      cores,
      memory,
      gpu,
      jobs.requirementOf(handle),
      jobs.ownerOf(handle),
      jobs.familyOf(handle),
    ];
    const key = `${asked.join(" ")} ${candidates.join(",")}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const awaited = at === NONE ? port.view.awaitedBy(handle).map((pool) => this.farm.pools[pool]!) : [];
    if (awaited.length > 0) return awaitedText(awaited);
    let [large, usedByOthers] = [0, 0];
    const suitable: { readonly pool: string; readonly machine: string }[] = [];
    let isOpen = false;
    for (const number of candidates) {
      const pool = pools[number]!;
      const { machines } = pool;
      for (let machine = 0; machine < machines.count && !isOpen; machine++) {
        const { capacityCores, capacityMemory, capacityGpu } = machines;
        const isLarge =
          capacityCores[machine]! >= cores &&
          capacityMemory[machine]! >= memory &&
          (gpu === 0 || (capacityGpu?.[machine] ?? 0) >= gpu);
        if (!isLarge) {
          if (machines.couldHold(machine, cores, memory, gpu)) usedByOthers++;
          continue;
        }
        large++;
        // One that has refused it is tried again.
        if (!pool.meets(handle, machine)) continue;
        const { name: poolName, machines: own } = this.farm.pools[number]!;
        suitable.push({ pool: poolName, machine: own[machine]?.name ?? "" });
        isOpen = machines.isInService(machine);
      }
    }
    const names = candidates.map((pool) => this.farm.pools[pool]!.name).join(", ");
    const why = isOpen
      ? null
      : large === 0
        ? usedByOthers > 0
          ? `others than the farm use what it would need of ${usedByOthers === 1 ? "the one machine" : `the ${usedByOthers} machines`} of ${names} that ${usedByOthers === 1 ? "is" : "are"} as large as it asks for`
          : `no machine of ${names} is as large as it asks for`
        : suitable.length === 0
          ? `no machine of ${names} that is large enough meets what it requires`
          : `${suitable.length === 1 ? "the one machine" : `all ${suitable.length} machines`} of ${names} on which it could run ${suitable.length === 1 ? "is" : "are"} closed: ${closedText(suitable, this.connection)}`;
    known.set(key, why);
    return why;
  }
}

/** What closes machines: who has paused their pools or drained them; the others are not told of by a person. */
function closedText(
  machines: readonly { readonly pool: string; readonly machine: string }[],
  connection: Connection,
): string {
  const pauses = pauseSentences(connection);
  const drains = new Map(
    connection.all("SELECT pool, name, reason, actor FROM machine").map((row) => {
      const [pool, name, actor, reason] = ["pool", "name", "actor", "reason"].map((column) =>
        String(row[column]),
      );
      return [`${pool}/${name}`, `drained by ${actor}${reason === "" ? "" : ` (${reason})`}`];
    }),
  );
  const counts = new Map<string, number>();
  for (const { pool, machine } of machines) {
    const paused = pauses.get(pool) ?? pauses.get("");
    const why = paused ?? drains.get(`${pool}/${machine}`) ?? "down, or not reached by the farm";
    counts.set(why, (counts.get(why) ?? 0) + 1);
  }
  // What holds for all of them needs no number.
  const told = Array.from(counts, ([why, count]) => (counts.size === 1 ? why : `${count} ${why}`));
  const more = told.length - MOST_TOLD;
  return more <= 0 ? told.join(", ") : `${told.slice(0, MOST_TOLD).join(", ")}, …`;
}

const MOST_TOLD = 5;
