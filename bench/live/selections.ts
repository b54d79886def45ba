import { join } from "node:path";

import type { Options, Row } from "../benchmark.ts";
import { addPastJobs } from "./past-jobs.ts";
import { Server } from "./servers.ts";

const CANCEL_SECONDS = 10;
const PAGE_MILLISECONDS = 300;
/** One machine that is full for ever: jobs wait. */
const fullFarm = "pools: [{ name: p, machines: [1x1c64g], engine: simulated }]\n";
const LIST = 10_000;

/** What a page is asked for by: alone, together, sorted, and what no job has. */
const pages = [
  "",
  "state=waiting",
  "state=ended",
  "state=failed",
  "user=bench",
  "user=nobody",
  "pool=p",
  "name=bench",
  "name=*7*",
  "name=none*",
  "tag=part%3D3",
  "tag=part%3Dnone",
  "project=none",
  "state=ended&user=bench&name=bench",
  "sort=started",
  "sort=-priority",
  "sort=name&state=waiting",
  "sort=-ended&user=bench",
];

/** Many jobs, of which a part is cancelled by one request, and pages of lists of them. */
export async function selections({ quick }: Options): Promise<Row[]> {
  const past = quick ? 20_000 : 900_000;
  const waiting = quick ? 10_000 : 100_000;
  const server = Server.farm(`${fullFarm}retention: 1000d\n`);
  await server.start();
  await server.kill("SIGTERM");
  addPastJobs(join(server.folder, "data"), past, 200);
  await server.start();
  for (let left = waiting; left > 0; left -= LIST)
    await server.ask("POST", "/v1/job-lists", {
      jobs: Array.from({ length: LIST }, (_, at) => ({
        command: ["/bin/true"],
        name: `job ${at}`,
        tags: { part: String(at % 10) },
      })),
      environment: {},
    });
  const took: [milliseconds: number, page: string][] = [];
  for (const page of pages) {
    const begun = performance.now();
    await server.ask("GET", `/v1/jobs?limit=100&${page}`);
    took.push([performance.now() - begun, page === "" ? "all" : page]);
  }
  const [slowest, page] = took.reduce((a, b) => (a[0] > b[0] ? a : b));
  const begun = performance.now();
  await server.ask("POST", "/v1/job-selections/cancel", { name: "job *" });
  const seconds = (performance.now() - begun) / 1000;
  const left = await server.ask<unknown[]>("GET", "/v1/jobs?state=waiting&limit=10");
  await server.end();
  if (left.length > 1) throw new Error("jobs are left that were to be cancelled");
  const total = (past + waiting).toLocaleString("en");
  return [
    {
      what: `the first page of ${pages.length} lists of ${total} jobs`,
      figure: `at most ${Math.round(slowest)} ms (${page})`,
      target: { text: `${PAGE_MILLISECONDS} ms`, isMet: slowest < PAGE_MILLISECONDS },
    },
    {
      what: `${waiting.toLocaleString("en")} of them are cancelled by one request`,
      figure: `${seconds.toFixed(1)} s`,
      target: { text: `${CANCEL_SECONDS} s`, isMet: seconds < CANCEL_SECONDS },
    },
  ];
}
