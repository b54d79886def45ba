import { InputError } from "../../workload/index.ts";
import type { Finding } from "../engines/finding.ts";
import { checks } from "./checks.ts";
import { isForPods, type Subject } from "./subject.ts";

export interface CheckedFinding extends Finding {
  /** The check's name. */
  readonly check: string;
}

/** Looks at everything, one check after the other, and changes nothing. */
export async function examine(subject: Subject): Promise<CheckedFinding[]> {
  const all: CheckedFinding[] = [];
  const looked = isForPods(subject) ? checks.filter(({ isOfService }) => isOfService !== true) : checks;
  for (const { name, look } of looked) {
    try {
      for (const finding of await look(subject)) all.push({ check: name, ...finding });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      all.push({
        check: name,
        what: name,
        found: `it cannot be looked at: ${why}`,
        change:
          error instanceof InputError
            ? "change that in the farm file"
            : "run croft doctor as the service's user, or as root",
      });
    }
  }
  return all;
}
