import type { CommandEntry } from "../../cli/command-entry.ts";

/** Every command of research. */
export const researchCommands: readonly CommandEntry[] = [
  {
    name: "study",
    group: "Study a log",
    takesSettings: true,
    writesReports: true,
    create: async () => {
      const [{ register }, { studyCommand }] = await Promise.all([
        import("../register.ts"),
        import("./study.ts"),
      ]);
      register();
      return studyCommand();
    },
  },
  {
    name: "fractional",
    group: "Study a log",
    takesSettings: true,
    create: async () => (await import("./fractional.ts")).fractionalCommand(),
  },
];
