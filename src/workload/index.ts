export * from "./errors.ts";
export * from "./workload.ts";
export * from "./machines/machines.ts";
