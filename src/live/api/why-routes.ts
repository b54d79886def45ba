import type { StartForecast } from "../forecasting/start-forecast.ts";
import type { FoundOut, Helping } from "../why/one.ts";
import type { LiveExplanation } from "../service/explaining.ts";
import { Refusal } from "../refusal.ts";
import type { Capabilities } from "../engines/engine.ts";
import type { Asked, Route } from "./api.ts";
import { json, ref } from "./answers.ts";
import { lastStartOf } from "./forecast-routes.ts";
import { isForecast } from "../store/job-views.ts";
import { jobOf } from "./job-routes.ts";
import { JobParams } from "./selection-schemas.ts";
import { mayBe } from "../identity.ts";
import type { ServiceHandle } from "./service-handle.ts";

type Helps = NonNullable<FoundOut["helps"]>;

interface AllowedChange extends Helping {
  /** Whether it takes an operator: who asks has no right to it. */
  readonly isForOperators: boolean;
}

/** All that is told of why a job does not run, or of where it is. */
export interface FullExplanation extends LiveExplanation, Omit<FoundOut, "helps"> {
  readonly helps: (Omit<Helps, "changes"> & { readonly changes: readonly AllowedChange[] }) | null;
  readonly when: StartForecast | null;
  /** By when it has to have started, or it is cancelled for its deadline; null: it has none, or has started. */
  readonly lastStartAt: string | null;
  readonly runs: {
    readonly pool: string;
    readonly machines: readonly string[];
    readonly policy: string;
    readonly routing: string | null;
    readonly suspends: Capabilities["suspend"];
  } | null;
}

/** So many are tried for at a time: the others are told why they are not. */
const MOST_TRYING = 50;
const PATIENCE_MILLISECONDS = 15_000;
let trying = 0;

export const whyRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/v1/jobs/:job/explain",
    summary:
      "tell why a job does not run, what would help, and what kept it so far; where a pool has its cycles by the clock, after the next one",
    role: "viewer",
    params: JobParams,
    answers: json(ref("Explanation")),
    async handle(asked, farm) {
      const explanation = await explained(asked, farm);
      const { job, waits } = explanation;
      const isWaiting = waits !== null && !waits.isOnItsWay;
      const [found, when] = await Promise.all([
        foundOut(farm, job, isWaiting),
        isForecast(jobOf(asked, farm)) ? farm.forecasts.of(job).catch(() => farm.forecasts.kept(job)) : null,
      ]);
      const helps = await withRights(asked, farm, found.helps);
      asked.checkAgain();
      const view = jobOf(asked, farm);
      return {
        ...explanation,
        ...found,
        helps,
        when,
        lastStartAt: view.state === "waiting" || view.state === "held" ? lastStartOf(view) : null,
        runs: runsOf(farm, job),
      } satisfies FullExplanation;
    },
  },
  {
    method: "GET",
    path: "/v1/reasons",
    summary: "count why jobs do not run, and what they wait for, as the next cycles of the pools find it",
    role: "viewer",
    answers: json(ref("Reasons")),
    async handle({ identity }, { trials, service }) {
      const user = identity.role === "user" ? identity.user : null;
      if (trying >= MOST_TRYING)
        throw new Refusal(503, "too many ask for explanations at the same time: try again");
      trying++;
      try {
        return await trials.do("whyAll", { at: service.farmTime(), user });
      } finally {
        trying--;
      }
    },
  },
];

async function explained(asked: Asked, farm: ServiceHandle): Promise<LiveExplanation> {
  for (;;) {
    const { number, state, reason } = jobOf(asked, farm);
    const { service } = farm;
    const job = service.books.jobs.get(number);
    if (job === undefined)
      return { job: number, state, reason, dominant: null, waits: null, suspended: null, doing: null };
    const explanation = await service.explaining.explain(job);
    if (explanation !== null) return explanation;
    await farm.settled();
    // It was a reload if another one serves now.
    if (farm.service === service) throw new Refusal(503, "the farm is stopping: ask again when it serves");
  }
}

/** What takes long is found out in another thread, and left out where that has too much to do. */
async function foundOut(
  { trials, service }: ServiceHandle,
  job: number,
  isWaiting: boolean,
): Promise<FoundOut> {
  const without = (notTried: string): FoundOut => ({
    ahead: null,
    helps: null,
    notTried: isWaiting ? notTried : null,
    changes: [],
    lost: [],
  });
  if (trying >= MOST_TRYING) return without("too many ask at the same time: ask again");
  trying++;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<FoundOut>((resolve) => {
    timer = setTimeout(() => resolve(without("it takes long at present: ask again")), PATIENCE_MILLISECONDS);
  });
  const found = trials
    .do("whyOne", { job, at: service.farmTime(), isWaiting })
    .catch((error: unknown) => without(error instanceof Error ? error.message : String(error)))
    .finally(() => trying--);
  try {
    return await Promise.race([found, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Marks the changes that the one who asks may not make. */
async function withRights(
  asked: Asked,
  farm: ServiceHandle,
  helps: Helps | null,
): Promise<FullExplanation["helps"]> {
  if (helps === null) return null;
  const { identity } = asked;
  const { group, project } = jobOf(asked, farm);
  const mayHave = async (priority: number): Promise<boolean> => {
    if (mayBe(identity, "operator")) return true;
    try {
      await farm.grants.check(identity.user, { group, project, priority });
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  };
  const changes: AllowedChange[] = [];
  for (const help of helps.changes) {
    const { priority } = help.change;
    changes.push({ ...help, isForOperators: priority !== undefined && !(await mayHave(priority)) });
  }
  return { ...helps, changes };
}

/** Where a job is, and by whose choice. */
function runsOf({ service }: ServiceHandle, number: number): FullExplanation["runs"] {
  const job = service.books.jobs.get(number);
  const pool = service.pools.find(({ name }) => name === job?.pool);
  if (job === undefined || pool === undefined || job.attempts.length === 0) return null;
  const { virtualPools } = service.farm;
  const { journal } = service;
  const engineJob = job.attempts[0]!.engineJob;
  const handle = journal.port.handleOf(engineJob);
  const virtualPool = virtualPools[journal.port.view.jobs.virtualPoolOf(handle)];
  const isChosen = journal.port.has(engineJob) && journal.port.view.poolsFor(handle).length > 1;
  return {
    pool: pool.name,
    machines: job.machines,
    policy: pool.plan.policy,
    routing: isChosen ? (virtualPool?.routing ?? null) : null,
    suspends: pool.engine.capabilities.suspend,
  };
}
