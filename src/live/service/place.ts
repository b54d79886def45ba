import type { PlainFarm } from "./plain-farm.ts";
import { listed, Refusal } from "../refusal.ts";

/**
 * The virtual pool and the list of candidate pools that a name means; null: the first virtual pool.
 *
 * @throws Refusal where there is no pool of that name
 */
export function placeOf(
  { pools, virtualPools }: PlainFarm,
  name: string | null,
): { virtualPool: number; candidates: number } {
  if (name === null) return { virtualPool: 0, candidates: 0 };
  const virtualPool = virtualPools.findIndex((each) => each.name === name);
  if (virtualPool >= 0) return { virtualPool, candidates: 0 };
  const pool = pools.findIndex((each) => each.name === name);
  const connected = virtualPools.findIndex((each) => each.pools.includes(pool));
  if (pool < 0 || connected < 0)
    throw new Refusal(
      422,
      `there is no pool ${JSON.stringify(name)}: ${listed([...pools, ...virtualPools].map((each) => each.name))}`,
    );
  return { virtualPool: connected, candidates: pool + 1 };
}
