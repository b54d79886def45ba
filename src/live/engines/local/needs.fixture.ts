import { afterAll } from "vitest";

import { Cgroups, cgroupPlace } from "./cgroups.ts";

/** Only root can run jobs as somebody else. */
export const hasUsers = process.getuid?.() === 0;

/** A cgroup for the tests of a file, gone afterwards; null where this machine gives none, and why. */
export function cgroupFixture(): { readonly cgroup: string | null; readonly why: string } {
  const cgroup = cgroupPlace(`croft-test-${process.pid}`);
  afterAll(() => {
    if (cgroup !== null) new Cgroups(cgroup).remove(cgroup);
  });
  return { cgroup, why: cgroup === null ? " (skipped: needs a cgroup v2 to make others in)" : "" };
}
