import type { Assignment, SolveOptions } from "../algorithm.ts";
import { BOUND_PRECISION } from "../bound.ts";
import type { FractionalInstance } from "../instance.ts";
import { minYieldOf } from "../min-yield.ts";
import type { Packer, PackerTiers } from "./packer.ts";
import { Packing } from "./packing.ts";

/** How much better a packer has to be: the precision of the authors' own search. */
export const PRECISION = 0.001;

/** How close the last packer that did better comes to the best it can. */
const FINE_PRECISION = 0.0001;

/** What the first packer mostly reaches of the bound, and is tried at before a yield of 0. */
const USUAL_PART = 0.75;

/**
 * Work in the first round (`Packing.work`): so much for each item, which is all packers in two dimensions, and
 * the best of them in more; not more than all packers for 10,000 items; and at least as much as in the second.
 */
const FIRST_ROUND_WORK_AN_ITEM = 250;
const FIRST_ROUND_WORK_MOST = 2_500_000;

/**
 * The second round tries the packers that came farthest in the first: so many, and more where there are
 * few services, by the square of their number, and in more dimensions. Against trying all 506 at each step
 * of a plain binary search, on random instances: of 24 with 500 services one lost 0.001, of 80 with 250 six
 * up to 0.0045, of 150 with 100 two up to 0.002, of 200 with 40 one 0.001; 66 of them all gained.
 * In three to six dimensions 3 of 108 lost up to 0.003 against a second round with a third of the packers.
 */
const PROMISING_LEAST = 10;
const PROMISING_SQUARE = 750_000;

/** With more services packers by easy-first orders did better than the others in one of some 220 instances, by 0.004. */
const FALLBACK_ITEMS = 200;

/** So many of these are tried at last at some steps above the best: as a packer may fail below and between. */
const LEAPING_PACKERS = 4;
const LEAPS = [0.002, 0.005, 0.01];

/**
 * Work in the second round: some 0.2 µs each. In three dimensions and more packers differ more, and the
 * smaller limit lost up to 0.02 on 5 of 254 instances.
 */
const SECOND_ROUND_WORK = 400_000;
const SECOND_ROUND_WORK_OF_MANY_DIMENSIONS = 1_600_000;

/**
 * The best minimum yield at which one of the packers packs all services.
 *
 * Each packer would need a binary search of its own, or all of them at each step of one. But
 * a packer matters only if it does better than the best so far, and one packing tells: each is
 * tried once a little above that, and searched with only if it succeeds. Among n packers in
 * no particular order about ln n do (Chan 1998); with the usual winners first it is fewer. A
 * packing counts for the yield that it allows, mostly more than it was made for.
 *
 * A packer that fails at one yield may still succeed at a higher one, with few services
 * above all. So there is a second round: those that came farthest in the first at the yields that a
 * plain binary search would try. With some 40 services or fewer these are all that lead or follow,
 * and the answer is at least as good as that search's over them. Then the most promising leap above
 * what was found. Both rounds end where they become too much work; the second goes as far as the first
 * where that, which begins with a yield of 0, found nothing at all.
 */
export function bestPacking(
  instance: FractionalInstance,
  { first, leading, following, fallback }: PackerTiers,
  { bound }: Pick<SolveOptions, "bound">,
): Assignment | null {
  const search = new YieldSearch(instance, bound);
  const secondWork = instance.dimensions > 2 ? SECOND_ROUND_WORK_OF_MANY_DIMENSIONS : SECOND_ROUND_WORK;
  const mostWork = Math.min(
    FIRST_ROUND_WORK_MOST,
    Math.max(secondWork, FIRST_ROUND_WORK_AN_ITEM * instance.services),
  );
  if (search.reachesGoal(first)) return search.best;
  const both = [...leading(), ...following()];
  const isCutShort = !search.improveWith(both, mostWork);
  const isHard = search.best === null;
  if (isHard) search.improveWith(fallback(), mostWork);
  const promising = search.promising(both);
  search.bisect(promising, search.best === null ? mostWork : secondWork);
  // One packer by itself is searched with plainly, as those are that it is compared with.
  if (promising.length > 1) search.leap(promising.slice(0, LEAPING_PACKERS), secondWork);
  if (!isHard && instance.services <= FALLBACK_ITEMS) search.improveWith(fallback(), secondWork);
  search.polish();
  return isCutShort && search.best !== null ? { ...search.best, isCutShort } : search.best;
}

class YieldSearch {
  private readonly packing: Packing;
  /** The bound, or as near to it as the bound is known. */
  private readonly goal: number;
  private readonly binOf: Int32Array;
  /** How much a packer did in the first round before it failed. */
  private readonly progress = new Map<Packer, number>();
  private bestSoFar: Assignment | null = null;
  private winner: Packer | null = null;

  constructor(instance: FractionalInstance, bound: number) {
    this.packing = new Packing(instance);
    this.goal = Math.max(0, bound - BOUND_PRECISION);
    this.binOf = new Int32Array(instance.services);
  }

  get best(): Assignment | null {
    return this.bestSoFar;
  }

  /**
   * Mostly one packing tells whether the bound can be reached: by how large services are alone, it often
   * is. If not, searches with the packer where it usually succeeds.
   */
  reachesGoal(packer: Packer): boolean {
    if (this.reaches(packer, this.goal) && !this.isBelow(this.goal)) return true;
    if (this.reaches(packer, USUAL_PART * this.goal)) this.climb(packer, PRECISION, Infinity);
    return false;
  }

  /** Those that came farthest where they failed, in that order. */
  promising(packers: readonly Packer[]): Packer[] {
    const { items, dimensions } = this.packing;
    const square = PROMISING_SQUARE * Math.max(1, dimensions - 1);
    const count = Math.max(PROMISING_LEAST, Math.ceil(square / items ** 2));
    return packers
      .map((packer) => ({ packer, progress: this.progress.get(packer) ?? 0 }))
      .sort((a, b) => b.progress - a.progress)
      .slice(0, count)
      .map(({ packer }) => packer);
  }

  /**
   * Tries each packer above the best so far, and searches with it if it succeeds. False where so much work
   * was done before all were tried.
   */
  improveWith(packers: readonly Packer[], mostWork: number): boolean {
    const end = this.packing.work + mostWork;
    for (const packer of packers) {
      if (!this.isBelow(this.goal)) return true;
      if (this.packing.work >= end) return false;
      const start = this.packing.offered;
      const isFirst = this.bestSoFar === null;
      const least = this.bestSoFar === null ? 0 : this.bestSoFar.minYield + PRECISION;
      const isBetter = this.reaches(packer, Math.min(least, this.goal));
      this.progress.set(packer, isBetter ? Infinity : this.packing.offered - start);
      // Of the first packer's yield nothing is known yet: halving is all there is.
      if (isBetter) this.climb(packer, PRECISION, isFirst ? Infinity : PRECISION);
    }
    return true;
  }

  /** Tries all packers at the steps of a binary search, until so much work is done. */
  bisect(packers: readonly Packer[], mostWork: number): void {
    const end = this.packing.work + mostWork;
    // So each of them is tried where it would begin by itself.
    for (const part of [1, USUAL_PART]) this.improveAt(packers, part * this.goal, end);
    let low = 0;
    let high = 1;
    while (high - low > PRECISION && this.packing.work < end) {
      const middle = (low + high) / 2;
      this.improveAt(packers, middle, end);
      if (this.isShortOf(middle)) high = middle;
      else low = middle;
    }
  }

  /** Tries the packers at steps above the best so far, until none succeeds at any or so much work is done. */
  leap(packers: readonly Packer[], mostWork: number): void {
    const end = this.packing.work + mostWork;
    for (let i = 0; i < LEAPS.length && this.bestSoFar !== null;)
      i = this.improveAt(packers, this.bestSoFar.minYield + LEAPS[i], end) ? 0 : i + 1;
  }

  /** Goes up with the first packer that succeeds at that yield; false where none does before so much work is done. */
  private improveAt(packers: readonly Packer[], minYield: number, endOfWork: number): boolean {
    if (minYield > this.goal || !this.isShortOf(minYield)) return false;
    const winner = packers.find((packer) => this.packing.work < endOfWork && this.reaches(packer, minYield));
    if (winner !== undefined) this.climb(winner, PRECISION, PRECISION);
    return winner !== undefined;
  }

  /** Goes with the packer that did best as near to its limit as it is worth. */
  polish(): void {
    if (this.winner !== null) this.climb(this.winner, FINE_PRECISION, FINE_PRECISION);
  }

  /** Goes up from the best so far in growing steps while the packer succeeds, and then halves. */
  private climb(packer: Packer, precision: number, firstStep: number): void {
    let low = this.bestSoFar!.minYield;
    let high = this.goal;
    let step = firstStep;
    while (high - low > precision) {
      const target = low + step < high ? low + step : (low + high) / 2;
      if (this.reaches(packer, target)) low = this.bestSoFar!.minYield;
      else high = target;
      step *= 2;
    }
  }

  /** Whether the best so far falls short of that yield. */
  private isBelow(minYield: number): boolean {
    return this.bestSoFar === null || this.bestSoFar.minYield < minYield;
  }

  /** The same, where a hair does not count: a packing that needs the tolerance reaches that much less than asked for. */
  private isShortOf(minYield: number): boolean {
    return this.isBelow(minYield - BOUND_PRECISION);
  }

  /** Packs at that yield; what is better than the best so far becomes the best. */
  private reaches(packer: Packer, minYield: number): boolean {
    this.packing.setYield(minYield);
    if (!packer.pack(this.packing, this.binOf)) return false;
    const reached = minYieldOf(this.packing.instance, this.binOf);
    // Where the tolerance was needed it is a hair less than asked for.
    if (reached < 0 || !this.isBelow(reached)) return false;
    this.winner = packer;
    this.bestSoFar = { hostOf: this.binOf.slice(), minYield: reached };
    return true;
  }
}
