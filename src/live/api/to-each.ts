import { STEP_BYTES, STEP_JOBS } from "../limits.ts";
import { mayBe } from "../identity.ts";
import { NO_PRIVILEGES } from "../service/grants.ts";
import type { Taking } from "../service/loop.ts";
import { Refusal } from "../refusal.ts";
import type { Turn } from "../service/turn.ts";
import type { Act } from "./act-routes.ts";
import type { Asked } from "./api.ts";
import type { ChangeBody } from "./job-schemas.ts";
import { changeOf } from "./submissions.ts";
import type { ServiceHandle } from "./service-handle.ts";

/** What is done to each of several jobs, in a turn. */
export interface Doing {
  /** @throws Refusal where it cannot be done */
  readonly toJob: (turn: Turn, job: number) => void;
  readonly taking: (jobs: readonly number[]) => Taking;
}

/** Parts that wait for their turn at a time: what others ask comes after so many, and not after all. */
const AHEAD = 8;

export function acting(verb: Act, { identity }: Asked, { service }: ServiceHandle): Doing {
  const name = verb === "suspend" ? "pause" : verb;
  return {
    toJob: (turn, job) => service.acts[name](turn, job, identity.user),
    taking: (jobs) => service.acts.taking(name, jobs),
  };
}

/** @throws Refusal where the user may not ask for it */
export async function changing(
  asked: ChangeBody,
  { identity }: Asked,
  { service, grants }: ServiceHandle,
): Promise<Doing> {
  const change = changeOf(asked);
  if (change.priority !== undefined && !mayBe(identity, "operator"))
    await grants.check(identity.user, { ...NO_PRIVILEGES, priority: change.priority });
  return {
    toJob: (turn, job) => service.acts.change(turn, job, change, identity.user),
    taking: () => ({}),
  };
}

/** Does it to some jobs a turn, so that other work goes on in between. */
export async function toEach(
  jobs: ArrayLike<number> & { slice(from: number, to: number): ArrayLike<number> },
  { toJob, taking }: Doing,
  { service }: ServiceHandle,
  refuse: (job: number, refusal: Refusal) => void,
): Promise<void> {
  let next = 0;
  const parts = async (): Promise<void> => {
    while (next < jobs.length) {
      const some = Array.from(jobs.slice(next, next + STEP_JOBS));
      next += STEP_JOBS;
      let at = 0;
      const deal = (turn: Turn): { readonly result: undefined } | null => {
        while (at < some.length) {
          const job = some[at++]!;
          try {
            toJob(turn, job);
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            refuse(job, error);
          }
          if (turn.rowBytes > STEP_BYTES) return null;
        }
        return { result: undefined };
      };
      await service.loop.actInSteps(deal, taking(some)).catch((error: unknown) => {
        const left = jobs.length - next;
        next = jobs.length;
        throw error instanceof Refusal && left > 0
          ? new Refusal(
              error.status,
              `${error.message}; to ${left} more of these jobs nothing is done at all`,
            )
          : error;
      });
    }
  };
  await Promise.all(Array.from({ length: AHEAD }, parts));
}
