import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { strangerInFolder, strangerOnTheWay } from "../../client/strangers.ts";
import type { Finding } from "../../engines/finding.ts";
import type { Check } from "../check.ts";
import { nearest } from "../host.ts";

const OTHERS = 0o077;

/** The rights of all that the farm keeps. */
export const dataFolder: Check = {
  name: "data folder",
  isOfService: true,
  look({ data, host }) {
    const what = data;
    const there = nearest(data);
    if (there !== data) {
      const stranger = strangerOnTheWay(data);
      if (stranger !== null) return [{ what, found: stranger, change: "give another with --data" }];
      return [
        host.mayWrite(there)
          ? { what, found: "not there yet: croft serve makes it", change: null }
          : {
              what,
              found: `${host.user.username} can neither enter nor make it in ${there}`,
              change: `run croft doctor as the service's user, or: sudo install -d -m 700 -o ${host.user.username} ${data}`,
            },
      ];
    }
    const owner = statSync(data).uid;
    if (owner !== host.user.uid)
      return [
        {
          what,
          found: `it belongs to the user number ${owner}, not to ${host.user.username}`,
          change: `run croft doctor as that user: sudo -u '#${owner}' croft doctor …`,
        },
      ];
    const stranger = strangerInFolder(data);
    const findings: Finding[] = [
      {
        what,
        found: stranger ?? "only its owner may read and write it",
        change:
          stranger === null
            ? null
            : stranger.startsWith("others may")
              ? `chmod 700 ${data}`
              : "give another with --data",
      },
    ];
    if (!host.mayWrite(data))
      findings.push({
        what,
        found: "it may not be written to",
        change: `mount it writable, and chmod u+rwx ${data}`,
      });
    for (const entry of readdirSync(data, { withFileTypes: true })) {
      const path = join(data, entry.name);
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat === undefined) continue;
      // Jobs of other users have to go through these, and get no further.
      const isOpen = (stat.mode & (entry.isDirectory() ? OTHERS & ~0o011 : OTHERS)) !== 0;
      if (isOpen)
        findings.push({
          what: path,
          found: `others may read or write it (${(stat.mode & 0o777).toString(8)})`,
          change: `chmod ${entry.isDirectory() ? 700 : 600} ${path}`,
        });
      if (stat.uid !== host.user.uid)
        findings.push({
          what: path,
          found: `it belongs to the user number ${stat.uid}: a croft of another user has been started here`,
          change: `${host.user.uid === 0 ? "" : "sudo "}chown -R ${host.user.uid} ${path}`,
        });
    }
    return findings;
  },
};
