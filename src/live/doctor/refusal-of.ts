import { InputError } from "../../workload/index.ts";
import { planOf } from "../pods/plan.ts";
import { checkPools } from "../service/unopened-pools.ts";
import { isForPods, poolsOf, type Subject } from "./subject.ts";

/** Why the command that the farm's file is for would refuse what it says of its pools; null: it would not. */
export function refusalOf(subject: Subject): string | null {
  const { farm, data } = subject;
  if (farm instanceof Error) return null;
  try {
    // The pods of others are another command's, which reads the file in its own way.
    if (isForPods(subject)) for (const { name } of poolsOf(subject)) planOf(farm, name);
    else checkPools(farm, data);
    return null;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
}
