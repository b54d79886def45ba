import type { Finding } from "../engines/finding.ts";
import type { Subject } from "./subject.ts";

/** One thing that `croft doctor` looks at. */
export interface Check {
  /** As it is printed, and as JSON has it. */
  readonly name: string;
  /** Whether only `croft serve` needs what it checks: it is not run for pools of `croft schedule-pods`. */
  readonly isOfService?: true;
  /** Changes nothing. What it throws is told as a fault: it could not be looked at. */
  readonly look: (subject: Subject) => Finding[] | Promise<Finding[]>;
}
