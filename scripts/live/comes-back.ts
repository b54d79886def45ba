/** The service is stopped or killed while a job runs, the job ends, the service starts: it records the end. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { parseExit } from "../../src/live/engines/wrapper/records.ts";
import type { JobView } from "../../src/live/store/job-views.ts";
import { KillFarm, OWN_FARM } from "./kill-farm.ts";
import { until, Wedged } from "./patience.ts";
import type { Trial } from "./trial.ts";

export const comesBack: Trial = {
  name: "comes-back",
  summary: "the service is stopped or killed while a job runs, and started when it has ended",
  unit: "trials",
  usual: 4,
  short: 2,
  plants: {
    // With a cgroup, which root has, nothing is waited for at the start.
    names: [...(process.getuid?.() === 0 ? [] : ["timers-that-keep-nothing-alive"]), "a-dropped-end-record"],
    count: 4,
  },
  run,
};

async function run(count: number, seed: number, plant: string | null): Promise<boolean> {
  let recorded = 0;
  for (let at = seed; at < seed + count; at++) {
    const folder = mkdtempSync(join(tmpdir(), "croft-trial-"));
    const farm = new KillFarm(folder, OWN_FARM, plant);
    try {
      const what = await one(farm, folder, at % 2 === 0 ? "SIGTERM" : "SIGKILL");
      if (what === "failed with 3") recorded++;
      else console.log(`the job failed with 3 while the service was away, and it says: ${what}`);
    } catch (error) {
      if (!(error instanceof Wedged)) throw error;
      console.log(error.message);
    } finally {
      await farm.abandon();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
  console.log(`${count} trials, ${recorded} ends recorded`);
  return recorded === count;
}

async function one(farm: KillFarm, folder: string, signal: NodeJS.Signals): Promise<string> {
  const go = join(folder, "go");
  await farm.start();
  const { client } = farm.service;
  const command = ["sh", "-c", `while [ ! -e ${go} ]; do sleep 0.02; done; exit 3`];
  const { number } = await client.send<JobView>("POST", "/v1/jobs", { command });
  const view = (wait: number): Promise<JobView> => client.get<JobView>(`/v1/jobs/${number}?wait=${wait}`);
  await until(`job ${number} runs`, async () => (await view(0)).state === "running" || null);
  await farm.service.end(signal);
  writeFileSync(go, "");
  const attempts = join(folder, "data", "engines", "own", "attempts");
  await until(
    `job ${number} has ended`,
    () => readdirSync(attempts).every((attempt) => hasEnded(join(attempts, attempt, "exit"))) || null,
  );
  await farm.start();
  const { state, exitStatus } = await view(30);
  return `${state} with ${exitStatus}`;
}

/** The file is there from the attempt's beginning on. */
function hasEnded(exit: string): boolean {
  return existsSync(exit) && parseExit(readFileSync(exit, "utf8")) !== null;
}
