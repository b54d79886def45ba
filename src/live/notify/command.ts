import { spawn } from "node:child_process";

import type { Channel } from "../../workload/index.ts";
import type { ChannelKind } from "./channel.ts";

/** Of what a program says on standard error, for the log. */
const MOST_SAID = 500;

/** Runs a program as the service's user. The status 0 says that it was taken. */
export const command: ChannelKind<Extract<Channel, { kind: "command" }>> = {
  tell: ({ command: [program, ...args] }, { id, attempt, body }, signal) =>
    new Promise((resolve, reject) => {
      const child = spawn(program!, args, {
        cwd: "/",
        env: {
          PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
          CROFT_NOTIFICATION: String(id),
          CROFT_ATTEMPT: String(attempt),
        },
        stdio: ["pipe", "ignore", "pipe"],
        // A group of its own, so that what it has begun ends with it.
        detached: true,
      });
      let said = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        if (said.length < MOST_SAID) said += text;
      });
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
        // What it has left running, and what holds its standard error open.
        end();
        child.stderr.destroy();
        if (problem === null) return resolve();
        const [line = ""] = said.trim().slice(0, MOST_SAID).split("\n");
        reject(new Error(line === "" ? problem : `${problem}: ${line}`));
      };
      child.on("error", (error) => over(error.message));
      child.on("exit", (status, killed) => {
        if (status === 0) over(null);
        else if (signal.aborted) over("it takes too long");
        else over(status === null ? `it was ended by ${killed}` : `it ends with the status ${status}`);
      });
      // It need not read what it is told.
      child.stdin.on("error", () => undefined);
      child.stdin.end(body);
    }),
};
