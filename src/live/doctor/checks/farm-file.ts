import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { strangerAtProgram } from "../../client/strangers.ts";
import { systemClock } from "../../engines/system/clock.ts";
import { systemDisk } from "../../engines/system/disk.ts";
import type { Finding } from "../../engines/finding.ts";
import { planPools } from "../../service/farm-plan.ts";
import { planOf } from "../../pods/plan.ts";
import type { Farm } from "../../../workload/index.ts";
import type { Check } from "../check.ts";
import { takeBack } from "../program.ts";
import { isForPods, poolsOf } from "../subject.ts";

export const farmFile: Check = {
  name: "farm file",
  look(subject) {
    const { farm, farmFile: file, pool, host } = subject;
    const what = file ?? "no farm file";
    const findings: Finding[] = [];
    // Who can write to it decides what runs: hooks of a service of root are run as root.
    if (file !== null && existsSync(file)) {
      const isReadOnly = host.isReadOnly(file);
      const stranger = isReadOnly ? null : strangerAtProgram(file);
      findings.push({
        what: `${file}, its rights`,
        found:
          stranger === null
            ? isReadOnly
              ? "it is on a file system that is only read"
              : "only its owner may change it"
            : `others than the service's user may change it: ${stranger.found}`,
        change: stranger === null ? null : takeBack(stranger),
      });
    }
    if (farm instanceof Error) {
      findings.push({
        what,
        found: farm.message,
        change: `mend ${what}: docs/farm-file.md has all settings`,
      });
      return findings;
    }
    const pools = poolsOf(subject);
    try {
      // The pods of others are another command's, which reads the file in its own way.
      if (isForPods(subject)) for (const { name } of pools) planOf(farm, name);
      // An engine that is made and not opened has done nothing yet.
      else
        planPools(withoutCgroups(farm), (name) => ({
          clock: systemClock(),
          disk: systemDisk,
          commands: host.commands,
          folder: join(tmpdir(), "croft-doctor", name),
        }));
      findings.push({
        what,
        found: `${farm.name}, pools ${farm.pools.map(({ name }) => name).join(", ")}`,
        change: null,
      });
    } catch (error) {
      findings.push({
        what,
        found: (error as Error).message,
        change: `mend ${what}: docs/farm-file.md has all settings`,
      });
    }
    if (pool !== null && !farm.pools.some(({ name }) => name === pool))
      findings.push({
        what: `pool ${pool}`,
        found: "the farm has no such pool",
        change: `give one of ${farm.pools.map(({ name }) => name).join(", ")} with --pool`,
      });
    return findings;
  },
};

/** The engine of this machine makes its cgroup with itself. */
function withoutCgroups(farm: Farm): Farm {
  const none = { cgroup: "none" };
  return {
    ...farm,
    pools: farm.pools.map((pool) =>
      (pool.engine?.kind ?? "local") === "local"
        ? { ...pool, engine: { kind: "local", settings: { ...pool.engine?.settings, ...none } } }
        : pool,
    ),
  };
}
