/**
 * A farm whose machines all fail at once, when it gets SIGUSR2: the pool's engine reports each of them down, and each
 * attempt on them lost. `node failing-farm.ts FARM DATA SOCKET`.
 */
import { farmChecks } from "../../src/simulation/index.ts";
import { readFarm } from "../../src/workload/index.ts";
import { serve } from "../../src/live/serve.ts";

const LATE_MILLISECONDS = 500;
const MOST_LATE = 100;
const [path, data, socket] = process.argv.slice(2);
const serving = await serve({
  readFarm: () => readFarm(path, { ...farmChecks, enginesTellMachines: true }),
  data,
  socket,
  version: "bench",
  logLevel: "error",
  listen: null,
  speed: 1,
});
process.on("SIGUSR2", () => {
  const { service } = serving;
  const [pool] = service.pools;
  const lose = (): void => {
    for (const { job, attempt } of service.books.attempts.values())
      service.report(0, { kind: "lost", id: { job: job.id, attempt }, reason: "its machine is down" });
  };
  for (const machine of pool.engine.machines())
    service.report(0, { kind: "machine", machine: { ...machine, state: "down", reason: "no answer" } });
  lose();
  // The few that were being started just then: the simulated engine does not know that its machines are down.
  setInterval(() => {
    if (service.books.attempts.size <= MOST_LATE) lose();
  }, LATE_MILLISECONDS).unref();
});
process.on("SIGTERM", () => void serving.stop().then(() => process.exit()));
console.log("ready");
