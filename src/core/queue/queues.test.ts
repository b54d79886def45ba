import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { shareTree, type ShareTree } from "../index.ts";
import { aJob, aPool, equalMachines, startedOf } from "../pool/pool.fixture.ts";

/** The path from a project's leaf up to the root, as shares. */
function sharesUp(tree: ShareTree, project: number): number[] {
  const shares: number[] = [];
  for (let node = tree.leafOf[project]; node > 0; node = tree.parent[node]) shares.push(tree.share[node]);
  return shares;
}

describe("the share tree", () => {
  const segment = fc.constantFrom("a", "b", "c");
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join("/")}`);

  it("has a leaf for every project, and parents before children", () => {
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 12 }), (projects) => {
        const tree = shareTree(projects, []);
        expect(new Set(tree.leafOf).size).toBe(projects.length);
        for (const leaf of tree.leafOf) expect(tree.children[leaf]).toEqual([]);
        for (let node = 1; node < tree.size; node++) {
          expect(tree.parent[node]).toBeLessThan(node);
          expect(tree.children[tree.parent[node]]).toContain(node);
        }
        expect(tree.children.flat()).toHaveLength(tree.size - 1);
        // Every inner node is part of some project's path, and exists once.
        const parts = new Set(
          projects.flatMap((project) => {
            const names = project.split("/").slice(1);
            return names.map((_, i) => names.slice(0, i + 1).join("/"));
          }),
        );
        const own = projects.filter((project) => projects.some((other) => other.startsWith(`${project}/`)));
        expect(tree.size).toBe(1 + parts.size + own.length);
      }),
    );
  });

  it("has the shares of every part of a path, with 1 for parts that are not listed", () => {
    const tree = shareTree(
      ["/unit/one", "/unit/two", "/other", "/unit"],
      [
        { path: "/unit", share: 3 },
        { path: "/unit/two", share: 5 },
        { path: "/nobody", share: 9 },
      ],
    );
    expect(sharesUp(tree, 0)).toEqual([1, 3]);
    expect(sharesUp(tree, 1)).toEqual([5, 3]);
    expect(sharesUp(tree, 2)).toEqual([1]);
    // Jobs of the unit itself get a leaf of their own under it.
    expect(sharesUp(tree, 3)).toEqual([1, 3]);
    expect(tree.parent[tree.leafOf[3]]).toBe(tree.parent[tree.leafOf[0]]);
  });

  it("takes paths as people write them", () => {
    const tree = shareTree(
      ["a", "/b/", "//c/d", ""],
      [
        { path: "b", share: 2 },
        { path: "/c/d/", share: 4 },
      ],
    );
    expect([0, 1, 2, 3].map((project) => sharesUp(tree, project))).toEqual([[1], [2], [4, 1], [1]]);
  });
});

describe("fair share", () => {
  const shares = shareTree(["/a", "/b"], [{ path: "/b", share: 3 }]);
  const a = aJob({ project: 0 });
  const b = aJob({ project: 1 });

  it("takes the project with the smallest use ÷ share next, counting what the cycle has placed", () => {
    const pool = aPool("first-fit", equalMachines(1, { cores: 8000 }), { shares });
    const as = Array.from({ length: 8 }, () => pool.submit(a));
    const bs = Array.from({ length: 8 }, () => pool.submit(b));
    pool.cycle(0);
    // In use ÷ share before each step: 0 and 0 (a came first), 1 and 0, 1 and ⅓, 1 and ⅔, 1 and 1 …
    expect(startedOf(pool)).toEqual([as[0], bs[0], bs[1], bs[2], as[1], bs[3], bs[4], bs[5]]);
  });

  it("gives back a project's use when its jobs end", () => {
    const pool = aPool("first-fit", equalMachines(1, { cores: 2000 }), { shares });
    const [first, second] = [pool.submit(a), pool.submit(a)];
    pool.cycle(0);
    const nextA = pool.submit(a);
    const nextB = pool.submit(b);
    pool.finish(first);
    pool.cycle(1);
    expect(startedOf(pool)).toEqual([nextB]);
    pool.finish(second);
    pool.finish(nextB);
    const lastB = pool.submit(b);
    pool.cycle(2);
    expect(startedOf(pool)).toEqual([nextA, lastB]);
  });

  it("counts all tasks of a parallel job", () => {
    const pool = aPool("first-fit", equalMachines(1, { cores: 5000 }), {
      shares: shareTree(["/a", "/b"], []),
    });
    const wide = pool.submit({ ...a, tasks: 3 });
    const next = pool.submit(a);
    const [b1, b2, b3] = [1, 2, 3].map(() => pool.submit(b));
    pool.cycle(0);
    expect(startedOf(pool)).toEqual([wide, b1, b2]);
    pool.finish(wide);
    pool.cycle(1);
    expect(startedOf(pool)).toEqual([next, b3]);
  });
});
