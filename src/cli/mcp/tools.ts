import type { Client } from "../../live/client/client.ts";
import type { FullExplanation } from "../../live/api/why-routes.ts";
import { jobStates } from "../../live/store/job-states.ts";
import type { MachineView } from "../../live/service/farm-views.ts";
import type { JobView } from "../../live/store/job-views.ts";
import type { JobForecast } from "../../live/forecasting/start-forecast.ts";
import { MOST_JOBS, PRIORITIES } from "../../live/limits.ts";
import type { Fits } from "../../live/replica/fits.ts";
import { InputError } from "../../workload/errors.ts";
import { fitsText } from "../live/fits-text.ts";
import { whenText } from "../live/when-text.ts";
import { liveExplanationLines } from "../live/explain.ts";

/** Something that an assistant can ask a farm. Every tool reads, and changes nothing. */
export interface Tool {
  readonly name: string;
  /** For the assistant: what it tells, and when to ask it. */
  readonly description: string;
  /** What it takes, as JSON Schema. */
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  /** What it answers; lists have the most important entries first, as the last may be left out. */
  readonly ask: (farm: Client, given: Given) => Promise<unknown>;
}

/** Arguments that have passed the schema. */
export type Given = Readonly<Record<string, string | number | undefined>>;

const LONGEST_NAME = 200;
const MOST_LISTED = 200;
const LISTED = 50;
/** How long a farm may take to explain, or to forecast. */
const PATIENCE_SECONDS = 45;

const job = {
  type: "string",
  pattern: "^([1-9][0-9]{0,14}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$",
  maxLength: 36,
  "x-form": "the number of a job, or its UUID",
  description: "a job's number, such as 12, or its UUID",
};
const name = (description: string): object => ({
  type: "string",
  minLength: 1,
  maxLength: LONGEST_NAME,
  description,
});
const limit = {
  type: "integer",
  minimum: 1,
  maximum: MOST_LISTED,
  description: `at most so many: ${LISTED} unless given`,
};

/** What a job that is not submitted asks for. */
const asked = {
  cores: { type: "number", minimum: 0.001, maximum: 2e6, description: "(1)" },
  memoryMiB: { type: "integer", minimum: 0, maximum: 2 ** 31 - 1, description: "(0: not counted)" },
  gpus: { type: "number", minimum: 0, maximum: 2e6, description: "(0)" },
  timeSeconds: {
    type: "number",
    exclusiveMinimum: 0,
    maximum: 1e9,
    description: "how long it may run (as long as it takes)",
  },
  requires: { ...name("what its machine must have, such as memory >= 16000"), maxLength: 10_000 },
  pool: name("a pool or virtual pool (the farm chooses)"),
  gpuKind: name("what its GPUs must be, such as a100 (any)"),
  licences: {
    ...name("the licences of its pool that it holds while it runs: a text, such as matlab=2,vcs (none)"),
    maxLength: 10_000,
  },
  priority: {
    type: "integer",
    minimum: 0,
    maximum: PRIORITIES - 1,
    description: "a higher one goes first (50)",
  },
  project: { ...name("whose share it counts against, such as /physics (none)"), maxLength: 1000 },
  group: name("the group whose machines it comes first on (none)"),
};

/** A list that is empty for a pool that is not there would say that it has nothing. */
async function checkPool(farm: Client, pool: string | number): Promise<void> {
  const { pools } = await farm.get<{ readonly pools: readonly string[] }>("/v1/farm");
  if (!pools.includes(String(pool)))
    throw new InputError(`machines: there is no pool ${JSON.stringify(pool)}: there are ${pools.join(", ")}`);
}

/** All tools. To add one: an entry here. */
export const tools: readonly Tool[] = [
  {
    name: "farm",
    description:
      "The farm: its pools with cores and memory in all and free, jobs waiting, running and suspended, and what is wrong. Ask this first.",
    properties: {},
    async ask(farm) {
      const [about, pools, who] = await Promise.all([
        farm.get<object>("/v1/farm"),
        farm.get<object[]>("/v1/pools"),
        farm.get<object>("/v1/whoami"),
      ]);
      return { farm: about, asking: who, pools };
    },
  },
  {
    name: "machines",
    description:
      "Machines with what is free on them and the jobs there; those that take nothing new first, with the reason.",
    properties: { pool: name("only of this pool"), limit },
    async ask(farm, { pool, limit: most = LISTED }) {
      const all = await farm.get<MachineView[]>("/v1/machines");
      const machines = all.filter((each) => pool === undefined || each.pool === pool);
      if (pool !== undefined && machines.length === 0) await checkPool(farm, pool);
      const order = (state: MachineView["state"]): number => (state === "up" ? 1 : 0);
      return shortened(
        machines.toSorted((a, b) => order(a.state) - order(b.state)),
        Number(most),
      );
    },
  },
  {
    name: "jobs",
    description:
      "Jobs, the last submitted first, with state, what they ask for, and for waiting and held ones a token of the reason (waitsFor). A user sees only own jobs.",
    properties: {
      user: name("only this user's"),
      state: { type: "string", enum: [...jobStates], description: "only in this state" },
      pool: name("only in this pool"),
      name: name("only of this name; * stands for any characters, ? for one"),
      limit,
    },
    async ask(farm, { limit: most = LISTED, ...filter }) {
      const query = new URLSearchParams({ limit: String(most) });
      for (const [field, value] of Object.entries(filter))
        if (value !== undefined) query.set(field, String(value));
      const jobs = await farm.get<JobView[]>(`/v1/jobs?${query.toString()}`);
      return jobs.toReversed();
    },
  },
  {
    name: "job",
    description:
      "All about one job: what it asks for, its attempts and how they ended, and what has happened to it.",
    properties: { job },
    required: ["job"],
    async ask(farm, { job: which }) {
      const [about, events] = await Promise.all([
        farm.get<object>(`/v1/jobs/${which}`),
        farm.get<object[]>(`/v1/jobs/${which}/events`),
      ]);
      return { ...about, events: shortened(events.toReversed(), LISTED) };
    },
  },
  {
    name: "why",
    description:
      "Why a job does not run: one dominant reason, the evidence by machines, who is ahead, what would help (each tried on a copy of the farm), and how the reason changed. `text` says it for people.",
    properties: { job },
    required: ["job"],
    async ask(farm, { job: which }) {
      const explanation = await farm.get<FullExplanation>(`/v1/jobs/${which}/explain`, PATIENCE_SECONDS);
      return { text: liveExplanationLines(explanation, farm.unixMilliseconds).join("\n"), ...explanation };
    },
  },
  {
    name: "when",
    description:
      "When a waiting job starts, or one that is not submitted: give either `job`, or what it asks for. An interval that holds it with 80 %, and what is ahead of it. `text` says it for people. Nothing is submitted.",
    properties: { job, ...asked },
    async ask(farm, { job: which, ...request }) {
      const isAsked = Object.keys(request).length > 0;
      if ((which !== undefined) === isAsked)
        throw new InputError("when: give the number of a job, or what one asks for, such as cores");
      const forecast = isAsked
        ? await farm.send<JobForecast>("POST", "/v1/forecasts", request)
        : await farm.get<JobForecast>(`/v1/jobs/${which}/forecast`, PATIENCE_SECONDS);
      return { text: whenText(forecast, farm.unixMilliseconds), ...forecast };
    },
  },
  {
    name: "fits",
    description:
      "How many such jobs would start now, in 12 hours and in a week, behind all that wait and if nothing else comes, or why none ever would; limits of users are not counted. `text` says it for people. Nothing is submitted.",
    properties: {
      ...asked,
      tasks: { type: "integer", minimum: 1, maximum: 1e6, description: "of a job, which start together (1)" },
      count: { type: "integer", minimum: 1, maximum: MOST_JOBS, description: "how many jobs (1000)" },
    },
    async ask(farm, request) {
      const found = await farm.send<Fits>("POST", "/v1/fits", request);
      return { text: fitsText(found, "timeSeconds" in request), ...found };
    },
  },
  {
    name: "reasons",
    description:
      "Why all jobs that do not run wait: how many for which reason, and for what or whom most of them wait.",
    properties: {},
    ask: (farm) => farm.get("/v1/reasons", PATIENCE_SECONDS),
  },
];

/** The first of a list, and how many are left out. */
function shortened<Item>(items: readonly Item[], most: number): { items: readonly Item[]; leftOut: number } {
  return { items: items.slice(0, most), leftOut: Math.max(0, items.length - most) };
}
