/**
 * Runs a command as a job of a farm, shows what it printed, and ends as it did:
 *
 *     node run-job.ts ./run.sh 17
 *
 * Ctrl-C cancels the job. The farm is the one at CROFT_SERVER, with its token in CROFT_TOKEN; it needs no package.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

interface Job {
  readonly number: number;
  readonly state: string;
  readonly reason: string;
  readonly exitStatus: number | null;
  readonly attempts: readonly { readonly outcome: { readonly kind: string; readonly cause?: string } }[];
}

const server = process.env["CROFT_SERVER"] ?? "http://localhost:8470";
const token = process.env["CROFT_TOKEN"] ?? "";

/** Asks again for a minute while the farm is away: the key keeps a submission one job. */
async function ask(method: string, path: string, body?: object, key?: string): Promise<Response> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(key === undefined ? {} : { "idempotency-key": key }),
  };
  const request = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
  const until = performance.now() + 60_000;
  for (;;) {
    const answer = await fetch(`${server}${path}`, request).catch((error: unknown) => error as Error);
    if (answer instanceof Response && answer.ok) return answer;
    // A service that stops, a full disk, or a proxy in front of a farm that is away.
    if (answer instanceof Response && ![502, 503, 504].includes(answer.status))
      throw new Error(((await answer.json()) as { error: string }).error);
    const problem = answer instanceof Response ? answer.statusText : String(answer.cause);
    if (performance.now() > until) throw new Error(`no farm answers at ${server}: ${problem}`);
    await sleep(1000);
  }
}

/** @param asks what it may ask for is in docs/live/rest.md: `{ cores: 2, memoryMiB: 4096 }` */
async function submit(command: readonly string[], asks: object = {}): Promise<number> {
  // The farm sets variables of that name itself.
  const passed = Object.entries(process.env).filter(([name]) => !name.startsWith("CROFT_"));
  const job = {
    command,
    directory: process.cwd(),
    environment: Object.fromEntries(passed),
    umask: process.umask().toString(8).padStart(3, "0"),
    ...asks,
  };
  return ((await (await ask("POST", "/v1/jobs", job, randomUUID())).json()) as Job).number;
}

async function wait(number: number): Promise<Job> {
  for (;;) {
    const job = (await (await ask("GET", `/v1/jobs/${number}?wait=30`)).json()) as Job;
    if (["ended", "failed", "cancelled", "lost", "rejected"].includes(job.state)) return job;
  }
}

/** What the job has printed, part by part. */
async function* output(number: number, stream: "stdout" | "stderr"): AsyncGenerator<Uint8Array> {
  for (let at = 0; ;) {
    const answer = await ask("GET", `/v1/jobs/${number}/output?stream=${stream}&from=${at}`);
    const part = new Uint8Array(await answer.arrayBuffer());
    if (part.length === 0) return;
    yield part;
    at = Number(answer.headers.get("croft-next-byte"));
  }
}

/** As `croft wait` ends: 116 where the farm has ended the job, for its time limit say, whatever status it left. */
function statusOf({ state, exitStatus, attempts }: Job): number {
  if (state === "cancelled") return 113;
  if (state === "rejected") return 114;
  if (state === "lost") return 115;
  const outcome = attempts.at(-1)!.outcome;
  return outcome.kind === "exited" && outcome.cause === "itself" ? exitStatus! : 116;
}

async function main(): Promise<number> {
  const number = await submit(process.argv.slice(2));
  for (const signal of ["SIGINT", "SIGTERM"])
    process.on(signal, () => void ask("POST", `/v1/jobs/${number}/cancel`));
  const job = await wait(number);
  for (const stream of ["stdout", "stderr"] as const)
    for await (const part of output(number, stream)) process[stream].write(part);
  if (job.reason !== "") console.error(`job ${number} is ${job.state}: ${job.reason}`);
  return statusOf(job);
}

// Nobody may read on, as with head.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
process.exitCode = await main().catch((error: Error) => {
  console.error(`run-job.ts: ${error.message}`);
  return 112;
});
