import type { Limit, LimitExcess, LimitSettings } from "../../core/index.ts";
import type { FarmLimit } from "../../workload/index.ts";

/** Whose limits a job counts against; empty: nobody's. */
export interface Account {
  readonly user: string;
  readonly group: string;
  readonly project: string;
}

/** A limit of the farm as it holds for a job. */
export interface AppliedLimit extends FarmLimit {
  /** Whose it is: of a limit for each, that of the job. */
  readonly name: string;
}

/** The limits that hold for a job, in the order of the farm's. */
export function limitsFor(limits: readonly FarmLimit[], account: Account): AppliedLimit[] {
  return limits.flatMap((limit): AppliedLimit[] => {
    const own = account[limit.of];
    if (own === "") return [];
    if (limit.name !== null) return covers(limit.of, limit.name, own) ? [{ ...limit, name: limit.name }] : [];
    const isNamed = limits.some(({ of, name }) => of === limit.of && name !== null && covers(of, name, own));
    return isNamed ? [] : [{ ...limit, name: own }];
  });
}

/** The limits of what may run, as the engine counts them. */
export function limitSettings(
  limits: readonly FarmLimit[],
  accountOf: (number: number) => Account,
): LimitSettings {
  const numbers = new Map<string, number>();
  const known: (readonly Limit[])[] = [];
  return {
    of: (number) =>
      (known[number] ??= runningLimits(limits, accountOf(number)).map(
        ({ of, name, runningJobs, runningCores }) => {
          const key = `${of} ${name}`;
          const counted = numbers.get(key) ?? numbers.size;
          numbers.set(key, counted);
          return { counted, jobs: runningJobs ?? Infinity, cores: (runningCores ?? Infinity) * 1000 };
        },
      )),
  };
}

/** Whose limit a job exceeds. */
export function exceededLimit(
  limits: readonly FarmLimit[],
  accountOf: (number: number) => Account,
  { account, place }: LimitExcess,
): AppliedLimit {
  return runningLimits(limits, accountOf(account))[place];
}

/** `ann's limit`, `the limit of project /cpu`. */
export function limitText({ of, name }: Pick<AppliedLimit, "of" | "name">): string {
  return of === "user" ? `${name}'s limit` : `the limit of ${of} ${name}`;
}

function runningLimits(limits: readonly FarmLimit[], account: Account): AppliedLimit[] {
  return limitsFor(limits, account).filter(
    ({ runningJobs, runningCores }) => runningJobs !== null || runningCores !== null,
  );
}

function covers(of: FarmLimit["of"], name: string, own: string): boolean {
  return of === "project" ? coversProject(name, own) : own === name;
}

/** A project stands for those below it too. */
export function coversProject(name: string, own: string): boolean {
  const path = (text: string): string =>
    `/${text
      .split("/")
      .filter((part) => part !== "")
      .join("/")}/`;
  return path(own).startsWith(path(name));
}
