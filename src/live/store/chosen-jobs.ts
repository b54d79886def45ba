import { MOST_CHOSEN, MOST_JOBS, MOST_REQUEST_BYTES } from "../limits.ts";
import { Refusal } from "../refusal.ts";
import type { Connection } from "./database.ts";
import { chosenBy, type JobFilter } from "./job-filter.ts";

export interface Choice {
  readonly filter: JobFilter;
  readonly only: "any" | "held-by-hand" | "suspended-by-hand" | "not-rerun";
  /** Who asks, and with which key: what that has submitted again before its answer was lost is of the choice still. */
  readonly asked: { readonly user: string; readonly key: string | null };
}

export interface Chosen {
  readonly numbers: Float64Array;
  readonly users: number;
  /** That are left out, since they were submitted again before. */
  readonly rerunBefore: number;
}

const CONDITIONS: Readonly<Record<Choice["only"], readonly string[]>> = {
  any: [],
  "held-by-hand": ["is_held = 1"],
  "suspended-by-hand": ["is_paused = 1"],
  // Those that were are counted.
  "not-rerun": [],
};

/**
 * The numbers of all jobs of a choice, ascending, and of how many users they are.
 *
 * @throws Refusal where there are too many
 */
export function chosenJobs(connection: Connection, { filter, only, asked }: Choice): Chosen {
  const more = CONDITIONS[only].map((text) => ({ text, values: [] }));
  const { text, values } = chosenBy(connection, filter, more);
  const numbers: number[] = [];
  const users = new Set<unknown>();
  let rerunBefore = 0;
  const own = only === "not-rerun" ? rerunByKey(connection, asked) : null;
  const rows = connection.iterateArrays(
    `SELECT number, user, ${own === null ? "0" : "reruns"} ${text} ORDER BY number`,
    ...values,
  );
  for (const [number, user, reruns] of rows) {
    if (Number(reruns) > 0 && own?.has(Number(number)) === false) {
      rerunBefore++;
      continue;
    }
    if (numbers.length === MOST_CHOSEN)
      throw new Refusal(422, `these are more than ${MOST_CHOSEN} jobs: choose fewer at a time`);
    numbers.push(Number(number));
    users.add(user);
  }
  return { numbers: Float64Array.from(numbers), users: users.size, rerunBefore };
}

/** The jobs that requests with this key have submitted again: each of them takes some, and a number is added to it. */
function rerunByKey(connection: Connection, { user, key }: Choice["asked"]): Set<number> {
  if (key === null) return new Set();
  const rows = connection.arrays(
    `SELECT job.request ->> '$.rerunOf' FROM submission, json_each(submission.numbers) AS made
       JOIN job ON job.number = made.value
       WHERE submission.user = ? AND submission.key >= ? AND submission.key < ?`,
    user,
    `${key} `,
    `${key}!`,
  );
  return new Set(rows.map(([number]) => Number(number)));
}

/** Jobs that can be submitted again together: they have their variables in common, and their array. */
export interface RequestGroup {
  readonly numbers: readonly number[];
  /** As their rows have them, in UTF-8: a thread gives bytes away, and copies texts. */
  readonly requests: readonly Uint8Array[];
  readonly environment: string;
}

const encoder = new TextEncoder();

/** @throws Refusal where they are more than a request takes */
export function requestsOf(connection: Connection, numbers: ArrayLike<number>): RequestGroup[] {
  if (numbers.length > MOST_JOBS)
    throw new Refusal(
      422,
      `these are ${numbers.length} jobs, and ${MOST_JOBS} can be submitted again at a time: choose fewer`,
    );
  const groups = new Map<string, { numbers: number[]; requests: Uint8Array[]; environment: string }>();
  let bytes = 0;
  const count = (text: string): string => {
    bytes += text.length;
    // Before the next is read: the memory that all of them would take is the farm's.
    if (bytes > MOST_REQUEST_BYTES)
      throw new Refusal(
        422,
        `these ${numbers.length} jobs are described by more than ${MOST_REQUEST_BYTES / 1024 / 1024} MiB, and no more can be submitted again at a time: choose fewer`,
      );
    return text;
  };
  for (const number of Array.from(numbers)) {
    const row = connection.get(
      "SELECT request, request ->> '$.array.first' AS first, environment FROM job WHERE number = ?",
      number,
    );
    if (row === undefined) continue;
    const key = `${Number(row["environment"])} ${Number(row["first"] ?? 0)}`;
    let group = groups.get(key);
    if (group === undefined) {
      const known = connection.get("SELECT text FROM environment WHERE id = ?", Number(row["environment"]));
      group = { numbers: [], requests: [], environment: count(String(known?.["text"] ?? "{}")) };
      groups.set(key, group);
    }
    group.numbers.push(number);
    group.requests.push(encoder.encode(count(String(row["request"]))));
  }
  return [...groups.values()];
}

/** The jobs of an array: the index and number of each. */
export function arrayJobs(
  connection: Connection,
  { first }: { readonly first: number },
): [index: number, number: number][] {
  return connection
    .arrays(
      `SELECT request ->> '$.array.index', number FROM job
         WHERE number BETWEEN ? AND ? AND request ->> '$.array.first' = ? ORDER BY number`,
      first,
      first + MOST_JOBS - 1,
      first,
    )
    .map(([index, number]) => [Number(index), Number(number)]);
}
