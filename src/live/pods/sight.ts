import { isOfRights } from "../engines/kubernetes/missing-right.ts";
import type { ApiObject } from "../engines/kubernetes/objects.ts";
import type { ReflectorEvents } from "../engines/kubernetes/reflector.ts";
import type { Clock } from "../engines/system/clock.ts";
import { NewsLog } from "./news-log.ts";
import type { Plan } from "./plan.ts";
import { giverOfRight } from "./rights.ts";

/** Which kinds of objects a scheduler sees, and why it does not: that goes to its log, and tells whether it is ready. */
export class Sight {
  private readonly plan: Plan;
  private readonly log: (text: string) => void;
  private readonly clock: Clock;
  private readonly news: () => void;
  /** By kind: why its objects cannot be seen, or not any more. */
  private readonly problems = new Map<string, string>();

  /** @param news called after each thing that was seen */
  constructor(plan: Plan, log: (text: string) => void, clock: Clock, news: () => void) {
    this.plan = plan;
    this.log = log;
    this.clock = clock;
    this.news = news;
  }

  /** Null: they are seen. */
  problemOf(what: string): string | null {
    return this.problems.get(what) ?? null;
  }

  /** What a reflector of them is to tell. */
  events<Kind extends ApiObject>(
    what: string,
    own: Pick<ReflectorEvents<Kind>, "changed" | "gone">,
  ): ReflectorEvents<Kind> {
    const failures = new NewsLog(this.log, () => this.clock.monotonicSeconds());
    this.problems.set(what, `the cluster's ${what} have not been listed yet`);
    return {
      changed: (object) => {
        own.changed(object);
        this.news();
      },
      gone: (object, isFinal) => {
        own.gone(object, isFinal);
        this.news();
      },
      synced: () => {
        this.problems.delete(what);
        this.news();
      },
      failed: (reason) => {
        const advice = isOfRights(reason) ? ` (${giverOfRight(what, this.plan)} gives it the rights)` : "";
        const problem = `the cluster's ${what} cannot be seen: ${reason}${advice}`;
        this.problems.set(what, problem);
        failures.say(problem);
      },
      recovered: () => {
        this.problems.delete(what);
        failures.over();
        this.log(`the cluster's ${what} are seen again`);
      },
    };
  }
}
