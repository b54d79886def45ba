import type { SQLInputValue } from "node:sqlite";

import { MOST_JOBS } from "../limits.ts";
import type { Connection } from "./database.ts";

/** Which jobs; all that is given holds for each of them. */
export interface JobFilter {
  readonly user?: string;
  readonly states?: readonly string[];
  readonly pool?: string;
  /** `*` stands for any characters, `?` for one. */
  readonly name?: string;
  readonly project?: string;
  /** Lines of `tagsText`: `experiment=e17`. */
  readonly tags?: readonly string[];
  /** The number of an array's first job. */
  readonly array?: number;
}

/** A part of a statement, with the values of its question marks. */
export interface Sql {
  readonly text: string;
  readonly values: readonly SQLInputValue[];
}

interface Condition extends Sql {
  /** The jobs that meet it, in order of number, by an index; absent: there is none. */
  readonly list?: Sql;
}

/** So many jobs are looked at one by one. */
const SHORT = 20_000;
const OVER = ["ended", "failed", "cancelled", "lost", "rejected"];

/**
 * A table of jobs, and what holds for those of a filter: `FROM` and `WHERE` of a statement.
 *
 * A filter of which a part has a short list by an index goes through that list. Any other goes through the index of all
 * that a filter may ask, job by job: a million of them take a tenth of a second, where their rows take several.
 */
export function chosenBy(connection: Connection, filter: JobFilter, more: readonly Sql[] = []): Sql {
  const conditions = conditionsOf(filter);
  const short = conditions.find(({ list }) => list !== undefined && isShort(connection, list));
  const others = conditions.filter((each) => each !== short);
  const parts = [...(short?.list === undefined ? [] : [within(short.list)]), ...others, ...more];
  const { text, values } = whereAll(parts);
  return {
    text: `FROM job ${short === undefined ? "INDEXED BY job_listed" : "NOT INDEXED"} ${text}`,
    values,
  };
}

/**
 * As `chosenBy`, for a list by number: where there is but one condition its index has that order, and the list ends with
 * its limit.
 *
 * @param above only jobs of higher numbers; absent: all
 */
export function chosenInOrder(
  connection: Connection,
  filter: JobFilter,
  limit: number,
  end: "ORDER BY number LIMIT ?" | "ORDER BY number DESC LIMIT ?",
  above?: number,
): Sql {
  const from: Sql[] = above === undefined ? [] : [{ text: "number > ?", values: [above] }];
  const conditions = conditionsOf(filter);
  const [only] = conditions;
  const isOnly = conditions.length === 1 && only?.list !== undefined;
  if (conditions.length > 0 && !isOnly) {
    const { text, values } = chosenBy(connection, filter, from);
    return { text: `${text} ${end}`, values: [...values, limit] };
  }
  // Of several states at once there is no order by number: each gives a list of its own.
  if (filter.states !== undefined) {
    const lists = stateLists(filter.states).map((each) => whereAll([each, ...from]));
    return {
      text: `FROM job WHERE number IN (${lists.map(({ text }) => `SELECT * FROM (SELECT number FROM job ${text} ${end})`).join(" UNION ALL ")}) ${end}`,
      values: [...lists.flatMap(({ values }) => [...values, limit]), limit],
    };
  }
  const { text, values } = whereAll([...conditions, ...from]);
  return { text: `FROM job ${text} ${end}`, values: [...values, limit] };
}

function whereAll(parts: readonly Sql[]): Sql {
  return {
    text: parts.length === 0 ? "" : `WHERE ${parts.map(({ text }) => text).join(" AND ")}`,
    values: parts.flatMap(({ values }) => values),
  };
}

function conditionsOf({ user, states, pool, name, project, tags = [], array }: JobFilter): Condition[] {
  const isPattern = name !== undefined && /[*?]/.test(name);
  return [
    // The jobs of an array have numbers one after the other.
    ...(array === undefined
      ? []
      : [
          listedBy("number BETWEEN ? AND ? AND request ->> '$.array.first' = ?", [
            array,
            array + MOST_JOBS - 1,
            array,
          ]),
        ]),
    ...(states === undefined ? [] : [ofStates(states)]),
    ...(user === undefined ? [] : [listedBy("user = ?", [user])]),
    ...(name === undefined
      ? []
      : [isPattern ? { text: "name GLOB ?", values: [globOf(name)] } : listedBy("name = ?", [name])]),
    ...(pool === undefined ? [] : [listedBy("pool = ?", [pool])]),
    ...(project === undefined ? [] : [{ text: "project = ?", values: [project] }]),
    ...tags.map((tag) => ({ text: "instr(tags, ?) > 0", values: [`\n${tag}\n`] })),
  ];
}

function listedBy(text: string, values: readonly SQLInputValue[]): Condition {
  return { text, values, list: { text: `SELECT number FROM job WHERE ${text}`, values } };
}

function ofStates(states: readonly string[]): Condition {
  const lists = stateLists(states);
  return {
    text: `state IN (${states.map(() => "?").join(", ")})`,
    values: states,
    list: {
      text: lists.map(({ text }) => `SELECT number FROM job WHERE ${text}`).join(" UNION ALL "),
      values: lists.flatMap(({ values }) => values),
    },
  };
}

/** There is an index of those that are not over, and one by state of those that are. */
function stateLists(states: readonly string[]): Sql[] {
  const present = states.filter((state) => !OVER.includes(state));
  return [
    ...states
      .filter((state) => OVER.includes(state))
      .map((state) => ({ text: "ended_at IS NOT NULL AND state = ?", values: [state] })),
    ...(present.length === 0
      ? []
      : [{ text: `ended_at IS NULL AND state IN (${present.map(() => "?").join(", ")})`, values: present }]),
  ];
}

function within({ text, values }: Sql): Sql {
  return { text: `number IN (${text})`, values };
}

function isShort(connection: Connection, { text, values }: Sql): boolean {
  const row = connection.get(
    `SELECT count(*) AS count FROM (SELECT 1 FROM (${text}) LIMIT ${SHORT + 1})`,
    ...values,
  );
  return Number(row?.["count"]) <= SHORT;
}

/** SQLite's patterns have brackets as well, which stand for themselves here. */
function globOf(pattern: string): string {
  return pattern.replaceAll("[", "[[]");
}
