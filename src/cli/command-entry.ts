import type { Command } from "commander";

/** What `croft --help` lists commands under, in the order of `commands.ts`. */
export type CommandGroup = "Study a log" | "Run a farm" | "Use a farm" | "Tools";

/** A command of its own, such as `croft simulate`. */
export interface CommandEntry {
  readonly name: string;
  readonly group: CommandGroup;
  /** Whether its options, and those of its subcommands, can come from a file: `--config`, `croft.yaml`. */
  readonly takesSettings?: true;
  /** Whether `--out` names a folder for a report, beside which the settings are saved. */
  readonly writesReports?: true;
  /** Loads the modules of this command only. */
  create(): Promise<Command>;
}
