import type { PauseView } from "../../live/service/farm-views.ts";

/** Who lets a pool start nothing, and why. */
export function pauseText({ actor, reason, isOfFarm }: PauseView): string {
  return `${isOfFarm ? "paused with the farm" : "paused"} by ${actor}${reason === "" ? "" : `: ${reason}`}`;
}
