import type { Assignment, SolveOptions } from "../algorithm.ts";
import { BOUND_PRECISION } from "../bound.ts";
import type { FractionalInstance } from "../instance.ts";
import { minYieldOf } from "../min-yield.ts";
import type { Packer, PackerTiers } from "./packer.ts";
import { Packing } from "./packing.ts";

/** How much better a packer has to be: the precision of the authors' own search. */
export const PRECISION = 0.001;

/** The precision of the final search, with the packer that did best. */
const FINE_PRECISION = 0.0001;

/** The part of the bound that the first packer usually reaches. It is tried before a yield of 0. */
const USUAL_PART = 0.75;

/**
 * Work in the first round (`Packing.work`): so much for each item, which is all packers in two dimensions, and
 * the best of them in more; not more than all packers for 10,000 items; and at least as much as in the second.
 */
const FIRST_ROUND_WORK_AN_ITEM = 250;
const MAX_FIRST_ROUND_WORK = 2_500_000;

/**
 * The second round tries the packers that came farthest in the first: so many, and more where there are
 * few services, by the square of their number, and in more dimensions. Against trying all 506 at each step
 * of a plain binary search, on random instances: of 24 with 500 services one lost 0.001, of 80 with 250 six
 * up to 0.0045, of 150 with 100 two up to 0.002, of 200 with 40 one 0.001; 66 of them all gained.
 * In three to six dimensions 3 of 108 lost up to 0.003 against a second round with a third of the packers.
 */
const MIN_PROMISING = 10;
const PROMISING_SQUARE = 750_000;

/** With more services packers by easy-first orders did better than the others in one of some 220 instances, by 0.004. */
const FALLBACK_ITEMS = 200;

/**
 * So many packers are finally tried at some steps above the best yield, since a packer may fail at one yield and
 * succeed at a higher one.
 */
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
 * Each packer would need a binary search of its own, or all of them at each step of one. But a packer matters only if
 * it does better than the best so far, and one packing shows that: each is tried once a little above the best, and
 * searched with only if it succeeds. Among n packers in no particular order about ln n do (Chan 1998); with the usual
 * winners first it is fewer. A packing counts for the yield that it allows, mostly more than it was made for.
 *
 * A packer that fails at one yield may still succeed at a higher one, with few services above all. So there is a
 * second round: those that came farthest in the first at the yields that a plain binary search would try. With some
 * 40 services or fewer these are all leading and following packers, and the answer is at least as good as that of a
 * binary search over them. Then the most promising are tried at steps above the best yield. Each round has a limit of
 * work; if the first round, which begins with a yield of 0, found nothing, the second gets the limit of the first.
 */
export function bestPacking(
  instance: FractionalInstance,
  { first, leading, following, fallback }: PackerTiers,
  { bound }: Pick<SolveOptions, "bound">,
): Assignment | null {
  const search = new YieldSearch(instance, bound);
  const secondWork = instance.dimensions > 2 ? SECOND_ROUND_WORK_OF_MANY_DIMENSIONS : SECOND_ROUND_WORK;
  const maxWork = Math.min(
    MAX_FIRST_ROUND_WORK,
    Math.max(secondWork, FIRST_ROUND_WORK_AN_ITEM * instance.services),
  );
  if (search.reachesGoal(first)) return search.best;
  const both = [...leading(), ...following()];
  const isCutShort = !search.improveWith(both, maxWork);
  const isHard = search.best === null;
  if (isHard) search.improveWith(fallback(), maxWork);
  const promising = search.promising(both);
  search.bisect(promising, search.best === null ? maxWork : secondWork);
  // A single packer gets a plain search only, like the algorithms that it is compared with.
  if (promising.length > 1) search.leap(promising.slice(0, LEAPING_PACKERS), secondWork);
  if (!isHard && instance.services <= FALLBACK_ITEMS) search.improveWith(fallback(), secondWork);
  search.polish();
  return isCutShort && search.best !== null ? { ...search.best, isCutShort } : search.best;
}

class YieldSearch {
  private readonly packing: Packing;
  /** The bound, less its own imprecision. */
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
   * Mostly one packing shows whether the bound can be reached; often it can, where single large services determine
   * the bound. If not, searches with the packer where it usually succeeds.
   */
  reachesGoal(packer: Packer): boolean {
    if (this.reaches(packer, this.goal) && !this.isBelow(this.goal)) return true;
    if (this.reaches(packer, USUAL_PART * this.goal)) this.climb(packer, PRECISION, Infinity);
    return false;
  }

  /** The packers that packed most before they failed, in that order. */
  promising(packers: readonly Packer[]): Packer[] {
    const { items, dimensions } = this.packing;
    const square = PROMISING_SQUARE * Math.max(1, dimensions - 1);
    const count = Math.max(MIN_PROMISING, Math.ceil(square / items ** 2));
    return packers
      .map((packer) => ({ packer, progress: this.progress.get(packer) ?? 0 }))
      .sort((a, b) => b.progress - a.progress)
      .slice(0, count)
      .map(({ packer }) => packer);
  }

  /**
   * Tries each packer above the best so far, and searches with it if it succeeds. False if the work reached
   * `maxWork` before all were tried.
   */
  improveWith(packers: readonly Packer[], maxWork: number): boolean {
    const end = this.packing.work + maxWork;
    for (const packer of packers) {
      if (!this.isBelow(this.goal)) return true;
      if (this.packing.work >= end) return false;
      const start = this.packing.offered;
      const isFirst = this.bestSoFar === null;
      const least = this.bestSoFar === null ? 0 : this.bestSoFar.minYield + PRECISION;
      const isBetter = this.reaches(packer, Math.min(least, this.goal));
      this.progress.set(packer, isBetter ? Infinity : this.packing.offered - start);
      // Nothing is known yet about the first packer's yield, so it is found by bisection.
      if (isBetter) this.climb(packer, PRECISION, isFirst ? Infinity : PRECISION);
    }
    return true;
  }

  /** Tries all packers at the steps of a binary search, until so much work is done. */
  bisect(packers: readonly Packer[], maxWork: number): void {
    const end = this.packing.work + maxWork;
    // So each packer is tried where its own search would begin.
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
  leap(packers: readonly Packer[], maxWork: number): void {
    const end = this.packing.work + maxWork;
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

  /** Searches with the packer that did best at the final precision. */
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

  /** The same, except for the tolerance: a packing that needs it reaches slightly less than asked for. */
  private isShortOf(minYield: number): boolean {
    return this.isBelow(minYield - BOUND_PRECISION);
  }

  /** Packs at that yield; what is better than the best so far becomes the best. */
  private reaches(packer: Packer, minYield: number): boolean {
    this.packing.setYield(minYield);
    if (!packer.pack(this.packing, this.binOf)) return false;
    const reached = minYieldOf(this.packing.instance, this.binOf);
    // If the packing needed the tolerance, this is slightly less than asked for.
    if (reached < 0 || !this.isBelow(reached)) return false;
    this.winner = packer;
    this.bestSoFar = { hostOf: this.binOf.slice(), minYield: reached };
    return true;
  }
}
