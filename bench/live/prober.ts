/**
 * Asks a farm for `/health` every 10 ms, in a process of its own, until its standard input is closed; then it prints the
 * longest that an answer took, in milliseconds, and how many there were. `node prober.ts SOCKET`.
 */
import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

const PAUSE_MILLISECONDS = 10;

const [socketPath] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const over = new AbortController();
process.stdin.on("end", () => over.abort()).resume();

const ask = (): Promise<void> =>
  new Promise((resolve, reject) => {
    request({ socketPath, agent, path: "/health" }, (response) => response.resume().on("end", resolve))
      .on("error", reject)
      .end();
  });

await ask();
console.log("ready");
let worst = 0;
let answers = 0;
while (!over.signal.aborted) {
  const sent = performance.now();
  await ask();
  worst = Math.max(worst, performance.now() - sent);
  answers++;
  await pause(PAUSE_MILLISECONDS);
}
console.log(JSON.stringify({ worst, answers }));
agent.destroy();
