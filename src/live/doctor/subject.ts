import type { Farm } from "../../workload/index.ts";
import type { Host } from "./host.ts";

/** The farm that is looked at, which may run or not, and the machine under it. */
export interface Subject {
  /** As its file has it, or the error with which the file is refused. */
  readonly farm: Farm | Error;
  /** Null: the farm of this machine, without a file. */
  readonly farmFile: string | null;
  /** Whose engine and hooks are looked at; null: every pool's. */
  readonly pool: string | null;
  /** Absolute paths. */
  readonly data: string;
  readonly socket: string;
  /** Of this Croft. */
  readonly version: string;
  readonly host: Host;
}

/** The pools that are looked at; none where the file is refused. */
export function poolsOf({ farm, pool }: Subject): Farm["pools"] {
  if (farm instanceof Error) return [];
  return farm.pools.filter(({ name }) => pool === null || name === pool);
}

/** Whether the pools that are looked at are those of `croft schedule-pods`, which keeps nothing and runs nothing here. */
export function isForPods(subject: Subject): boolean {
  const { farm } = subject;
  if (farm instanceof Error) return false;
  const looked = poolsOf(subject);
  // There may be none of that name.
  const pools = looked.length === 0 ? farm.pools : looked;
  return pools.every(({ engine }) => engine?.settings["schedule"] === "all");
}
