import { Worker } from "node:worker_threads";

import { Refusal } from "../refusal.ts";
import type { Answered, Asked } from "./reader-thread.ts";
import type { Input, Output, Reader, TaskName } from "./tasks.ts";

/** The thread's file is TypeScript if this module runs from the sources, and JavaScript if it was built. */
const threadFile = new URL(
  import.meta.url.endsWith(".ts") ? "./reader-thread.ts" : "./reader-thread.js",
  import.meta.url,
);

interface Waiting {
  readonly asked: Asked;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/** What waits for the thread: more is refused by who asks. */
const MOST_WAITING = 1000;
const STOPPING = "the farm is stopping: ask again when it is back";

/** Does one thing after the other in a thread with a connection of its own, which is there while there is something to do. */
export class ThreadedReader implements Reader {
  private readonly path: string;
  private readonly idleMilliseconds: number;
  private readonly waiting = new Set<Waiting>();
  private thread: Worker | null = null;
  private present: Waiting | null = null;
  private idle: NodeJS.Timeout | undefined;
  private isClosed = false;

  /** @param idleMilliseconds how long the thread stays with nothing to do */
  constructor(path: string, idleMilliseconds: number) {
    this.path = path;
    this.idleMilliseconds = idleMilliseconds;
  }

  do<Name extends TaskName>(name: Name, input: Input<Name>): Promise<Output<Name>> {
    return new Promise((resolve, reject) => {
      if (this.isClosed) return reject(new Refusal(503, STOPPING));
      if (this.waiting.size >= MOST_WAITING)
        return reject(new Refusal(503, "too much is asked already: try again"));
      this.waiting.add({ asked: { name, input }, resolve, reject });
      this.next();
    });
  }

  /** Ends what is being done, as soon as that can be ended; what waits is not done. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.idle);
    const { thread, present, waiting } = this;
    this.thread = null;
    this.present = null;
    await thread?.terminate();
    for (const { reject } of [...(present === null ? [] : [present]), ...waiting])
      reject(new Refusal(503, STOPPING));
    waiting.clear();
  }

  private next(): void {
    const [first] = this.waiting;
    if (this.present !== null || this.isClosed) return;
    clearTimeout(this.idle);
    if (first === undefined) {
      this.idle = setTimeout(() => this.rest(), this.idleMilliseconds).unref();
      return;
    }
    this.waiting.delete(first);
    this.present = first;
    this.thread ??= this.begin();
    this.thread.postMessage(first.asked);
  }

  private rest(): void {
    const { thread } = this;
    this.thread = null;
    void thread?.terminate();
  }

  private begin(): Worker {
    const thread = new Worker(threadFile, { workerData: { path: this.path } });
    // An error of the thread itself, such as too little memory: the next thing gets another thread.
    const lost = (error: unknown): void => {
      if (this.thread !== thread) return;
      this.thread = null;
      this.settle((waiting) => waiting.reject(error));
    };
    thread.on("error", lost);
    thread.on("exit", (code) => lost(new Error(`its thread ended with code ${code}`)));
    thread.on("message", (answer: Answered) =>
      this.settle((waiting) =>
        "result" in answer
          ? waiting.resolve(answer.result as never)
          : waiting.reject(
              "refusal" in answer ? new Refusal(answer.refusal.status, answer.refusal.message) : answer.error,
            ),
      ),
    );
    return thread;
  }

  private settle(how: (waiting: Waiting) => void): void {
    const { present } = this;
    this.present = null;
    if (present !== null) how(present);
    this.next();
  }
}
