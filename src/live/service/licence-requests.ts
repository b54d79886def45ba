import { askedLicences } from "../../workload/licences.ts";
import { listed, Refusal } from "./refusal.ts";

/**
 * What jobs have asked for of the pools' licences, by the numbers that the decision engine knows it by. 0 asks for
 * nothing.
 */
export class LicenceRequests {
  private readonly requests: ReadonlyMap<string, number>[] = [new Map()];
  private readonly numbers = new Map<string, number>();

  /** @param texts by number, from 1 */
  constructor(texts: readonly string[]) {
    for (const text of texts) this.add(text);
  }

  /** 0 where the text has no number yet. */
  numberOf(text: string): number {
    return this.numbers.get(text) ?? 0;
  }

  /** @throws Error where it cannot be read */
  add(text: string): number {
    const number = this.requests.push(askedLicences(text)) - 1;
    this.numbers.set(text, number);
    return number;
  }

  /** How many there are. */
  get count(): number {
    return this.requests.length - 1;
  }

  /** What a request asks for, by name. */
  asked(number: number): ReadonlyMap<string, number> {
    return this.requests[number] ?? new Map();
  }

  /** The licences that jobs have asked for. */
  get names(): string[] {
    return [...new Set(this.requests.flatMap((asked) => [...asked.keys()]))];
  }
}

interface LicensedPool {
  readonly licences?: readonly { readonly name: string; readonly count: number }[];
}

/** @throws Refusal where a list of licences cannot be read, or no pool has one of them */
export function checkLicences(text: string, pools: readonly LicensedPool[]): void {
  const known = new Set(namesIn(pools));
  for (const name of readAsked(text).keys())
    if (!known.has(name))
      throw new Refusal(422, `no pool has the licence ${JSON.stringify(name)}: ${listed([...known])}`);
}

function readAsked(text: string): ReadonlyMap<string, number> {
  try {
    return askedLicences(text);
  } catch (error) {
    throw new Refusal(422, (error as Error).message);
  }
}

function namesIn(pools: readonly LicensedPool[]): string[] {
  return pools.flatMap(({ licences = [] }) => licences.map(({ name }) => name));
}

/**
 * The farm's licences by number, and after them those that only jobs from before name: a new job asks for no others
 * than the farm's, so the numbers stay.
 */
export function licenceNames(pools: readonly LicensedPool[], requests: LicenceRequests): string[] {
  return [...new Set([...namesIn(pools), ...requests.names])];
}
