import { combined } from "./combined.ts";
import { roundRobin } from "./round-robin.ts";
import type { Routing } from "./routing.ts";
import { utilization } from "./utilization.ts";

/** Every routing. To add one: a file beside the others, and a line here. */
export const routings: readonly Routing[] = [roundRobin, utilization, combined];
