import type { Use } from "../engines/kubernetes/pod-use.ts";

/** What a pod takes that is no job of the decision engine there. */
export interface Other extends Use {
  /** It is on the node by our choice all the same. */
  readonly isOurs: boolean;
}

/** By node: what pods take that are no jobs of the decision engine. */
export class Others {
  private readonly byNode = new Map<string, Map<string, Other>>();
  private readonly nodeOf = new Map<string, string>();

  /**
   * A pod takes this of a node; null: it takes nothing.
   *
   * @param changed called with each node that has something else now
   */
  set(uid: string, node: string | null, use: Use, isOurs: boolean, changed: (node: string) => void): void {
    const before = this.nodeOf.get(uid);
    const { coresMilli, memoryMiB, gpuMilli } = use;
    const other = { coresMilli, memoryMiB, gpuMilli, isOurs };
    if (before !== undefined) {
      if (before === node && isSame(this.byNode.get(node)!.get(uid)!, other)) return;
      this.byNode.get(before)!.delete(uid);
      this.nodeOf.delete(uid);
      changed(before);
    }
    if (node === null) return;
    this.nodeOf.set(uid, node);
    const others = this.byNode.get(node) ?? new Map<string, Other>();
    this.byNode.set(node, others.set(uid, other));
    changed(node);
  }

  /** The pods that are on a node by our choice. */
  oursOn(node: string): string[] {
    return [...this.on(node)].filter(([, { isOurs }]) => isOurs).map(([uid]) => uid);
  }

  on(node: string): Iterable<[string, Other]> {
    return this.byNode.get(node) ?? [];
  }
}

function isSame(left: Other, right: Other): boolean {
  return (
    left.isOurs === right.isOurs &&
    left.coresMilli === right.coresMilli &&
    left.memoryMiB === right.memoryMiB &&
    left.gpuMilli === right.gpuMilli
  );
}
