import { tagLine } from "../store/job-request.ts";
import { jobStates, type JobState } from "../store/job-states.ts";
import { Refusal } from "../refusal.ts";
import type { Choice } from "../store/chosen-jobs.ts";
import type { JobFilter } from "../store/job-filter.ts";
import { acts, type Act } from "./act-routes.ts";
import { ActedOnSelection, json } from "./answers.ts";
import type { Asked, Route } from "./api.ts";
import { filterOf } from "./filters.ts";
import { rerunEach } from "./rerun.ts";
import { ChangeSelectionBody, SelectionBody } from "./selection-schemas.ts";
import type { ServiceHandle } from "./service-handle.ts";
import { acting, changing, toEach, type Doing } from "./to-each.ts";

type Verb = Act | "change" | "rerun";

const OVER: readonly JobState[] = ["ended", "failed", "cancelled", "lost", "rejected"];

/** In which states it can be done to a job. */
const statesOf: Readonly<Record<Verb, readonly JobState[]>> = {
  cancel: jobStates.filter((state) => !OVER.includes(state)),
  hold: ["waiting", "held"],
  release: ["held"],
  suspend: ["running", "suspended"],
  // A job is shown as running from the request to suspend it until its engine has stopped it.
  resume: ["running", "suspended"],
  change: ["waiting", "held"],
  rerun: OVER,
};

interface Answer {
  readonly selected: number;
  readonly users: number;
  done: number;
  leftOut: number;
  readonly rerunBefore: number;
  withoutDeadline: number;
  refused: number;
  readonly errors: { readonly job: number; readonly status: number; readonly error: string }[];
  submitted: readonly { readonly first: number; readonly last: number }[];
}

/** Of those that were refused. */
const MOST_ERRORS = 100;

const rerunRoute = selectionRoute(
  "rerun",
  "submit jobs again as they were, held by nobody and waiting for no other jobs, but for those that were submitted again before",
  SelectionBody,
  submitting,
);

/** By farm: its last rerun of a choice, whose failure is told to whoever asked for it. */
const lastReruns = new WeakMap<ServiceHandle, Promise<unknown>>();

/** Runs the reruns of a farm one after another: two at once would choose the same jobs. */
function afterOthers<Result>(farm: ServiceHandle, rerun: () => Result | Promise<Result>): Promise<Result> {
  const own = (lastReruns.get(farm) ?? Promise.resolve()).then(rerun);
  lastReruns.set(
    farm,
    own.catch(() => undefined),
  );
  return own;
}

/** What people do to all jobs that they choose by what they are: one request, however many they are. */
export const selectionRoutes: readonly Route[] = [
  ...acts.map(([verb, summary]) =>
    selectionRoute(verb, summary, SelectionBody, async (asked, farm) =>
      toChosen(acting(verb, asked, farm), farm),
    ),
  ),
  selectionRoute(
    "change",
    "change the priority, the limits, the times or the pool of jobs that have not started",
    ChangeSelectionBody,
    async (asked, farm) =>
      toChosen(await changing((asked.body as ChangeSelectionBody).change, asked, farm), farm),
  ),
  {
    ...rerunRoute,
    takesKey: true,
    handle: (asked, farm) => afterOthers(farm, () => rerunRoute.handle(asked, farm)),
  },
];

interface Chosen {
  readonly filter: JobFilter;
  readonly numbers: Float64Array;
  readonly answer: Answer;
}

/**
 * Makes ready what is to be done, and changes nothing: where jobs are counted only, it is refused all the same.
 *
 * @throws Refusal where it is not done to any job
 */
type MakeReady = (
  asked: Asked,
  farm: ServiceHandle,
  numbers: Float64Array,
) => Promise<(chosen: Chosen) => Promise<void>>;

function selectionRoute(verb: Verb, summary: string, body: object, makeReady: MakeReady): Route {
  return {
    method: "POST",
    path: `/v1/job-selections/${verb}`,
    summary: `of all jobs of a choice: ${summary}; what is refused of one job leaves the others as they are`,
    role: "user",
    body,
    answers: json(ActedOnSelection),
    async handle(asked, farm) {
      const filter = chosenBy(verb, asked.body as SelectionBody);
      const own = filterOf(asked.identity, farm, filter);
      const { numbers, users, rerunBefore } =
        own === null
          ? { numbers: new Float64Array(0), users: 0, rerunBefore: 0 }
          : await farm.lists.do("chosen", {
              filter: own,
              only: ONLY[verb] ?? "any",
              asked: { user: asked.identity.user, key: asked.key },
            });
      const answer: Answer = {
        selected: numbers.length,
        users,
        done: 0,
        leftOut: 0,
        rerunBefore,
        withoutDeadline: 0,
        refused: 0,
        errors: [],
        submitted: [],
      };
      const act = await makeReady(asked, farm, numbers);
      const { countOnly = false } = asked.body as SelectionBody;
      if (!countOnly) await act({ filter, numbers, answer });
      return answer;
    },
  };
}

/** Of jobs in those states it can be done to these alone. */
const ONLY: Partial<Record<Verb, Choice["only"]>> = {
  release: "held-by-hand",
  resume: "suspended-by-hand",
  // Who asks for the failed jobs a second time means those that have failed since. By its number each is.
  rerun: "not-rerun",
};

/** @throws Refusal where nothing is chosen, or nothing to which it can be done */
function chosenBy(verb: Verb, body: SelectionBody): JobFilter {
  const { countOnly: _, change: __, states, tags, ...rest } = body as ChangeSelectionBody;
  if (Object.keys(rest).length === 0 && states === undefined && Object.keys(tags ?? {}).length === 0)
    throw new Refusal(400, 'say which jobs: with {"name": "*"} it is all of them');
  const possible = statesOf[verb];
  const wrong = states?.find((state) => !possible.includes(state));
  if (wrong !== undefined)
    throw new Refusal(
      400,
      `${verb} is for jobs that are ${possible.join(", ")}: it cannot be done to those that are ${wrong}`,
    );
  return {
    ...rest,
    states: states ?? possible,
    ...(tags === undefined ? {} : { tags: Object.entries(tags).map(tagLine) }),
  };
}

function toChosen({ toJob, taking }: Doing, farm: ServiceHandle): (chosen: Chosen) => Promise<void> {
  return async ({ filter, numbers, answer }) => {
    const { jobs } = farm.service.books;
    const { states, pool } = filter;
    const doing: Doing = {
      toJob(turn, number) {
        // Since it was chosen it may have started, ended or gone to another pool.
        const job = jobs.get(number);
        const isAsChosen =
          job !== undefined &&
          (states === undefined || states.includes(job.state)) &&
          (pool === undefined || job.pool === pool);
        if (!isAsChosen) return void answer.leftOut++;
        toJob(turn, number);
        answer.done++;
      },
      taking,
    };
    // The last first: what is still to start makes no use of the room that others leave.
    await toEach(numbers.toReversed(), doing, farm, (job, refusal) => refuse(answer, job, refusal));
  };
}

async function submitting(
  asked: Asked,
  farm: ServiceHandle,
  numbers: Float64Array,
): Promise<(chosen: Chosen) => Promise<void>> {
  const groups = await farm.lists.do("requests", { numbers });
  return async ({ answer }) => {
    const again = await rerunEach(asked, farm, numbers, groups, (job, refusal) =>
      refuse(answer, job, refusal),
    );
    answer.done = again.jobs.size;
    answer.withoutDeadline = again.withoutDeadline;
    answer.submitted = rangesOf([...again.jobs.values()].map(({ number }) => number));
  };
}

/** Of numbers of which those of a submission are one after the other. */
function rangesOf(numbers: readonly number[]): Answer["submitted"] {
  const ranges: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range !== undefined && range.last === number - 1) range.last = number;
    else ranges.push({ first: number, last: number });
  }
  return ranges;
}

function refuse(answer: Answer, job: number, { status, message }: Refusal): void {
  answer.refused++;
  if (answer.errors.length < MOST_ERRORS) answer.errors.push({ job, status, error: message });
}
