export type { Capacities } from "./core/index.ts";
