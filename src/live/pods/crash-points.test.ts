import { expect, it } from "vitest";

import type { ApiRequest } from "../engines/kubernetes/connection.ts";
import { podCrashPoints, withCrashes } from "./crash-points.ts";

it("passes a step before each change, while its answer is awaited, and after it; none where it only asks", async () => {
  const passed: string[] = [];
  const connection = withCrashes(
    {
      // An answer takes a while.
      call: async ({ path }) => {
        passed.push(path);
        await new Promise((resolve) => setTimeout(resolve, 1));
        return { ok: true, value: path };
      },
      follow: () => () => undefined,
      close: () => undefined,
    },
    (point) => passed.push(point),
  );
  const leases = "/apis/coordination.k8s.io/v1/namespaces/croft/leases";
  const requests: readonly ApiRequest[] = [
    { method: "GET", path: `${leases}/croft-croft` },
    { method: "PUT", path: `${leases}/croft-croft` },
    { method: "POST", path: "/api/v1/namespaces/work/pods/a/binding" },
    { method: "POST", path: "/api/v1/namespaces/work/pods/a/eviction" },
    { method: "PATCH", path: "/api/v1/namespaces/work/pods/a/status" },
    { method: "POST", path: "/api/v1/namespaces/work/events" },
    { method: "GET", path: "/api/v1/namespaces/work/pods/a" },
  ];
  for (const request of requests)
    expect(await connection.call(request)).toEqual({ ok: true, value: request.path });
  const paths = new Set(requests.map(({ path }) => path));
  expect(passed.filter((each) => !paths.has(each))).toEqual(podCrashPoints);
  expect(passed.slice(0, 5)).toEqual([
    requests[0].path,
    "before-lease",
    requests[1].path,
    "during-lease",
    "after-lease",
  ]);
});
