import type { AttributeTypes, Requirement } from "../../core/index.ts";
import { attributeTypesOf, readRequirement } from "../../simulation/index.ts";
import { InputError } from "../../workload/index.ts";
import { findEngine } from "../engines/registry.ts";
import { Refusal } from "../refusal.ts";
import type { JobRequest } from "../store/job-request.ts";
import type { KnownNames } from "./known-names.ts";
import { checkLicences } from "./licence-requests.ts";
import type { Notifying } from "./notifying.ts";
import type { PlainFarm } from "./plain-farm.ts";
import { placeOf } from "./place.ts";
import { checkTimes } from "./timing.ts";

export interface RequestChecksParts {
  readonly farm: PlainFarm;
  readonly names: KnownNames;
  readonly notifying: Notifying;
  /** Whether there is a job, or was, of this number. */
  readonly isThere: (job: number) => boolean;
}

/** Refuses what a job cannot ask for by itself, whatever else there is in the farm. */
export class RequestChecks {
  private readonly parts: RequestChecksParts;
  private readonly attributes: AttributeTypes | null;

  constructor(parts: RequestChecksParts) {
    this.parts = parts;
    this.attributes = knownAttributes(parts.farm);
  }

  /** @param place of the job in its list, for error messages; null: there is no list */
  checkInList(request: JobRequest, unixSeconds: number, place: number | null): Requirement | null {
    try {
      return this.check(request, unixSeconds);
    } catch (error) {
      if (place === null || request.array !== null || !(error instanceof Refusal)) throw error;
      throw new Refusal(error.status, `jobs/${place}: ${error.message}`);
    }
  }

  /**
   * Checks a job before anything is changed. Returns its requirement.
   *
   * @throws Refusal where it is impossible
   */
  check(request: JobRequest, unixSeconds: number): Requirement | null {
    const { pool, requires, licences, after } = request;
    const { farm, names, notifying, isThere } = this.parts;
    checkTimes(request, unixSeconds);
    checkSignal(request);
    notifying.check(request);
    this.checkEngines(request, pool);
    names.check(request);
    const named = new Set<number>();
    for (const { job } of after) {
      if (!isThere(job)) throw new Refusal(422, `there is no job ${job} to wait for`);
      if (named.has(job))
        throw new Refusal(422, `job ${job} is named twice among those to wait for: name it once`);
      named.add(job);
    }
    // Texts that differ in such characters only would be the same in the database, where each is written once.
    for (const text of [requires, licences])
      if (!text.isWellFormed())
        throw new Refusal(
          422,
          `${JSON.stringify(text.slice(0, 60))} is no text: it has a half of a character`,
        );
    checkLicences(licences, farm.pools);
    return requires.trim() === "" ? null : this.requirementOf(requires);
  }

  /**
   * @param pool where it is to go; null: anywhere
   * @throws Refusal where there is no such pool, or none of those that it may go to has an engine for it
   */
  checkEngines(request: JobRequest, pool: string | null): void {
    const { pools, virtualPools } = this.parts.farm;
    const { virtualPool, candidates } = placeOf(this.parts.farm, pool);
    const numbers = candidates === 0 ? (virtualPools[virtualPool]?.pools ?? []) : [candidates - 1];
    const refusals = numbers.map((number) => {
      const refusal = findEngine(pools[number]!.engine?.kind ?? "")?.refuses?.(request) ?? null;
      return refusal === null ? null : `pool ${pools[number]!.name}: ${refusal}`;
    });
    const [first = null] = refusals;
    if (first !== null && !refusals.includes(null)) throw new Refusal(422, first);
  }

  /** @throws Refusal where it is none */
  requirementOf(requires: string): Requirement {
    try {
      return readRequirement(requires, this.attributes);
    } catch (error) {
      if (error instanceof InputError) throw new Refusal(422, error.message);
      throw error;
    }
  }
}

/** What machines can be asked for; null: nothing is known of some, which may have any attribute. */
export function knownAttributes(farm: PlainFarm): AttributeTypes | null {
  return farm.pools.some(({ isUnknown }) => isUnknown) ? null : attributeTypesOf(farm);
}

/** @throws Refusal where there is no time for it */
function checkSignal({ signal, timeSeconds }: JobRequest): void {
  if (signal === null) return;
  if (timeSeconds === null)
    throw new Refusal(
      422,
      `it gets SIG${signal.name} before its time is over, and has no limit of time: give one`,
    );
  if (signal.secondsBefore >= timeSeconds)
    throw new Refusal(
      422,
      `it would get SIG${signal.name} ${signal.secondsBefore} s before its time is over, and may run for ${timeSeconds} s only`,
    );
}
