import { researchCommands } from "../research/cli/commands.ts";
import type { CommandEntry } from "./command-entry.ts";

/** Loads a command that names policies, machines or generators: those of research are known to it too. */
async function withResearch<Module>(command: Promise<Module>): Promise<Module> {
  const { register } = await import("../research/register.ts");
  register();
  return command;
}

/** Every command. To add one: a file beside the others, and a line here. */
export const commands: readonly CommandEntry[] = [
  {
    name: "simulate",
    takesSettings: true,
    writesReports: true,
    create: async () => (await withResearch(import("./commands/simulate.ts"))).simulateCommand(),
  },
  {
    name: "sweep",
    create: async () => (await withResearch(import("./commands/sweep.ts"))).sweepCommand(),
  },
  {
    name: "explain",
    takesSettings: true,
    create: async () => (await withResearch(import("./commands/explain.ts"))).explainCommand(),
  },
  {
    name: "shares",
    takesSettings: true,
    create: async () => (await withResearch(import("./commands/shares.ts"))).sharesCommand(),
  },
  ...researchCommands,
  {
    name: "workload",
    takesSettings: true,
    create: async () => (await withResearch(import("./commands/workload.ts"))).workloadCommand(),
  },
  {
    name: "policies",
    create: async () => (await withResearch(import("./commands/policies.ts"))).policiesCommand(),
  },
  {
    name: "compare",
    takesSettings: true,
    create: async () => (await import("./commands/compare.ts")).compareCommand(),
  },
  {
    name: "export",
    takesSettings: true,
    create: async () => (await withResearch(import("./commands/export.ts"))).exportCommand(),
  },
  {
    name: "completion",
    create: async () => {
      const [{ completionCommand }, { makeProgram }, { reschedulingChapters }] = await withResearch(
        Promise.all([
          import("./commands/completion.ts"),
          import("./program.ts"),
          import("../research/study/index.ts"),
        ]),
      );
      const chapters = ["all", ...reschedulingChapters.map(({ name }) => name)];
      return completionCommand(() => makeProgram(commands, true), { "--chapters": chapters });
    },
  },
  { name: "version", create: async () => (await import("./commands/version.ts")).versionCommand() },
  { name: "serve", create: async () => (await import("./commands/live/serve.ts")).serveCommand() },
  { name: "submit", create: async () => (await import("./commands/live/submit.ts")).submitCommand() },
  { name: "jobs", create: async () => (await import("./commands/live/jobs.ts")).jobsCommand() },
  { name: "job", create: async () => (await import("./commands/live/job.ts")).jobCommand() },
  { name: "logs", create: async () => (await import("./commands/live/logs.ts")).logsCommand() },
  { name: "wait", create: async () => (await import("./commands/live/wait.ts")).waitCommand() },
  { name: "change", create: async () => (await import("./commands/live/change.ts")).changeCommand() },
  { name: "pools", create: async () => (await import("./commands/live/pools.ts")).poolsCommand() },
  { name: "machines", create: async () => (await import("./commands/live/machines.ts")).machinesCommand() },
  { name: "drain", create: async () => (await import("./commands/live/drain.ts")).drainCommand() },
  { name: "undrain", create: async () => (await import("./commands/live/drain.ts")).undrainCommand() },
  { name: "events", create: async () => (await import("./commands/live/events.ts")).eventsCommand() },
  { name: "history", create: async () => (await import("./commands/live/history.ts")).historyCommand() },
  { name: "whoami", create: async () => (await import("./commands/live/whoami.ts")).whoamiCommand() },
  { name: "token", create: async () => (await import("./commands/live/token.ts")).tokenCommand() },
  { name: "backup", create: async () => (await import("./commands/live/backup.ts")).backupCommand() },
  { name: "reload", create: async () => (await import("./commands/live/reload.ts")).reloadCommand() },
  ...(["cancel", "hold", "release", "suspend", "resume", "rerun"] as const).map((name) => ({
    name,
    create: async () => (await import("./commands/live/acts.ts")).actCommand(name),
  })),
];
