import type { ApiRequest, Connection } from "../engines/kubernetes/connection.ts";

/** What the scheduler changes of a cluster, by the end of the path. */
const changes = [
  ["lease", /\/leases(\/[^/]+)?$/],
  ["binding", /\/binding$/],
  ["eviction", /\/eviction$/],
  ["condition", /\/pods\/[^/]+\/status$/],
  ["event", /\/events$/],
] as const;

/** Steps at which a test kills the scheduler: before each change, while its answer is awaited, and after it. */
export const podCrashPoints = changes.flatMap(([kind]) =>
  (["before", "during", "after"] as const).map((when) => `${when}-${kind}` as const),
);

export type PodCrashPoint = (typeof podCrashPoints)[number];

/** @param passed called at each step */
export function withCrashes(connection: Connection, passed: (point: PodCrashPoint) => void): Connection {
  return {
    async call(request) {
      const kind = changeOf(request);
      if (kind === null) return connection.call(request);
      passed(`before-${kind}`);
      const answer = connection.call(request);
      // It has been sent by then, where there was a connection.
      setImmediate(() => passed(`during-${kind}`));
      await answer;
      passed(`after-${kind}`);
      return answer;
    },
    follow: (...args) => connection.follow(...args),
    close: () => connection.close(),
  };
}

function changeOf({ method, path }: ApiRequest): (typeof changes)[number][0] | null {
  if (method === "GET") return null;
  return changes.find(([, ends]) => ends.test(path))?.[0] ?? null;
}
