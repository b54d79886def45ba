import { accessSync, constants, statSync } from "node:fs";

import type { Finding } from "../../engines/finding.ts";
import { strangerOnTheWay } from "../../client/strangers.ts";
import type { Check } from "../check.ts";
import { poolsOf } from "../subject.ts";

const OTHERS_WRITE = 0o022;

export const hooks: Check = {
  name: "hooks",
  look(subject) {
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

type Rest = Omit<Finding, "what">;

function program(path: string): Rest {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile())
    return {
      found: "there is no such file",
      change: `put the program at ${path}, or leave it out of the farm file`,
    };
  try {
    accessSync(path, constants.X_OK);
  } catch {
    return { found: "it cannot be run", change: `chmod 755 ${path}` };
  }
  const stranger = strangerOnTheWay(path);
  if (stranger !== null || (stat.mode & OTHERS_WRITE) !== 0)
    return {
      found: stranger ?? "others may change what the service runs",
      change: `chmod go-w ${path}, and the folders above it`,
    };
  return { found: "there, and can be run", change: null };
}

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
