import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { anyInstance, host, instanceOf, service } from "../../src/research/lp/instances.fixture.ts";
import { bestFit } from "../../src/research/fractional/packing/best-fit.ts";
import { firstFit } from "../../src/research/fractional/packing/first-fit.ts";
import { orders } from "../../src/research/fractional/packing/orders.ts";
import { PackingByTheBook } from "./packers-by-the-book.fixture.ts";
import type { Packer } from "../../src/research/fractional/packing/packer.ts";
import { Packing } from "../../src/research/fractional/packing/packing.ts";
import { permutationPack } from "../../src/research/fractional/packing/permutation-pack.ts";

const anyOrder = fc.constantFrom(...orders);
const anyYield = fc.integer({ min: 0, max: 20 }).map((n) => n / 20);

/** What the fast packer does is what the book does: the same answer, and where there is one the same bins. */
function expectByTheBook(
  settings: { dimensions: number; hosts: number; services: number; runs: number },
  packerOf: (order: (typeof orders)[number], binOrder: (typeof orders)[number], window: number) => Packer,
  byTheBook: (
    book: PackingByTheBook,
    order: (typeof orders)[number],
    binOrder: (typeof orders)[number],
    window: number,
  ) => boolean,
): void {
  const window = fc.integer({ min: 1, max: settings.dimensions });
  fc.assert(
    fc.property(
      anyInstance(settings),
      anyYield,
      anyOrder,
      anyOrder,
      window,
      (instance, minYield, order, binOrder, w) => {
        const book = new PackingByTheBook(instance, minYield);
        const isPacked = byTheBook(book, order, binOrder, w);
        for (const isIndexed of [true, false]) {
          const packing = new Packing(instance, isIndexed);
          packing.setYield(minYield);
          const binOf = new Int32Array(instance.services);
          expect(packerOf(order, binOrder, w).pack(packing, binOf)).toBe(isPacked);
          if (isPacked) expect([...binOf]).toEqual(book.binOf);
        }
      },
    ),
    { numRuns: settings.runs },
  );
}

const SIZES = [
  { dimensions: 1, hosts: 4, services: 8, runs: 100 },
  { dimensions: 2, hosts: 6, services: 12, runs: 300 },
  { dimensions: 2, hosts: 80, services: 90, runs: 100 },
  { dimensions: 4, hosts: 10, services: 20, runs: 150 },
];

describe.each(SIZES)("$services services on $hosts hosts in $dimensions dimensions", (size) => {
  it("first fit by the book", () => {
    expectByTheBook(
      size,
      (order, binOrder) => firstFit(order, binOrder),
      (book, order, binOrder) => book.firstFit(order, binOrder),
    );
  });

  it("best fit by the book", () => {
    expectByTheBook(
      size,
      (order) => bestFit(order),
      (book, order) => book.bestFit(order),
    );
  });

  it.each(["permutation", "choose"] as const)("%s pack by the book", (kind) => {
    expectByTheBook(
      size,
      (order, binOrder, window) => permutationPack(kind, window, order, binOrder),
      (book, order, binOrder, window) => book.permutationPack(kind, window, order, binOrder),
    );
  });
});

describe("permutation pack", () => {
  const packed = (packer: Packer, capacity: number[], sizes: number[][]): number[] => {
    const packing = new Packing(
      instanceOf(
        [host(...capacity), host(...capacity)],
        sizes.map((size) => service(size, [0, 0])),
      ),
    );
    packing.setYield(0);
    const binOf = new Int32Array(sizes.length);
    expect(packer.pack(packing, binOf)).toBe(true);
    return [...binOf];
  };

  // By size A, B, C, D; the first two are large in dimension 1, the others in 2.
  const sizes = [
    [0.5, 0.2],
    [0.45, 0.2],
    [0.1, 0.45],
    [0.1, 0.45],
  ];

  it("answers a load of one kind with the other", () => {
    // After A the bin has more room in dimension 2, so C comes before B, which then does not fit.
    const packer = permutationPack("permutation", 1, "descending-sum", "given");
    expect(packed(packer, [1, 1], sizes)).toEqual([0, 1, 0, 1]);
  });

  it("takes items by size alone where the window is all dimensions and their order does not count", () => {
    const packer = permutationPack("choose", 2, "descending-sum", "given");
    expect(packed(packer, [1, 1], sizes)).toEqual([0, 0, 1, 1]);
    expect(packed(firstFit("descending-sum", "given"), [1, 1], sizes)).toEqual([0, 0, 1, 1]);
  });
});
