import { spawn } from "node:child_process";

import type { Channel } from "../../workload/index.ts";
import { MOST_PRINTED_MIB, Printed } from "../engines/system/printed.ts";
import { TELL_SECONDS, type ChannelKind } from "./channel.ts";

/** After the service would have ended it. */
const SPARE_SECONDS = 5;

/** Runs a program as the service's user. The status 0 says that it was taken. */
export const command: ChannelKind<Extract<Channel, { kind: "command" }>> = {
  tell: ({ command }, { id, attempt, body }, signal) =>
    new Promise((resolve, reject) => {
      // Without a service that ends it, one that hangs is ended all the same, with what is in its group.
      const child = spawn("timeout", ["-s", "KILL", String(TELL_SECONDS + SPARE_SECONDS), ...command], {
        cwd: "/",
        env: {
          PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
          CROFT_NOTIFICATION: String(id),
          CROFT_ATTEMPT: String(attempt),
        },
        stdio: ["pipe", "pipe", "pipe"],
        // A group of its own, so that what it has begun ends with it.
        detached: true,
      });
      // Whoever prints without end hears that nobody reads it any more.
      const printed = new Printed(child.stdout, child.stderr, () => undefined);
      const end = (): void => {
        if (child.pid === undefined) return;
        try {
          process.kill(-child.pid, "SIGKILL");
        } catch {
          // All of it is over.
        }
      };
      signal.addEventListener("abort", end, { once: true });
      const over = (problem: string | null): void => {
        signal.removeEventListener("abort", end);
        // What it has left running.
        end();
        if (problem === null) {
          printed.close();
          return resolve();
        }
        void printed.told(problem).then((told) => {
          printed.close();
          reject(new Error(told));
        });
      };
      child.on("error", (error) => over(error.message));
      child.on("exit", (status, killed) => {
        if (status === 0) over(null);
        else if (printed.isTooMuch) over(`it prints more than ${MOST_PRINTED_MIB} MiB`);
        else if (signal.aborted) over("it takes too long");
        else over(status === null ? `it was ended by ${killed}` : `it ends with the status ${status}`);
      });
      // It need not read what it is told.
      child.stdin.on("error", () => undefined);
      child.stdin.end(body);
    }),
};
