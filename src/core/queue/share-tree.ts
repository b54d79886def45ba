/** A project's share relative to its siblings. */
export interface Share {
  /** A path such as `/unit/project`; a name without a slash is a project at the top. */
  readonly path: string;
  /** More than 0. Projects that are not listed have 1. */
  readonly share: number;
}

/**
 * The hierarchy of shares in a pool: every project is a leaf, and every part of its path above it a node (NetBatch's
 * qslots; Shai 2014, section 1). Nodes are numbered so that parents come before their children.
 *
 * Jobs that count against a path with projects below it get a leaf of their own under that node, with share 1.
 */
export interface ShareTree {
  /** The number of nodes; node 0 is the root. */
  readonly size: number;
  readonly parent: Int32Array;
  readonly share: Float64Array;
  readonly children: readonly (readonly number[])[];
  /** The leaf of each project, in the order in which they were given. */
  readonly leafOf: Int32Array;
}

export function shareTree(projects: readonly string[], shares: readonly Share[]): ShareTree {
  const shareOf = new Map(shares.map(({ path, share }) => [pathOf(path), share]));
  const parent = [-1];
  const share = [1];
  const children: number[][] = [[]];
  const nodeOf = new Map([["", 0]]);

  const addNode = (under: number, due: number): number => {
    const node = parent.length;
    parent.push(under);
    share.push(due);
    children.push([]);
    children[under].push(node);
    return node;
  };
  const nodeFor = (path: string): number => {
    const known = nodeOf.get(path);
    if (known !== undefined) return known;
    const above = nodeFor(path.slice(0, path.lastIndexOf("/")));
    const node = addNode(above, shareOf.get(path) ?? 1);
    nodeOf.set(path, node);
    return node;
  };

  const nodes = projects.map((project) => nodeFor(pathOf(project)));
  const ownLeaf = new Map<number, number>();
  for (const node of new Set(nodes)) ownLeaf.set(node, children[node].length === 0 ? node : addNode(node, 1));
  const leafOf = Int32Array.from(nodes, (node) => ownLeaf.get(node) ?? node);
  return {
    size: parent.length,
    parent: Int32Array.from(parent),
    share: Float64Array.from(share),
    children,
    leafOf,
  };
}

/** `/a/b` for `/a/b/`, `a/b` and `//a/b`. */
function pathOf(project: string): string {
  const parts = project.split("/").filter((part) => part !== "");
  return parts.length === 0 ? "/-" : `/${parts.join("/")}`;
}

/** The part of the pool that each project is due. */
export function dueParts(tree: ShareTree): Float64Array {
  const part = nodeParts(tree);
  return Float64Array.from(tree.leafOf, (leaf) => part[leaf]);
}

/** The part of the pool that each node is due: its share relative to its siblings, times its parent's part. */
export function nodeParts(tree: ShareTree): Float64Array {
  const part = new Float64Array(tree.size);
  part[0] = 1;
  for (let node = 0; node < tree.size; node++) {
    const siblings = tree.children[node];
    const sum = siblings.reduce((total, child) => total + tree.share[child], 0);
    for (const child of siblings) part[child] = (part[node] * tree.share[child]) / sum;
  }
  return part;
}
