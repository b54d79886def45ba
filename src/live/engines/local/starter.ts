import type { Clock } from "../system/clock.ts";
import type { Conversation, Processes } from "./processes.ts";

/** How long to wait for a wrapper's first word. */
const PATIENCE_SECONDS = 30;
const CLEAN = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };

/**
 * - `go`: the job's program is about to run.
 * - `end`: it did not come to that, and the wrapper has ended.
 * - `failed`: no process could be made.
 * - `silent`: nothing was heard: the wrapper may be running, or may never run.
 */
export type Heard = "go" | "end" | "failed" | "silent";

/** Starts wrappers by way of a small process (`starter-script.ts`), and hears from them. */
export class Starter {
  private readonly processes: Processes;
  private readonly clock: Clock;
  private readonly args: readonly string[];
  private readonly ended: (key: string) => void;
  private readonly waiting = new Map<string, (heard: Heard) => void>();
  private conversation: Conversation | null = null;

  /**
   * @param args the script, the engine's folder, the folder of cgroups or an empty text
   * @param ended called when a wrapper says that its attempt has ended
   */
  constructor(processes: Processes, clock: Clock, args: readonly string[], ended: (key: string) => void) {
    this.processes = processes;
    this.clock = clock;
    this.args = args;
    this.ended = ended;
  }

  /** @param prefix what the job's side is run with: words without blanks */
  start(key: string, prefix: readonly string[]): Promise<Heard> {
    this.conversation ??= this.processes.converse("/bin/sh", this.args, CLEAN, {
      line: (line) => this.hear(line),
      ended: () => {
        this.conversation = null;
        for (const key of this.waiting.keys()) this.settle(key, "silent");
      },
    });
    const conversation = this.conversation;
    return new Promise((resolve) => {
      const cancel = this.clock.after(PATIENCE_SECONDS, () => this.settle(key, "silent"));
      this.waiting.set(key, (heard) => {
        cancel();
        resolve(heard);
      });
      conversation.say([key, ...prefix].join(" "));
    });
  }

  close(): void {
    this.conversation?.end();
    this.conversation = null;
  }

  private hear(line: string): void {
    const [word, key] = line.split(" ") as [string, string?];
    if (key === undefined || (word !== "go" && word !== "end" && word !== "failed")) return;
    this.settle(key, word);
    if (word === "end") this.ended(key);
  }

  private settle(key: string, heard: Heard): void {
    this.waiting.get(key)?.(heard);
    this.waiting.delete(key);
  }
}
