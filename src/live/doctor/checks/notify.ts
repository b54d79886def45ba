import type { Finding } from "../../engines/finding.ts";
import type { Check } from "../check.ts";
import type { Host } from "../host.ts";
import { program } from "../program.ts";

/** Whether the programs of `notify` can be run, and somebody listens at its addresses. No message is sent. */
export const notify: Check = {
  name: "notify",
  isOfService: true,
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
      findings.push(await webhookFinding(channel.name, new URL(channel.url), host));
    }
    return findings.length > 0 ? findings : [{ what: "channels", found: "the farm has none", change: null }];
  },
};

async function webhookFinding(channel: string, url: URL, host: Host): Promise<Finding> {
  // Of IPv6 the address stands in brackets.
  const name = url.hostname.replaceAll(/[[\]]/g, "");
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  const what = `${channel}: ${url.hostname} port ${port}`;
  if (!(await host.resolves(name)))
    return {
      what,
      found: "the name is not known to this machine",
      change: `look at the address in the farm file, and: getent hosts ${name}`,
    };
  const why = await host.connects(name, port);
  return why === null
    ? { what, found: "somebody listens there", change: null }
    : {
        what,
        found: `nobody takes a connection: ${why}`,
        change: `start what listens there, let its firewall pass this machine, or put another address into the farm file`,
      };
}
