import { hiddenResearchCommands, researchCommands } from "../research/cli/commands.ts";
import type { CommandEntry } from "./command-entry.ts";

/** Loads a command that names policies, machines or generators: those of research are known to it too. */
async function withResearch<Module>(command: Promise<Module>): Promise<Module> {
  const { register } = await import("../research/register.ts");
  register();
  return command;
}

const studying = [
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
] as const;

const running = [
  { name: "serve", create: async () => (await import("./commands/live/serve.ts")).serveCommand() },
  {
    name: "schedule-pods",
    create: async () => (await import("./commands/live/schedule-pods.ts")).schedulePodsCommand(),
  },
  { name: "doctor", create: async () => (await import("./commands/live/doctor.ts")).doctorCommand() },
  { name: "top", create: async () => (await import("./commands/live/top.ts")).topCommand() },
  { name: "pools", create: async () => (await import("./commands/live/pools.ts")).poolsCommand() },
  { name: "usage", create: async () => (await import("./commands/live/usage.ts")).usageCommand() },
  { name: "machines", create: async () => (await import("./commands/live/machines.ts")).machinesCommand() },
  { name: "drain", create: async () => (await import("./commands/live/drain.ts")).drainCommand() },
  { name: "undrain", create: async () => (await import("./commands/live/drain.ts")).undrainCommand() },
  { name: "pause", create: async () => (await import("./commands/live/pause.ts")).pauseCommand() },
  { name: "unpause", create: async () => (await import("./commands/live/pause.ts")).unpauseCommand() },
  {
    name: "reservations",
    create: async () => (await import("./commands/live/reserve.ts")).reservationsCommand(),
  },
  { name: "reserve", create: async () => (await import("./commands/live/reserve.ts")).reserveCommand() },
  { name: "unreserve", create: async () => (await import("./commands/live/reserve.ts")).unreserveCommand() },
  { name: "events", create: async () => (await import("./commands/live/events.ts")).eventsCommand() },
  { name: "history", create: async () => (await import("./commands/live/history.ts")).historyCommand() },
  {
    name: "whatif",
    create: async () => (await withResearch(import("./commands/live/whatif.ts"))).whatIfCommand(),
  },
  { name: "token", create: async () => (await import("./commands/live/token.ts")).tokenCommand() },
  { name: "backup", create: async () => (await import("./commands/live/backup.ts")).backupCommand() },
  { name: "reload", create: async () => (await import("./commands/live/reload.ts")).reloadCommand() },
] as const;

const using = [
  { name: "submit", create: async () => (await import("./commands/live/submit.ts")).submitCommand() },
  { name: "jobs", create: async () => (await import("./commands/live/jobs.ts")).jobsCommand() },
  { name: "job", create: async () => (await import("./commands/live/job.ts")).jobCommand() },
  { name: "when", create: async () => (await import("./commands/live/when.ts")).whenCommand() },
  { name: "logs", create: async () => (await import("./commands/live/logs.ts")).logsCommand() },
  { name: "wait", create: async () => (await import("./commands/live/wait.ts")).waitCommand() },
  { name: "change", create: async () => (await import("./commands/live/change.ts")).changeCommand() },
  ...(["cancel", "hold", "release", "suspend", "resume", "rerun"] as const).map((name) => ({
    name,
    create: async () => (await import("./commands/live/acts.ts")).actCommand(name),
  })),
  { name: "mcp", create: async () => (await import("./commands/live/mcp.ts")).mcpCommand() },
  { name: "whoami", create: async () => (await import("./commands/live/whoami.ts")).whoamiCommand() },
] as const;

const tools = [
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
] as const;

/** What farms run for other commands: nobody types them, and help leaves them out. */
export const hiddenCommands: readonly CommandEntry[] = [
  {
    name: "sweep-unit",
    group: "Tools",
    create: async () => (await withResearch(import("./commands/sweep-unit.ts"))).sweepUnitCommand(),
  },
  ...hiddenResearchCommands,
];

/** Every command that is for people. To add one: a file beside the others, and a line in its group's list above. */
export const commands: readonly CommandEntry[] = [
  ...studying.map((entry) => ({ ...entry, group: "Study a log" as const })),
  ...researchCommands,
  ...running.map((entry) => ({ ...entry, group: "Run a farm" as const })),
  ...using.map((entry) => ({ ...entry, group: "Use a farm" as const })),
  ...tools.map((entry) => ({ ...entry, group: "Tools" as const })),
];
