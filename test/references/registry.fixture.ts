import { backfill } from "./backfill.fixture.ts";
import { conservative } from "./conservative.fixture.ts";
import { easy } from "./easy.fixture.ts";
import { fcfs } from "./fcfs.fixture.ts";
import { matching } from "./matching.fixture.ts";
import { heuristics, type Heuristic } from "./place.fixture.ts";
import type { MakeReference } from "./replay.fixture.ts";

/** The references of policies that take a heuristic after a slash, by the product's name. */
const families: Readonly<Record<string, (heuristic: Heuristic) => MakeReference>> = {
  fcfs,
  easy: (heuristic) => easy(heuristic),
  "easy-sjbf": (heuristic) => easy(heuristic, { candidates: "shortest estimate first" }),
  conservative: (heuristic) => conservative(heuristic),
};

/** Names of all families; a heuristic's own name is the pool's cycle, which is called `matching` here. */
export const familyNames: readonly string[] = [
  "matching",
  ...Object.keys(families),
  "backfill:1",
  "backfill:2",
  "backfill:3",
  "backfill:1000",
];

/** The product's name of a family with a heuristic. */
export const policyOf = (family: string, heuristic: string): string =>
  family === "matching" ? heuristic : `${family}/${heuristic}`;

/** The reference of a policy, by the product's name. */
export function referenceOf(policy: string): MakeReference {
  const [family, name = "first-fit"] = policy.includes("/") ? policy.split("/") : [policy];
  if (family in heuristics) return matching(heuristics[family]);
  const heuristic = heuristics[name];
  if (heuristic !== undefined && family in families) return families[family](heuristic);
  const depth = /^backfill:(\d+)$/.exec(family)?.[1];
  if (heuristic !== undefined && depth !== undefined) return backfill(Number(depth), heuristic);
  throw new Error(`no reference for the policy ${policy}`);
}
