import type { Command } from "commander";

export interface CommandEntry {
  readonly name: string;
  /** Loads what the command needs, and nothing of the others. */
  create(): Promise<Command>;
}

/** Every command. To add one: a file beside the others, and a line here. */
export const commands: readonly CommandEntry[] = [
  { name: "simulate", create: async () => (await import("./commands/simulate.ts")).simulateCommand() },
  { name: "explain", create: async () => (await import("./commands/explain.ts")).explainCommand() },
  { name: "study", create: async () => (await import("./commands/study.ts")).studyCommand() },
  { name: "workload", create: async () => (await import("./commands/workload.ts")).workloadCommand() },
  { name: "fractional", create: async () => (await import("./commands/fractional.ts")).fractionalCommand() },
  { name: "policies", create: async () => (await import("./commands/policies.ts")).policiesCommand() },
  { name: "export", create: async () => (await import("./commands/export.ts")).exportCommand() },
  { name: "version", create: async () => (await import("./commands/version.ts")).versionCommand() },
];
