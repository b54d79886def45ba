import { MOST_CHOSEN, MOST_JOBS, MOST_REQUEST_BYTES } from "../limits.ts";
import { Refusal } from "../refusal.ts";
import type { Connection } from "./database.ts";
import { chosenBy, type JobFilter } from "./job-filter.ts";

export interface Choice {
  readonly filter: JobFilter;
  readonly only: "any" | "held-by-hand" | "suspended-by-hand" | "not-rerun";
}

const CONDITIONS: Readonly<Record<Choice["only"], readonly string[]>> = {
  any: [],
  "held-by-hand": ["is_held = 1"],
  "suspended-by-hand": ["is_paused = 1"],
  "not-rerun": ["is_rerun = 0"],
};

/**
 * The numbers of all jobs of a choice, ascending, and of how many users they are.
 *
 * @throws Refusal where there are too many
 */
export function chosenJobs(
  connection: Connection,
  { filter, only }: Choice,
): { readonly numbers: Float64Array; readonly users: number } {
  const more = CONDITIONS[only].map((text) => ({ text, values: [] }));
  const { text, values } = chosenBy(connection, filter, more);
  const numbers: number[] = [];
  const users = new Set<unknown>();
  const sql = `SELECT number, user ${text} ORDER BY number LIMIT ${MOST_CHOSEN + 1}`;
  for (const [number, user] of connection.iterateArrays(sql, ...values)) {
    numbers.push(Number(number));
    users.add(user);
  }
  if (numbers.length > MOST_CHOSEN)
    throw new Refusal(422, `these are more than ${MOST_CHOSEN} jobs: choose fewer at a time`);
  return { numbers: Float64Array.from(numbers), users: users.size };
}

/** Jobs that can be submitted again together: they have their variables in common, and their array. */
export interface RequestGroup {
  readonly numbers: readonly number[];
  /** As their rows have them. */
  readonly requests: readonly string[];
  readonly environment: string;
}

/** @throws Refusal where they are more than a request takes */
export function requestsOf(connection: Connection, numbers: ArrayLike<number>): RequestGroup[] {
  if (numbers.length > MOST_JOBS)
    throw new Refusal(
      422,
      `these are ${numbers.length} jobs, and ${MOST_JOBS} can be submitted again at a time: choose fewer`,
    );
  const groups = new Map<string, { numbers: number[]; requests: string[]; environment: string }>();
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
    group.requests.push(count(String(row["request"])));
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
