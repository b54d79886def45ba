import type { Farm, Workload } from "../../workload/index.ts";
import type { Account } from "./limits.ts";

/** Whom the jobs of a log count against. */
export interface Accounts {
  /** By number; the first is nobody's. */
  readonly accounts: readonly Account[];
  /** By row of the workload. */
  readonly numbers: Int32Array;
}

/** Null where the farm has no limits, and no reservations. */
export function accountsOf(workload: Workload, { limits, reservations }: Farm): Accounts | null {
  if (limits === undefined && reservations === undefined) return null;
  const { user, group, project } = workload;
  const accounts: Account[] = [{ user: "", group: "", project: "" }];
  const known = new Map<string, number>();
  const nameOf = (column: typeof user, row: number): string =>
    column === null ? "" : column.names[column.codes[row]];
  const numbers = Int32Array.from({ length: workload.count }, (_, row) => {
    const key = [user, group, project].map((column) => column?.codes[row] ?? "").join(" ");
    const number = known.get(key) ?? accounts.length;
    if (number === accounts.length) {
      known.set(key, number);
      accounts.push({
        user: nameOf(user, row),
        group: nameOf(group, row),
        project: nameOf(project, row),
      });
    }
    return number;
  });
  return { accounts, numbers };
}
