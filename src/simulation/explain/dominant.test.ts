import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { dominantReason, meaningOf, tokenNames } from "./dominant.ts";
import type { Reason } from "./explanation.ts";

const full = (
  coresShort: number,
  memoryShortMiB: number,
  gpusShort = 0,
  gpuKind: string | null = null,
): Reason => ({
  kind: "too full",
  machines: 3,
  nearest: { machine: "n4", coresShort, memoryShortMiB, gpusShort, gpuKind, running: [], suspended: [] },
});
const requirement: Reason = { kind: "requirement", machines: 2, part: 'os == "new"', has: "os is old" };
const keptFree: Reason = {
  kind: "kept free",
  machines: 2,
  tasksWithRoom: 4,
  tasks: 2,
  before: [7, 9],
  beforeCount: 2,
};
const token = (...reasons: Reason[]): string | undefined => dominantReason(reasons)?.token;

describe("the reason that is told first", () => {
  it("is what the machine lacks that lacks least", () => {
    expect(dominantReason([requirement, full(0, 2048)])).toEqual({
      token: "memory",
      sentence: "3 machines are too full for it, and n4, which lacks least, lacks 2 GiB of memory",
    });
    expect(token(full(1, 0))).toBe("cores");
    expect(token(full(1, 5))).toBe("cores-and-memory");
    expect(dominantReason([full(1, 0, 2)])).toEqual({
      token: "cores",
      sentence: "3 machines are too full for it, and n4, which lacks least, lacks 1 core and 2 GPUs",
    });
    expect(dominantReason([full(0, 0, 1, "a100")])).toEqual({
      token: "gpus",
      sentence: "it waits for a GPU a100: 3 machines have too few free, and n4 lacks least",
    });
    expect(dominantReason([full(0, 0, 0.5)])?.sentence).toMatch(/^it waits for 0.5 of a GPU: /);
  });

  it("is of the machines that could ever hold it, where none takes jobs or none is left", () => {
    expect(token(requirement)).toBe("no-machine");
    expect(token(requirement, { kind: "too small", machines: 4 }, { kind: "drained", machines: 1 })).toBe(
      "drained",
    );
    expect(token({ kind: "drained", machines: 1 }, { kind: "refused it", machines: 1 })).toBe("refused");
    expect(token({ kind: "drained", machines: 1 }, { kind: "other families", machines: 1 })).toBe("family");
    expect(token({ kind: "drained", machines: 9 }, full(1, 0))).toBe("cores");
  });

  it("is a licence before room, and room before what the policy keeps", () => {
    const licence: Reason = { kind: "licence", licence: "matlab", asked: 2, inUse: 9, count: 10 };
    expect(dominantReason([licence, full(1, 0)])).toEqual({
      token: "licence",
      sentence: "it asks for 2 of the licence matlab, and 1 of 10 is free",
    });
    const promised: Reason = {
      kind: "promised",
      policy: "conservative",
      machines: 0,
      startSeconds: 5,
      firstSeconds: 5,
      awaits: null,
      on: ["n1"],
      delay: null,
    };
    expect(token(full(1, 0), promised)).toBe("cores");
    expect(token({ ...promised, machines: 2 })).toBe("promised");
    expect(token({ kind: "would delay", machines: 1, job: 2, startSeconds: null })).toBe("would-delay");
    expect(token({ kind: "would delay promises", machines: 1, jobs: [2], count: 1, startSeconds: 3 })).toBe(
      "would-delay",
    );
    expect(dominantReason([keptFree])?.sentence).toBe(
      "2 machines with room are kept free for jobs 7, 9, before it in the queue",
    );
    expect(token({ ...keptFree, tasksWithRoom: 1 })).toBe("tasks");
    expect(token(full(1, 0), { ...keptFree, tasksWithRoom: 1 })).toBe("cores");
    // That others are too full is not what holds it.
    expect(token(full(1, 0), keptFree)).toBe("kept-free");
    expect(token(full(1, 0), { ...promised, machines: 2 })).toBe("promised");
  });

  it("is what no room would change before room", () => {
    expect(token({ kind: "behind", job: 3 }, full(1, 0))).toBe("behind");
    expect(token({ kind: "not examined", examined: 5 }, full(1, 0))).toBe("not-examined");
    expect(token({ kind: "no pool has room", pools: ["a", "b"] })).toBe("no-pool-has-room");
    const share: Reason = {
      kind: "share used",
      project: "/a",
      of: "cores",
      usedHours: 5,
      dueHours: 1,
      before: [8],
    };
    expect(dominantReason([full(1, 0), share])?.sentence).toBe(
      "its project /a has used more for its share: job 8, which came later, goes first",
    );
  });

  it("is none where there are no reasons", () => {
    expect(dominantReason([])).toBeNull();
  });
});

it("the page for those who wait has every token, in its order", () => {
  const page = readFileSync(new URL("../../../docs/explain.md", import.meta.url), "utf8");
  const [, table = ""] = /^## The reasons\n([^]*?)^What to do/m.exec(page) ?? [];
  const rows = [...table.matchAll(/^\| `([a-z-]+)` +\| (.*?) +\|$/gm)].map(([, name, meaning]) => [
    name,
    meaning,
  ]);
  expect(rows).toEqual(tokenNames.map((name) => [name, meaningOf(name)]));
});
