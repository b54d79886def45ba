import { statSync } from "node:fs";

import { strangerAtProgram } from "../../client/strangers.ts";
import type { Finding } from "../../engines/finding.ts";
import type { Check } from "../check.ts";
import type { Host } from "../host.ts";
import { program, takeBack, type Rest } from "../program.ts";
import { poolsOf } from "../subject.ts";

const OTHERS_WRITE = 0o022;
const OTHERS_ENTER = 0o001;
const STICKY = 0o1000;

export const hooks: Check = {
  name: "hooks",
  isOfService: true,
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
          ...folder(scratch, subject.host),
        });
    }
    return findings.length > 0 ? findings : [{ what: "hooks", found: "the farm has none", change: null }];
  },
};

/** The service makes a folder in it for each job, which its user has to reach. */
function folder(path: string, host: Host): Rest {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true)
    return { found: "there is no such folder", change: `install -d -m 755 ${path}` };
  const { uid } = host.user;
  const stranger = strangerAtProgram(path);
  if (stranger !== null)
    return {
      found: `${stranger.found}: others may change the folders of jobs`,
      change: takeBack(stranger),
    };
  if ((stat.mode & OTHERS_WRITE) !== 0 && (stat.mode & STICKY) === 0)
    return { found: "others may remove the folders of jobs", change: `chmod 755 ${path}` };
  if (uid === 0 && (stat.mode & OTHERS_ENTER) === 0)
    return { found: "users may not enter it, and so reach no folder of theirs", change: `chmod 755 ${path}` };
  if (!host.mayWrite(path))
    return { found: "the service's user may not write to it", change: `chown ${uid} ${path}` };
  const { freeMiB, filesFree } = host.room(path);
  return freeMiB < 1 || filesFree === 0
    ? { found: "its disk has no room for a folder more", change: `remove what is in it: du -xsh ${path}/*` }
    : { found: "there, and can be written to", change: null };
}
