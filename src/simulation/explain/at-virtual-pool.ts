import type { View, WaitReason } from "../../core/index.ts";
import type { Reason } from "./explanation.ts";
import type { WaitReasons } from "./reasons.ts";

/** Jobs of a pool's queue that are named. */
const NAMED = 5;

/**
 * Why a job waits at its virtual pool: that no pool has room for it, and what keeps it out of each of them. A limit
 * holds in all pools. A licence of which one pool has enough is not what it waits for.
 *
 * @param told adds what only the driver knows to a reason that holds in a pool
 */
export function noPoolHasRoom(
  view: View,
  words: WaitReasons,
  {
    handle,
    pools,
    now,
  }: { readonly handle: number; readonly pools: readonly number[]; readonly now: number },
  told: (reason: Reason, pool: number, lacks: WaitReason) => Reason = (reason) => reason,
): Reason[] {
  const each = pools.map((number) => {
    const pool = view.pools[number];
    // What is free there is for those that wait there.
    const lacks = { ...pool.lacksFor(handle), ahead: pool.queue(now, NAMED), aheadCount: pool.waiting };
    return words.passedBy(handle, number, lacks, now).map((reason) => told(reason, number, lacks));
  });
  const limits = (each[0] ?? []).filter(({ kind }) => kind === "limit");
  const forLicences = each.filter((reasons) => reasons.some(({ kind }) => kind === "licence"));
  const isForLicence = forLicences.length === each.length;
  // Where machines of one pool have room, and only a licence is missing, those of others are not what it waits for.
  const hasRoomBesides =
    !isForLicence && forLicences.some((reasons) => reasons.every(({ kind }) => kind === "licence"));
  const others = each.flat().filter(({ kind }) => {
    if (kind === "limit" || kind === "share used") return false;
    if (kind === "licence") return isForLicence;
    return !hasRoomBesides || kind === "too full";
  });
  return [{ kind: "no pool has room", pools: words.poolNames(pools) }, ...limits, ...others];
}
