import { lastSubmitted } from "./last-submitted.ts";
import { lowestPriority } from "./lowest-priority.ts";
import type { VictimRule } from "./victim-rule.ts";

/** Every rule that names the job to suspend. To add one: a file beside the others, and a line here. */
export const victimRules: readonly VictimRule[] = [lowestPriority, lastSubmitted];
