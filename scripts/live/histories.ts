import { history } from "../../src/live/service/histories.fixture.ts";
import type { Trial } from "./trial.ts";

export const histories: Trial = {
  name: "histories",
  summary: "random courses of a farm in a simulated world, with the service dying at any effect",
  unit: "histories",
  usual: 1000,
  plants: { names: [], count: 1 },
  run,
};

async function run(count: number, from: number): Promise<boolean> {
  let [crashes, jobs, mistakes] = [0, 0, 0];
  for (let seed = from; seed < from + count; seed++) {
    const found = await history(seed);
    crashes += found.crashes;
    jobs += found.jobs;
    mistakes += found.wrong.length;
    for (const wrong of found.wrong) console.log(`seed ${seed}: ${wrong}`);
  }
  console.log(`${count} histories, ${jobs} jobs, the service died ${crashes} times, ${mistakes} mistakes`);
  return mistakes === 0;
}
