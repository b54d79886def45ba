import type { netbatchPools } from "../../../workload/generators/netbatch-pools.ts";
import { cannotTell, type Judgement } from "./judgement.ts";
import { judgedAlone, type JudgedAlone, type Parts } from "./parts.ts";

/** The pools of Shai 2014, table 2.1. */
export type ThesisPool = keyof typeof netbatchPools;

/** A published statement that figures of one kind can support or refute. */
export interface Claim<Figures> {
  readonly claim: string;
  /** Where it was published. */
  readonly source: string;
  /** The pools it speaks of; `any`: the thesis says it of all four, so it is put to every workload. */
  readonly pools: "any" | readonly ThesisPool[];
  readonly judge: (figures: Figures) => Judgement;
}

/** A claim with its judgement, as reports and `--json` show it. */
export interface JudgedClaim extends Judgement {
  readonly claim: string;
  readonly source: string;
  /** What parts of the input alone say; absent where the input was not judged in parts, or no part can tell. */
  readonly alone?: JudgedAlone;
}

/**
 * Judges every claim by the figures of one workload. A claim about particular pools is listed but not judged on any
 * other farm.
 *
 * @param pool which of the thesis's pools the workload is, or stands in for; null: none
 * @param parts the figures of parts of the workload, by which each claim is judged alone
 */
export function judgeClaims<Figures>(
  claims: readonly Claim<Figures>[],
  figures: Figures,
  pool: ThesisPool | null,
  parts?: Parts<Figures>,
): JudgedClaim[] {
  return claims.map(({ claim, source, pools, judge }) => {
    const isMeant = pools === "any" || (pool !== null && pools.includes(pool));
    const judgement = isMeant
      ? judge(figures)
      : cannotTell(`said of ${poolList(pools)}, not of this workload`);
    const alone =
      isMeant && parts !== undefined
        ? judgedAlone(judgement, parts.alone.map(judge), parts.without.map(judge), parts.what)
        : undefined;
    return {
      claim: pools === "any" ? claim : `${poolList(pools)}: ${claim}`,
      source,
      ...judgement,
      ...(alone === undefined ? {} : { alone }),
    };
  });
}

/** The pool that a workload's name tells, as `netbatch-a` and the archive's names do; null where it tells none. */
export function poolNamed(workloadName: string): ThesisPool | null {
  const letter = /netbatch.*[-_ ]([abcd])\b/i.exec(workloadName)?.[1];
  return letter === undefined ? null : (letter.toLowerCase() as ThesisPool);
}

function poolList(pools: readonly ThesisPool[]): string {
  const letters = pools.map((pool) => pool.toUpperCase());
  return `${pools.length === 1 ? "pool" : "pools"} ${letters.join(", ").replace(/, (.)$/, " and $1")}`;
}
