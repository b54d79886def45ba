import { setTimeout as pause } from "node:timers/promises";

import type { JobView } from "../../src/live/store/job-views.ts";
import type { Benchmark, Options, Row } from "../benchmark.ts";
import { median } from "../measure.ts";
import { forecasts } from "../live/forecasts.ts";
import { loads } from "../live/health.ts";
import { selections } from "../live/selections.ts";
import { Server } from "../live/servers.ts";
import { SLURM_NODES, SLURM_SLOTS, slurmTrueJobsPerSecond } from "../live/slurm.ts";

const CONNECTIONS = 16;
const LIST = 1000;
/** A job as people submit it. */
const job = { command: ["/bin/true"], directory: "/tmp", name: "bench" };
const environment = { HOME: "/root", PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8", USER: "bench" };
/** One machine that is full for ever: jobs wait. */
const fullFarm = "pools: [{ name: p, machines: [1x1c64g], engine: simulated }]\n";

export const live: Benchmark = {
  name: "live",
  summary:
    "croft serve: durable submits beside a bare server that inserts and flushes, starts, and a large farm",
  onAllCores: true,
  cases: () => [
    "submits one by one",
    "submits in lists of 1,000",
    "true jobs",
    "start",
    "idle",
    "large farm",
    "forecasts",
    "selections",
    ...loads.map(({ name }) => name),
  ],
  async measure(name, options) {
    const load = loads.find((each) => each.name === name);
    if (load !== undefined) return [await load.run(options)];
    switch (name) {
      case "submits one by one":
        return submits(options.quick ? 2000 : 10_000, 1, 0.5, 2000);
      case "submits in lists of 1,000":
        return submits(options.quick ? 20_000 : 100_000, LIST, 0.25, 20_000);
      case "true jobs":
        return trueJobs(options.quick ? 200 : 1000);
      case "start":
        return [await starts(options.quick ? 30 : 200)];
      case "idle":
        return [await idle(options.quick ? 5 : 30)];
      case "forecasts":
        return forecasts(options);
      case "selections":
        return selections(options);
      default:
        return largeFarm(options);
    }
  },
};

async function submits(count: number, inList: number, part: number, least: number): Promise<Row[]> {
  const rate = async (server: Server): Promise<number> => {
    await server.start();
    const body =
      inList === 1
        ? { ...job, environment }
        : { jobs: Array.from({ length: inList }, () => job), environment };
    const path = inList === 1 ? "/v1/jobs" : "/v1/job-lists";
    const all = async (requests: number): Promise<void> => {
      let left = requests;
      const one = async (): Promise<void> => {
        while (left-- > 0) await server.ask("POST", path, body);
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, one));
    };
    await all(Math.ceil(count / inList / 5));
    const begun = performance.now();
    await all(count / inList);
    const seconds = (performance.now() - begun) / 1000;
    await server.end();
    return count / seconds;
  };
  const bare = await rate(Server.bare());
  const farm = await rate(Server.farm(fullFarm));
  return [
    { what: "a bare server", figure: `${Math.round(bare)}/s` },
    {
      what: "the farm",
      figure: `${Math.round(farm)}/s, ${(farm / bare).toFixed(2)} of it`,
      target: { text: `${part} of it, ${least}/s`, isMet: farm / bare >= part && farm >= least },
    },
  ];
}

/** As many slots as Slurm has beside it. */
const trueFarm = `pools: [{ name: p, engine: { kind: local, cores: ${SLURM_NODES * SLURM_SLOTS}, allowRoot: true } }]\n`;
const SUBMITTERS = 4;

/**
 * Jobs that do nothing, to their recorded end: in the farm and in a real Slurm, the same number of slots, on all cores of
 * this machine. Each takes them as singles from four sides at a time (`sbatch`, a request), and all at once (an array, a
 * list).
 */
async function trueJobs(count: number): Promise<Row[]> {
  const singles = await farmTrueJobsPerSecond(count, async (server) => {
    let left = count;
    const one = async (): Promise<void> => {
      while (left-- > 0) await server.ask("POST", "/v1/jobs", { ...job, cores: 1, environment });
    };
    await Promise.all(Array.from({ length: SUBMITTERS }, one));
  });
  const list = await farmTrueJobsPerSecond(count, async (server) => {
    const jobs = Array.from({ length: count }, () => ({ ...job, cores: 1 }));
    await server.ask("POST", "/v1/job-lists", { jobs, environment });
  });
  const slurm = await slurmTrueJobsPerSecond(count);
  const rows = [
    { what: `${count} true jobs in the farm, submitted one by one`, rate: singles, peer: slurm?.singles },
    { what: `${count} true jobs in the farm, one list`, rate: list, peer: slurm?.array },
  ];
  const slots = `${SLURM_NODES} nodes of ${SLURM_SLOTS} slots`;
  return [
    ...(slurm === null
      ? []
      : [
          {
            what: `Slurm, ${slots}: ${SUBMITTERS} loops of sbatch`,
            figure: `${Math.round(slurm.singles)}/s`,
          },
          { what: `Slurm, ${slots}: one array`, figure: `${Math.round(slurm.array)}/s` },
        ]),
    ...rows.map(({ what, rate, peer }) =>
      peer === undefined
        ? { what, figure: `${Math.round(rate)}/s (no Slurm here to compare with)` }
        : {
            what,
            figure: `${Math.round(rate)}/s, ${(rate / peer).toFixed(1)} times Slurm`,
            target: { text: "3 times", isMet: rate >= 3 * peer },
          },
    ),
  ];
}

async function farmTrueJobsPerSecond(
  count: number,
  submit: (server: Server) => Promise<void>,
): Promise<number> {
  const server = Server.farm(trueFarm);
  await server.start();
  const begun = performance.now();
  await submit(server);
  let last: JobView;
  do [last] = await server.ask<JobView[]>("GET", `/v1/jobs?state=waiting,starting,running&limit=1`);
  while (last !== undefined && (await pause(20, true)));
  const rate = count / ((performance.now() - begun) / 1000);
  await server.end();
  return rate;
}

async function starts(count: number): Promise<Row> {
  const server = Server.farm();
  await server.start();
  const latencies: number[] = [];
  for (let i = 0; i < count; i++) {
    const begun = Date.now();
    const { number } = await server.ask<JobView>("POST", "/v1/jobs", {
      command: ["/bin/date", "+%s%N"],
      environment,
    });
    await server.ask("GET", `/v1/jobs/${number}?wait=30`);
    const printed = await text(server, number);
    // The first job finds nothing ready.
    if (i > 0) latencies.push(Number(printed.slice(0, 16)) / 1000 - begun);
  }
  await server.end();
  latencies.sort((a, b) => a - b);
  const [half, most] = [median(latencies), latencies[Math.floor(latencies.length * 0.99)]];
  return {
    what: "from submit to the first instruction, idle farm",
    figure: `median ${half.toFixed(0)} ms, p99 ${most.toFixed(0)} ms`,
    target: { text: "50 ms, 250 ms", isMet: half < 50 && most < 250 },
  };
}

async function text(server: Server, number: number): Promise<string> {
  // What is printed is a number, so it is JSON too.
  return String(await server.ask<number>("GET", `/v1/jobs/${number}/output`));
}

async function idle(seconds: number): Promise<Row> {
  const server = Server.farm();
  await server.start();
  await pause(1000);
  const before = server.usage().processorSeconds;
  await pause(seconds * 1000);
  const part = (server.usage().processorSeconds - before) / seconds;
  await server.end();
  return {
    what: "nothing to do",
    figure: `${(part * 100).toFixed(1)} % of a core`,
    target: { text: "1 %", isMet: part < 0.01 },
  };
}

/** 10,000 simulated machines and a million waiting jobs. */
async function largeFarm({ quick }: Options): Promise<Row[]> {
  const waiting = quick ? 50_000 : 1_000_000;
  const machines = quick ? 1000 : 10_000;
  const server = Server.farm(
    `pools: [{ name: p, machines: [${machines}x4c16g], engine: { kind: simulated, runMeanSeconds: 3600 } }]\n`,
  );
  await server.start();
  const sizes = [1, 1, 2, 4];
  let made = 0;
  const begun = performance.now();
  const one = async (): Promise<void> => {
    while (made < waiting + machines * 3) {
      const first = made;
      made += LIST;
      const jobs = Array.from({ length: LIST }, (_, at) => ({
        ...job,
        cores: sizes[(first + at) % 4],
        memoryMiB: 1000,
      }));
      await server.ask("POST", "/v1/job-lists", { jobs, environment });
    }
  };
  await Promise.all([one(), one(), one(), one()]);
  const filling = (performance.now() - begun) / 1000;
  // Jobs end and start all the while.
  const turns: number[] = [];
  const count = quick ? 200 : 2000;
  const submitOne = async (): Promise<void> => {
    const sent = performance.now();
    await server.ask("POST", "/v1/jobs", { ...job, environment });
    turns.push((performance.now() - sent) / 1000);
  };
  for (let i = 0; i < count; i++) await submitOne();
  const rateBegun = performance.now();
  const connection = async (): Promise<void> => {
    for (let i = 0; i < count / CONNECTIONS; i++) await submitOne();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  const rate = count / ((performance.now() - rateBegun) / 1000);
  turns.sort((a, b) => a - b);
  const { residentMiB } = server.usage();
  await server.kill("SIGKILL");
  const restart = await server.start();
  const { residentMiB: after, processorSeconds } = server.usage();
  await server.end();
  const what = `${machines} machines, ${waiting} waiting jobs`;
  const p99 = turns[Math.floor(turns.length * 0.99)];
  return [
    { what: `${what}: submitted in lists`, figure: `${Math.round(made / filling)}/s` },
    {
      what: "one more submit, p99; on 16 connections",
      figure: `${(p99 * 1000).toFixed(0)} ms, ${Math.round(rate)}/s`,
      target: { text: "1 s, 1000/s", isMet: p99 < 1 && rate >= 1000 },
    },
    {
      what: "memory",
      figure: `${Math.round(Math.max(residentMiB, after))} MiB`,
      target: { text: "2 GB", isMet: Math.max(residentMiB, after) < 1907 },
    },
    {
      what: "restart after kill -9",
      figure: `${restart.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of a processor`,
      target: { text: "30 s", isMet: restart < 30 },
    },
  ];
}
