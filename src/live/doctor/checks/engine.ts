import { join } from "node:path";

import { InputError } from "../../../workload/index.ts";
import type { EngineSettings, System } from "../../engines/engine-kind.ts";
import type { Finding } from "../../engines/finding.ts";
import { findEngine } from "../../engines/registry.ts";
import { systemClock } from "../../engines/system/clock.ts";
import { systemDisk } from "../../engines/system/disk.ts";
import type { Check } from "../check.ts";
import { refusalOf } from "../refusal-of.ts";
import { poolsOf } from "../subject.ts";

/** What each pool's engine needs: the engines know. */
export const engine: Check = {
  name: "engine",
  async look(subject) {
    const { host, data } = subject;
    const findings: Finding[] = [];
    const told = refusalOf(subject);
    for (const { name, engine: { kind, settings } = { kind: "local", settings: {} } } of poolsOf(subject)) {
      const system = {
        clock: systemClock(),
        disk: systemDisk,
        commands: host.commands,
        folder: join(data, "engines", name),
      };
      const found = await examined(kind, settings, system);
      // What the farm file is refused for is told of the file.
      if (found instanceof InputError && told === `pool ${name}: ${found.message}`) continue;
      const all =
        found instanceof InputError
          ? [{ what: `the engine ${kind}`, found: found.message, change: "change that in the farm file" }]
          : found;
      findings.push(...all.map((each) => ({ ...each, what: `pool ${name}: ${each.what}` })));
    }
    return findings;
  },
};

/** Examines an engine. Returns its findings, or the error where its settings are wrong. */
async function examined(
  kind: string,
  settings: EngineSettings,
  system: System,
): Promise<readonly Finding[] | InputError> {
  try {
    const found = await findEngine(kind)?.examine?.(settings, system);
    return found ?? [{ what: `the engine ${kind}`, found: "it needs nothing else", change: null }];
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}
