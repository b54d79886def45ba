import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as fc from "fast-check";
import { expect, it, vi } from "vitest";

import { Client } from "../../live/client/client.ts";
import { shellWord } from "../command-line.ts";
import { KeptRuns } from "../kept-runs.ts";
import { makeRunsOnFarm, secondsWith } from "./make-runs.ts";
import { readPlan } from "./plans.ts";

/** What becomes of a task. */
const fates = [
  "ends",
  "prints rubbish",
  "is lost",
  "is killed",
  "fails",
  "finds no program",
  "is cancelled",
] as const;
type Fate = (typeof fates)[number];

const UNITS = 6;
const units = Array.from({ length: UNITS }, (_, i) => ({ hash: `hash${i}`, log: "log", name: `run ${i}` }));

/** What tests of the client need of a farm: tasks come to their fates when they are looked at. */
class StandIn {
  /** The hash of each job's unit, by number from 1. */
  readonly jobs: { readonly hash: string; readonly fate: Fate; readonly first: number; looks: number }[] = [];
  readonly fatesOf: ReadonlyMap<string, readonly Fate[]>;
  private readonly mostWaiting: number;
  private readonly server: Server;

  constructor(fatesOf: ReadonlyMap<string, readonly Fate[]>, mostWaiting: number) {
    this.fatesOf = fatesOf;
    this.mostWaiting = mostWaiting;
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        void this.answer(request.url!, Buffer.concat(chunks).toString()).then(({ status, body }) => {
          response.writeHead(status, { "croft-job-over": "true" });
          response.end(typeof body === "string" ? body : JSON.stringify(body));
        });
      });
    });
  }

  async listen(socket: string): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(socket, resolve));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(url: string, body: string): Promise<{ status: number; body: unknown }> {
    const { pathname, searchParams } = new URL(url, "http://farm");
    if (pathname === "/v1/jobs" && body !== "") return this.submit(body);
    if (pathname === "/v1/jobs") {
      const first = Number(searchParams.get("array"));
      return {
        status: 200,
        body: this.jobs.flatMap((job, i) => (job.first === first ? [this.view(i)] : [])),
      };
    }
    const [, number, rest] = /^\/v1\/jobs\/(\d+)(\/output)?$/.exec(pathname)!;
    const job = this.jobs[Number(number) - 1];
    if (rest === undefined) return { status: 200, body: this.view(Number(number) - 1) };
    if (searchParams.get("from") !== "0") return { status: 200, body: "" };
    const said = {
      ends: runOf(job.hash),
      "prints rubbish": runOf("other"),
      fails: "croft: no\n",
      "finds no program": "sh: 1: exec: croft: not found\n",
    };
    const isOut = searchParams.get("stream") === "stdout";
    if (isOut !== (job.fate === "ends" || job.fate === "prints rubbish")) return { status: 200, body: "" };
    return { status: 200, body: said[job.fate as keyof typeof said] ?? "" };
  }

  private async submit(body: string): Promise<{ status: number; body: unknown }> {
    const { command, array } = JSON.parse(body) as { command: string[]; array: { to: number } };
    const waiting = this.jobs.filter(({ looks }) => looks === 0).length;
    if (waiting + array.to + 1 > this.mostWaiting)
      return { status: 409, body: { error: `above the limit of ${this.mostWaiting} waiting jobs` } };
    const { units } = await readPlan(command.at(-1)!);
    expect(units).toHaveLength(array.to + 1);
    const first = this.jobs.length + 1;
    for (const { hash } of units) {
      const tries = this.jobs.filter((job) => job.hash === hash).length;
      this.jobs.push({ hash, fate: this.fatesOf.get(hash)![tries], first, looks: 0 });
    }
    return {
      status: 200,
      body: { jobs: units.map((_, i) => ({ number: first + i, state: "waiting", reason: "" })) },
    };
  }

  private view(i: number): object {
    const job = this.jobs[i];
    job.looks++;
    const state = {
      ends: "ended",
      "prints rubbish": "ended",
      "is lost": "lost",
      "is killed": "failed",
      fails: "failed",
      "finds no program": "failed",
      "is cancelled": "cancelled",
    }[job.fate];
    const isKilled = job.fate === "is killed";
    const statuses: Partial<Record<Fate, number>> = { "is killed": 137, fails: 2, "finds no program": 127 };
    return {
      number: i + 1,
      state,
      reason: "",
      exitStatus: statuses[job.fate] ?? null,
      exitSignal: isKilled ? 9 : null,
      attempts: [{ outcome: { kind: "exited", cause: "itself" } }],
    };
  }
}

function runOf(hash: string): string {
  return `the run of ${hash}`;
}

/** From the definition: a run that is lost, killed or not whole has three tries; what else goes wrong has one. */
function triesOf(given: readonly Fate[]): readonly Fate[] {
  const last = given.findIndex(
    (fate, i) => i === 2 || ["ends", "fails", "finds no program", "is cancelled"].includes(fate),
  );
  return given.slice(0, last + 1);
}

it("keeps each run that any of its tries makes, and tells of all others", async () => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const given = fc.record({
    fatesOf: fc.array(fc.array(fc.constantFrom(...fates, "ends" as const), { minLength: 3, maxLength: 3 }), {
      minLength: UNITS,
      maxLength: UNITS,
    }),
    mostWaiting: fc.integer({ min: 1, max: UNITS + 1 }),
  });
  await fc.assert(
    fc.asyncProperty(given, async ({ fatesOf, mostWaiting }) => {
      const folder = mkdtempSync(join(tmpdir(), "croft-on-farm-"));
      const byHash = new Map(units.map(({ hash }, i) => [hash, fatesOf[i]]));
      const farm = new StandIn(byHash, mostWaiting);
      const socket = join(folder, "s");
      const out = join(folder, "out");
      await farm.listen(socket);
      try {
        const made = makeRunsOnFarm(
          units,
          new KeptRuns(out, (text, hash) => (text === runOf(hash) ? text : null)),
          {
            kind: "study",
            work: null,
            paths: null,
            out,
            server: socket,
            farm: new Client({ socket }),
            asked: {},
            croft: ["croft"],
            sends: null,
            quiet: true,
            done: 0,
            lookSeconds: 0,
          },
        );
        const thrown = await made.then(
          () => null,
          (error: Error) => error.message,
        );
        const tries = units.map(({ hash }) => triesOf(byHash.get(hash)!));
        expect(farm.jobs).toHaveLength(tries.flat().length);
        const good = units.filter((_, i) => tries[i].at(-1) === "ends");
        const files = readdirSync(join(out, "units")).sort();
        expect(files).toEqual(good.map(({ hash }) => `${hash}.json`).sort());
        for (const { hash } of good)
          expect(readFileSync(join(out, "units", `${hash}.json`), "utf8")).toBe(runOf(hash));
        const bad = UNITS - good.length;
        if (bad === 0) expect(thrown).toBeNull();
        else expect(thrown).toMatch(bad === 1 ? /was not made: [^;]*$/ : `so ended ${bad - 1} more`);
        const found = tries.every((each) => ["ends", "finds no program"].includes(each.at(-1)!));
        if (bad > 0 && found) expect(thrown).toContain("--croft PATH says where");
        expect(readdirSync(out)).toEqual(["units"]);
      } finally {
        await farm.close();
        rmSync(folder, { recursive: true, force: true });
      }
    }),
    {
      numRuns: 30,
      examples: [
        [{ fatesOf: units.map((): Fate[] => ["finds no program", "ends", "ends"]), mostWaiting: UNITS }],
      ],
    },
  );
});

it("names the folder for a shell", () => {
  expect(shellWord("/a/o 10'b")).toBe(String.raw`'/a/o 10'\''b'`);
  expect(shellWord("sweep=/a/b")).toBe("sweep=/a/b");
});

it("leaves a farm no longer alone for the time that it was away", () => {
  const before = secondsWith({ awaySeconds: 5 });
  const awaySeconds = 605;
  expect(secondsWith({ awaySeconds }) - before).toBeLessThan(-500);
});
