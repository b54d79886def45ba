import { delayText, type AwaitedNames, type Reason } from "../../simulation/index.ts";
import { jobs, machines } from "./names-text.ts";

/** Machines named of many. */
const NAMED = 5;

/** Which promises a job would delay. */
export function wouldDelayText(
  {
    machines: withRoom,
    jobs: delayed,
    count,
    startSeconds,
  }: Extract<Reason, { kind: "would delay promises" }>,
  since: (seconds: number) => string,
): string {
  const more = count > delayed.length ? ` and ${count - delayed.length} more` : "";
  const which = count === 1 ? "which is" : "of which the first is";
  const when =
    startSeconds === null
      ? "to which no time can be promised yet"
      : `${which} promised a start ${since(startSeconds)} at the latest`;
  return `${whereText(withRoom)} would delay ${jobs(delayed)}${more}, ${when}`;
}

/** On machines that have room now; or, where none has, whenever one has. */
export function whereText(withRoom: number): string {
  return withRoom === 0
    ? "no machine has room for it now, and on those that it could use it"
    : `on ${machines(withRoom)} with room it`;
}

/** What a job is promised, what it was promised first, and what moved it. */
export function promiseText(
  {
    policy,
    machines: withRoom,
    startSeconds,
    firstSeconds,
    on,
    delay,
    by,
    awaits,
  }: Extract<Reason, { kind: "promised" }>,
  since: (seconds: number) => string,
): string {
  const where = on === null ? "any machines with room then" : named(on);
  const start =
    startSeconds === null
      ? `${policy} promises it no time yet, as ${awaitedText(awaits)}`
      : `${policy} promises it a start ${since(startSeconds)} at the latest, on ${where}`;
  const was =
    firstSeconds === null || firstSeconds === startSeconds
      ? ""
      : `; it was first promised one ${since(firstSeconds)}`;
  const why = delay === null ? "" : `, and was put off ${delayText(delay, by)}`;
  const room =
    withRoom === 0
      ? ""
      : `; ${machines(withRoom)} with room now ${withRoom === 1 ? "is" : "are"} reserved for other jobs`;
  return `${start}${was}${why}${room}`;
}

/** Why nobody can say when a job starts. */
function awaitedText(awaits: AwaitedNames | null): string {
  if (awaits?.kind !== "machines") return "it waits for jobs whose end is not known";
  const { machines: out, count } = awaits;
  if (count === 0) return "the machines that could hold it have refused it";
  const which = count > out.length ? `${out.join(", ")} and ${count - out.length} more` : out.join(", ");
  return count === 1
    ? `${which} takes no jobs, and when it does again is not known`
    : `${which} take no jobs, and when they do again is not known`;
}

/** The first few of some names, and how many more there are. */
function named(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  return `${names.slice(0, NAMED).join(", ")}${more}`;
}
