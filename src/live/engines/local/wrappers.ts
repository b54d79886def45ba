import type { Clock } from "../system/clock.ts";
import type { Exchange, Processes } from "./processes.ts";

/** How long to wait for a wrapper's first word. */
const PATIENCE_SECONDS = 30;
const CLEAN = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };

/**
 * - `go`: the job's program is about to run.
 * - `end`: it did not come to that, or it is over.
 * - `silent`: nothing was heard: the wrapper may be running, or has never run.
 */
export type Message = "go" | "end" | "silent";

interface Wrapper {
  exchange: Exchange | null;
  /** The attempt that it was told to run; null: it waits for one. */
  key: string | null;
  /** Whether it has said that the attempt has ended. */
  hasEnded: boolean;
  /** Whether nothing of the attempt is left. */
  isFree: boolean;
  settle: (message: Message | "gone") => void;
}

/**
 * Wrappers (`wrapper/script.ts`), each in a session of its own. One whose attempt is over, and has left nothing, runs
 * another one: so in the long run none has to be made, which takes a large process long. They outlive the service with
 * the attempts that they run.
 */
export class Wrappers {
  private readonly processes: Processes;
  private readonly clock: Clock;
  private readonly args: readonly string[];
  private readonly ended: (key: string) => void;
  private readonly idle: Wrapper[] = [];
  private readonly busy = new Map<string, Wrapper>();

  /**
   * @param args the script and its arguments
   * @param ended called when an attempt has ended, or its wrapper
   */
  constructor(processes: Processes, clock: Clock, args: readonly string[], ended: (key: string) => void) {
    this.processes = processes;
    this.clock = clock;
    this.args = args;
    this.ended = ended;
  }

  /**
   * @param keeps whether the attempt's folder takes what the job prints
   * @param prefix what the job's side is run with: words without blanks
   */
  async run(key: string, keeps: boolean, prefix: readonly string[]): Promise<Message> {
    for (;;) {
      const waiting = this.idle.pop();
      const message = await this.tell(waiting ?? this.make(), key, keeps, prefix);
      if (message !== "gone") return message;
      // One that waited may have been killed. If it has claimed, the next one runs nothing.
      if (waiting === undefined) return "silent";
    }
  }

  /** Its first word; `gone`: it has ended without one. */
  private tell(
    wrapper: Wrapper,
    key: string,
    keeps: boolean,
    prefix: readonly string[],
  ): Promise<Message | "gone"> {
    wrapper.key = key;
    wrapper.hasEnded = false;
    wrapper.isFree = false;
    this.busy.set(key, wrapper);
    return new Promise((resolve) => {
      const cancel = this.clock.after(PATIENCE_SECONDS, () => resolve("silent"));
      wrapper.settle = (message) => {
        cancel();
        resolve(message);
      };
      if (wrapper.exchange === null) this.gone(wrapper);
      else wrapper.exchange.send([key, keeps ? "kept" : "-", ...prefix].join(" "));
    });
  }

  /** Nothing is left of an attempt. */
  free(key: string): void {
    const wrapper = this.busy.get(key);
    if (wrapper === undefined) return;
    wrapper.isFree = true;
    this.restIfDone(wrapper);
  }

  close(): void {
    for (const { exchange } of [...this.idle.splice(0), ...this.busy.values()]) exchange?.end();
    this.busy.clear();
  }

  private make(): Wrapper {
    const wrapper: Wrapper = {
      exchange: null,
      key: null,
      hasEnded: false,
      isFree: false,
      settle: () => undefined,
    };
    wrapper.exchange = this.processes.exchange("/bin/sh", this.args, CLEAN, {
      line: (line) => this.receive(wrapper, line),
      ended: () => this.gone(wrapper),
    });
    return wrapper;
  }

  private receive(wrapper: Wrapper, line: string): void {
    const [word, key] = line.split(" ") as [string, string?];
    if (key === undefined || key !== wrapper.key || (word !== "go" && word !== "end")) return;
    wrapper.settle(word);
    if (word === "go") return;
    wrapper.hasEnded = true;
    this.restIfDone(wrapper);
    this.ended(key);
  }

  private restIfDone(wrapper: Wrapper): void {
    const { key, hasEnded, isFree, exchange } = wrapper;
    if (key === null || !hasEnded || !isFree) return;
    this.busy.delete(key);
    wrapper.key = null;
    if (exchange !== null) this.idle.push(wrapper);
  }

  private gone(wrapper: Wrapper): void {
    wrapper.exchange = null;
    const at = this.idle.indexOf(wrapper);
    if (at >= 0) this.idle.splice(at, 1);
    const { key } = wrapper;
    if (key === null) return;
    this.busy.delete(key);
    wrapper.key = null;
    wrapper.settle("gone");
    this.ended(key);
  }
}
