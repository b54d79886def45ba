import type { FarmFrames } from "../../simulation/packing/frames.ts";

/** How a farm is laid out: so many nodes a row that the picture is about square; 800 nodes of 8 slots are 80 × 80. */
interface FarmLayout {
  readonly nodesPerRow: number;
  readonly rows: number;
  /** In slots; a gap follows each node. */
  readonly width: number;
  readonly height: number;
}

/** Between a node and the next, in slots. */
export const NODE_GAP = 0.6;

export function layoutOf({ nodes, slots }: Pick<FarmFrames, "nodes" | "slots">): FarmLayout {
  const nodesPerRow = Math.max(1, Math.min(nodes, Math.round(Math.sqrt(nodes * slots) / slots)));
  const rows = Math.ceil(nodes / nodesPerRow);
  return { nodesPerRow, rows, width: nodesPerRow * (slots + NODE_GAP) - NODE_GAP, height: rows };
}
