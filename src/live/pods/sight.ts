import { isSilence } from "../engines/kubernetes/answer.ts";
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
  private readonly news: () => void;
  /** By kind: why its objects cannot be seen, or not any more. */
  private readonly problems = new Map<string, string>();
  /** Of all kinds: what keeps one from being seen may keep the others from it too, and is said once. */
  private readonly failures: NewsLog;

  /** @param news called after each thing that was seen */
  constructor(plan: Plan, log: (text: string) => void, clock: Clock, news: () => void) {
    this.plan = plan;
    this.log = log;
    this.news = news;
    this.failures = new NewsLog(log, () => clock.monotonicSeconds());
  }

  /** Whether its log has this as the reason why something cannot be seen. */
  hasSaid(reason: string): boolean {
    return this.failures.hasSaid(reason);
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
        const problem = `the cluster's ${what} cannot be seen: ${reason}${this.advice(what, reason)}`;
        this.problems.set(what, problem);
        this.failures.say(problem, reason);
      },
      recovered: () => {
        this.problems.delete(what);
        if (this.problems.size === 0) this.failures.over();
        this.log(`the cluster's ${what} are seen again`);
      },
    };
  }

  private advice(what: string, reason: string): string {
    if (isOfRights(reason)) return ` (${giverOfRight(what, this.plan)} gives it the rights)`;
    return isSilence(reason)
      ? " (it is asked again by itself; kubectl cluster-info with the same kubeconfig tells more)"
      : "";
  }
}
