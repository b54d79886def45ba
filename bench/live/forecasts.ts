import { setTimeout as pause } from "node:timers/promises";

import type { Options, Row } from "../benchmark.ts";
import { median } from "../measure.ts";
import { Server } from "./servers.ts";

const FIRST_MILLISECONDS = 2000;
const ASKS_PER_SECOND = 50;
const LIMITS_SECONDS = [600, 3600, 14_400, 86_400];

/**
 * Forecasts of a farm with a long queue: how long the first one takes, and whether a farm that is asked for 50 a second
 * takes longer for what else it does. What it does is a submission: a turn, durable.
 */
export async function forecasts({ quick }: Options): Promise<Row[]> {
  const waiting = quick ? 1000 : 10_000;
  const seconds = quick ? 3 : 20;
  const server = Server.farm(
    "pools: [{ name: p, machines: [100x16c64g], engine: { kind: simulated, runMeanSeconds: 3600 } }]\n",
  );
  await server.start();
  const jobs = (count: number): object[] =>
    Array.from({ length: count }, (_, at) => ({
      command: ["/bin/true"],
      cores: [1, 2, 4, 8, 16][at % 5],
      timeSeconds: LIMITS_SECONDS[at % 4],
    }));
  for (let left = waiting + 500; left > 0; left -= 1000)
    await server.ask("POST", "/v1/job-lists", { jobs: jobs(Math.min(left, 1000)), environment: {} });
  const list = await server.ask<{ number: number }[]>("GET", "/v1/jobs?state=waiting&limit=10000");
  const begun = performance.now();
  await server.ask("GET", `/v1/jobs/${list[list.length - 1].number}/forecast`);
  const first = performance.now() - begun;

  const quietBefore = await turns(server, seconds);
  const asking = new AbortController();
  const asked = askAll(server, list, asking.signal);
  const busy = await turns(server, seconds);
  asking.abort();
  const answers = await asked;
  const quietAfter = await turns(server, seconds);
  await server.end();
  const quiet = [...quietBefore, ...quietAfter];
  const ratio = median(busy) / median(quiet);
  return [
    {
      what: `the first forecast, ${waiting} jobs waiting`,
      figure: `${Math.round(first)} ms`,
      target: { text: `${FIRST_MILLISECONDS} ms`, isMet: first < FIRST_MILLISECONDS },
    },
    {
      what: `a submission while ${(answers / seconds).toFixed(0)} forecasts a second are asked for`,
      figure: `median ${median(busy).toFixed(1)} ms, p99 ${p99(busy).toFixed(1)} ms; without: ${median(quiet).toFixed(1)} ms, p99 ${p99(quiet).toFixed(1)} ms`,
      target: { text: "1.25 of the median without", isMet: ratio < 1.25 },
    },
  ];
}

/** How long submissions took, 20 a second, in milliseconds. */
async function turns(server: Server, seconds: number): Promise<number[]> {
  const took: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const sent = performance.now();
    await server.ask("POST", "/v1/jobs", { command: ["/bin/true"], environment: {} });
    took.push(performance.now() - sent);
    await pause(50);
  }
  return took;
}

/** @returns how many answers came */
async function askAll(
  server: Server,
  list: readonly { number: number }[],
  signal: AbortSignal,
): Promise<number> {
  let answers = 0;
  const open: Promise<unknown>[] = [];
  for (let i = 0; !signal.aborted; i++) {
    const { number } = list[(i * 7919) % list.length];
    open.push(server.ask("GET", `/v1/jobs/${number}/forecast`).then(() => answers++));
    await pause(1000 / ASKS_PER_SECOND);
  }
  await Promise.all(open);
  return answers;
}

function p99(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)];
}
