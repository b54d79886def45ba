import type { Finding } from "../../engines/finding.ts";
import type { Check } from "../check.ts";
import { program } from "../program.ts";

/** Whether the programs of `notify` can be run, and the names of its addresses are known. No message is sent. */
export const notify: Check = {
  name: "notify",
  async look({ farm, pool, host }) {
    // They are no pool's.
    if (farm instanceof Error || pool !== null) return [];
    const findings: Finding[] = [];
    for (const channel of farm.channels ?? []) {
      if (channel.kind === "command") {
        const path = channel.command[0]!;
        const found = program(path);
        const asRoot = host.user.uid === 0 && found.change === null ? ", as root" : "";
        findings.push({ what: `${channel.name}: ${path}`, ...found, found: `${found.found}${asRoot}` });
        continue;
      }
      const { hostname } = new URL(channel.url);
      const what = `${channel.name}: ${hostname}`;
      findings.push(
        (await host.resolves(hostname))
          ? { what, found: "the name is known", change: null }
          : {
              what,
              found: "the name is not known to this machine",
              change: `look at the address in the farm file, and: getent hosts ${hostname}`,
            },
      );
    }
    return findings.length > 0 ? findings : [{ what: "channels", found: "the farm has none", change: null }];
  },
};
