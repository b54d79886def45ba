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
  { name: "serve", create: async () => (await import("./commands/live/serve.ts")).serveCommand() },
  { name: "submit", create: async () => (await import("./commands/live/submit.ts")).submitCommand() },
  { name: "jobs", create: async () => (await import("./commands/live/jobs.ts")).jobsCommand() },
  { name: "job", create: async () => (await import("./commands/live/job.ts")).jobCommand() },
  { name: "logs", create: async () => (await import("./commands/live/logs.ts")).logsCommand() },
  { name: "wait", create: async () => (await import("./commands/live/wait.ts")).waitCommand() },
  ...(["cancel", "hold", "release", "suspend", "resume", "rerun"] as const).map((name) => ({
    name,
    create: async () => (await import("./commands/live/acts.ts")).actCommand(name),
  })),
];
