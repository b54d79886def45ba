import type { Policy } from "../pool/policy.ts";

/** How often each member of Max-Jobs' list reached the maximum, in the cycles of a pool that started jobs. */
export class PolicyWins {
  /** By member: the cycles in which it did, and those of them in which no other member did. */
  readonly all: Float64Array;
  readonly sole: Float64Array;
  readonly names: readonly string[];
  private readonly policy: Policy;

  constructor(policy: Policy) {
    this.policy = policy;
    this.names = policy.winners?.names ?? [];
    this.all = new Float64Array(this.names.length);
    this.sole = new Float64Array(this.names.length);
  }

  /** Counts the cycle that has just started jobs. */
  count(): void {
    const won = this.policy.winners?.won;
    if (won === undefined) return;
    for (let i = 0; i < won.length; i++) this.all[i] += won[i];
    const first = won.indexOf(1);
    if (first === won.lastIndexOf(1)) this.sole[first]++;
  }
}
