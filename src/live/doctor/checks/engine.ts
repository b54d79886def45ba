import { join } from "node:path";

import type { Finding } from "../../engines/finding.ts";
import { findEngine } from "../../engines/registry.ts";
import { systemClock } from "../../engines/system/clock.ts";
import { systemDisk } from "../../engines/system/disk.ts";
import type { Check } from "../check.ts";
import { poolsOf } from "../subject.ts";

/** What each pool's engine needs: the engines know. */
export const engine: Check = {
  name: "engine",
  async look(subject) {
    const { host, data } = subject;
    const findings: Finding[] = [];
    for (const { name, engine: { kind, settings } = { kind: "local", settings: {} } } of poolsOf(subject)) {
      const system = {
        clock: systemClock(),
        disk: systemDisk,
        commands: host.commands,
        folder: join(data, "engines", name),
      };
      const found = (await findEngine(kind)?.examine?.(settings, system)) ?? [
        { what: `the engine ${kind}`, found: "it needs nothing else", change: null },
      ];
      findings.push(...found.map((each) => ({ ...each, what: `pool ${name}: ${each.what}` })));
    }
    return findings;
  },
};
