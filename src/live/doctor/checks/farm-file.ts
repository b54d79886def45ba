import { existsSync } from "node:fs";

import { strangerAtProgram } from "../../client/strangers.ts";
import type { Finding } from "../../engines/finding.ts";
import type { Check } from "../check.ts";
import { takeBack } from "../program.ts";
import { refusalOf } from "../refusal-of.ts";

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
    const refusal = refusalOf(subject);
    findings.push({
      what,
      found: refusal ?? `${farm.name}, pools ${farm.pools.map(({ name }) => name).join(", ")}`,
      change: refusal === null ? null : `mend ${what}: docs/farm-file.md has all settings`,
    });
    if (pool !== null && !farm.pools.some(({ name }) => name === pool))
      findings.push({
        what: `pool ${pool}`,
        found: "the farm has no such pool",
        change: `give one of ${farm.pools.map(({ name }) => name).join(", ")} with --pool`,
      });
    return findings;
  },
};
