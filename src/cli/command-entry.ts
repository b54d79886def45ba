import type { Command } from "commander";

/** A command of its own, such as `croft simulate`. */
export interface CommandEntry {
  readonly name: string;
  /** Whether its options, and those of its subcommands, can come from a file: `--config`, `croft.yaml`. */
  readonly takesSettings?: true;
  /** Whether `--out` names a folder for a report, beside which the settings are saved. */
  readonly writesReports?: true;
  /** Loads the modules of this command only. */
  create(): Promise<Command>;
}
