import type { CommandEntry } from "../../cli/command-entry.ts";

/** Loads a command that names policies or generators of research. */
async function registered<Module>(module: Promise<Module>): Promise<Module> {
  const { register } = await import("../register.ts");
  register();
  return module;
}

/** Every command of research. */
export const researchCommands: readonly CommandEntry[] = [
  {
    name: "study",
    group: "Study a log",
    takesSettings: true,
    writesReports: true,
    create: async () => (await registered(import("./study.ts"))).studyCommand(),
  },
  {
    name: "fractional",
    group: "Study a log",
    takesSettings: true,
    create: async () => (await import("./fractional.ts")).fractionalCommand(),
  },
];

/** What farms run for `croft study … --on`: nobody types it. */
export const hiddenResearchCommands: readonly CommandEntry[] = [
  {
    name: "study-unit",
    group: "Tools",
    create: async () => (await registered(import("./study-unit.ts"))).studyUnitCommand(),
  },
];
