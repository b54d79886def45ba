import { expect, it } from "vitest";

import { namesFor } from "./names-for.ts";

it("pods of other namespaces are counted, and not named", () => {
  const pod = (namespace: string, name: string) => ({
    metadata: { namespace, name, uid: name, resourceVersion: "1", creationTimestamp: "" },
  });
  const told = (...pods: ReturnType<typeof pod>[]): string => namesFor(pod("work", "told"), pods);
  expect(told(pod("work", "a"), pod("work", "b"))).toBe("work/a, work/b");
  expect(told(pod("work", "a"), pod("secret", "b"))).toBe("work/a, a pod of another namespace");
  expect(told(pod("secret", "a"), pod("hidden", "b"))).toBe("2 pods of other namespaces");
});
