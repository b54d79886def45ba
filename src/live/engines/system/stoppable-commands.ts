import type { Commands, Ran, RunOptions } from "./commands.ts";

/** The commands of an engine, which closes: it waits for none that hangs. */
export class StoppableCommands implements Commands {
  private readonly commands: Commands;
  private readonly asking = new AbortController();
  private readonly acting = new AbortController();

  constructor(commands: Commands) {
    this.commands = commands;
  }

  run(program: string, args: readonly string[], options: RunOptions): Promise<Ran> {
    const { signal } = options.acts === true ? this.acting : this.asking;
    return signal.aborted
      ? Promise.resolve({ status: null, stdout: "", stderr: `${program}: its engine is closed` })
      : this.commands.run(program, args, { ...options, signal });
  }

  /** Ends those that only ask, and begins no more of them. */
  stopAsking(): void {
    this.asking.abort();
  }

  /** Ends all, and begins none any more. */
  stop(): void {
    this.asking.abort();
    this.acting.abort();
  }
}
