import { statSync } from "node:fs";

import type { Finding } from "../../engines/finding.ts";
import type { Check } from "../check.ts";
import { program, type Rest } from "../program.ts";
import { poolsOf } from "../subject.ts";

export const hooks: Check = {
  name: "hooks",
  look(subject) {
    if (subject.farm instanceof Error) return [];
    const findings: Finding[] = [];
    for (const { name, hooks: ours } of poolsOf(subject)) {
      for (const hook of ["prolog", "epilog"] as const) {
        const path = ours?.[hook] ?? null;
        if (path !== null) findings.push({ what: `pool ${name}: ${hook} ${path}`, ...program(path) });
      }
      const scratch = ours?.scratch ?? null;
      if (scratch !== null)
        findings.push({
          what: `pool ${name}: scratch ${scratch}`,
          ...folder(scratch, subject.host.mayWrite(scratch)),
        });
    }
    return findings.length > 0 ? findings : [{ what: "hooks", found: "the farm has none", change: null }];
  },
};

function folder(path: string, mayWrite: boolean): Rest {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    return { found: "there is no such folder", change: `install -d -m 755 ${path}` };
  return mayWrite
    ? { found: "there, and can be written to", change: null }
    : {
        found: "the service's user may not write to it",
        change: `chown to the service's user: chown USER ${path}`,
      };
}
