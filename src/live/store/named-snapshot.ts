import type { DatabaseSync } from "node:sqlite";

import { packed } from "./columns.ts";

type Plain = number | "Infinity" | "-Infinity";

/** A job in a snapshot of database version 3: an object with a name for each value. */
interface NamedJob {
  readonly request: Readonly<Record<string, number>>;
  readonly columns: Readonly<Record<string, Plain>>;
  readonly engine: Readonly<Record<string, Plain>>;
  readonly twin: number | null;
  readonly placement: readonly { readonly machine: number; readonly tasks: number }[];
  readonly ranAs: number;
}

interface NamedHead {
  readonly settings: number;
  readonly draws: number;
  readonly port: {
    readonly engine: Readonly<Record<string, unknown>> & { readonly timers: readonly (readonly number[])[] };
  };
}

/** From version 3 to 4: the snapshot is kept by columns. */
export function snapshotByColumns(database: DatabaseSync): void {
  const rows = database.prepare("SELECT seq, text FROM snapshot ORDER BY part").all();
  database.exec(`
    DROP TABLE snapshot;
    CREATE TABLE snapshot (part INTEGER PRIMARY KEY, seq INTEGER NOT NULL, data ANY NOT NULL) STRICT;
  `);
  const [first, ...parts] = rows;
  if (first === undefined) return;
  const head = JSON.parse(String(first["text"])) as NamedHead;
  const all = parts.map(({ text }) => JSON.parse(String(text)) as [number[], number[], NamedJob[]]);
  const { text, columns } = packed({
    ...head,
    port: {
      ...head.port,
      numbers: Float64Array.from(all.flatMap(([numbers]) => numbers)),
      decisions: Float64Array.from(all.flatMap(([, decisions]) => decisions)),
      engine: {
        ...head.port.engine,
        timers: head.port.engine.timers.map((jobs) => Int32Array.from(jobs)),
        jobs: columnsOf(all.flatMap(([, , jobs]) => jobs)),
      },
    },
  });
  const insert = database.prepare("INSERT INTO snapshot (part, seq, data) VALUES (?, ?, ?)");
  [text, ...columns].forEach((data, part) => insert.run(part, Number(first["seq"]), data));
}

const kinds = ["cores", "memory", "gpu", "tasks", "requirement", "owner", "family"];
const requested = ["project", "heuristic"];
const expected = ["estimateSeconds", "estimatedEnd", "arrival"];
const known = [
  "state",
  "pool",
  "virtualPool",
  "candidates",
  "priority",
  "attempt",
  "retriesLeft",
  "restarts",
  "killReason",
  "killTarget",
  "unread",
  "retryAt",
  "toldAt",
  "hold",
  "waitingSince",
  "virtualStart",
  "estimateSeconds",
];

function columnsOf(jobs: readonly NamedJob[]): object {
  const group = (names: readonly string[], of: (job: NamedJob) => Readonly<Record<string, Plain>>): object =>
    Object.fromEntries(names.map((name) => [name, Float64Array.from(jobs, (job) => Number(of(job)[name]))]));
  const placed = jobs
    .map(({ ranAs, placement }, job) => ({ job, ranAs, placement }))
    .sort((a, b) => a.ranAs - b.ranAs)
    .flatMap(({ job, placement }) => placement.map((entry) => ({ job, ...entry })));
  return {
    count: jobs.length,
    kinds: group(kinds, ({ request }) => request),
    jobs: {
      ...group(requested, ({ request }) => request),
      ...group(expected, ({ columns }) => columns),
      // It was not kept, and no policy of that version goes by it.
      submittedAt: new Float64Array(jobs.length),
    },
    engineJobs: group(known, ({ engine }) => engine),
    twin: Int32Array.from(jobs, ({ twin }) => twin ?? -1),
    placements: {
      job: Int32Array.from(placed, ({ job }) => job),
      machine: Int32Array.from(placed, ({ machine }) => machine),
      tasks: Int32Array.from(placed, ({ tasks }) => tasks),
    },
  };
}
