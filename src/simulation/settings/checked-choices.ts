import { NONE, type Move, type Routing, type RoutingView, type Strategy } from "../../core/index.ts";
import { InputError } from "../../workload/index.ts";
import { plainObject } from "./checked-policy.ts";

/** The routing of a plugin. It is refused as soon as it chooses a pool that the job may not go to. */
export function checkedRouting(routing: Routing, file: string): Routing {
  return {
    ...plainObject(routing, ["name", "summary", "usesEstimates", "usesRandom"]),
    choose(view: RoutingView) {
      const pool = routing.choose(view);
      const isRight =
        pool === NONE ? !view.pools.some((each) => view.isEligible(each)) : isCandidate(view, pool);
      if (isRight) return pool;
      throw wrongChoice(
        `routing ${routing.name}`,
        pool,
        "one of view.pools that view.isEligible, or -1 if none is",
        file,
      );
    },
  };
}

/** The strategy of a plugin, checked in the same way. */
export function checkedStrategy(strategy: Strategy, file: string): Strategy {
  const checked = (move: Move | null): Move | null =>
    move === null
      ? null
      : {
          ...plainObject(move, copiedFields),
          choose(view: RoutingView, present: number) {
            const pool = move.choose(view, present);
            if (pool === present || isCandidate(view, pool)) return pool;
            throw wrongChoice(
              `strategy ${strategy.name}`,
              pool,
              "the present pool, or one of view.pools that view.isEligible",
              file,
            );
          },
        };
  return {
    ...plainObject(strategy, ["name", "summary"]),
    onSuspension: checked(strategy.onSuspension),
    onLongWait: checked(strategy.onLongWait),
  };
}

const copiedFields = [
  "how",
  "usesEstimates",
  "usesRandom",
  "startsTimerAnew",
  "isCommon",
  "mayLeave",
] as const;

function isCandidate(view: RoutingView, pool: number): boolean {
  return view.pools.includes(pool) && view.isEligible(pool);
}

function wrongChoice(what: string, pool: unknown, right: string, file: string): InputError {
  return new InputError(`${what} chooses pool ${String(pool)}: it must be ${right}`, { file });
}
