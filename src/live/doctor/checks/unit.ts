import type { Check } from "../check.ts";
import type { Finding } from "../../engines/finding.ts";
import type { Host } from "../host.ts";

const CLEAN = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
const TIMEOUT_SECONDS = 30;

/** What the unit must have, and what goes wrong without it. */
const LINES: readonly { readonly line: string; readonly wanted: RegExp; readonly why: string }[] = [
  {
    line: "KillMode=process",
    wanted: /^KillMode=process\s*$/m,
    why: "without it jobs are ended with the service",
  },
  {
    line: "Delegate=yes",
    wanted: /^Delegate=(yes|true|1)\s*$/m,
    why: "without it limits of memory and cores are not enforced",
  },
  {
    line: "DelegateSubgroup=croft-service",
    wanted: /^DelegateSubgroup=croft-service\s*$/m,
    why: "without it the service is in the cgroup that jobs' are made in",
  },
  {
    line: "StateDirectoryMode=0700",
    wanted: /^StateDirectoryMode=0?700\s*$/m,
    why: "without it others may read what jobs were given and print",
  },
];

export const unit: Check = {
  name: "unit",
  isOfService: true,
  async look({ host }) {
    const path = host.unitPaths.find((each) => host.text(each) !== null);
    if (path === undefined) return [{ what: "a systemd unit", found: "none is installed", change: null }];
    const text = host.text(path)!;
    const findings: Finding[] = LINES.map(({ line, wanted, why }) => ({
      what: `${path}: ${line}`,
      found: wanted.test(text) ? "there" : why,
      change: wanted.test(text)
        ? null
        : `write ${line} under [Service], then: systemctl daemon-reload && systemctl restart croft`,
    }));
    const program = /^ExecStart=[-@:+!]*(\S+)/m.exec(text)?.[1];
    const isThere =
      program !== undefined &&
      (await host.commands.run("test", ["-x", program], { environment: {}, timeoutSeconds: 10 })).status ===
        0;
    findings.push({
      what: `${path}: ExecStart`,
      found: isThere ? program : `${program ?? "nothing"} cannot be run`,
      change: isThere ? null : "npm install --global croft, or write where croft is: command -v croft",
    });
    const group = /^ExecStart=.*\s--users[ =](\S+)/m.exec(text)?.[1];
    if (group !== undefined) findings.push(...(await ofUsers(path, text, group, host)));
    return findings;
  },
};

/** What users need to come in by sockets of their own. */
async function ofUsers(path: string, text: string, group: string, host: Host): Promise<Finding[]> {
  const asked = { environment: CLEAN, timeoutSeconds: TIMEOUT_SECONDS };
  const { status, stdout } = await host.commands.run("getent", ["group", "--", group], asked);
  const members = (stdout.trim().split(":")[3] ?? "").split(",").filter((name) => name !== "");
  const isOpen = /^RuntimeDirectoryMode=0?7[1357][1357]\s*$/m.test(text);
  return [
    {
      what: `${path}: --users ${group}`,
      found:
        status !== 0
          ? "there is no such Unix group"
          : members.length === 0
            ? "nobody is in the group"
            : `${members.length} in the group`,
      change:
        status !== 0
          ? `groupadd --system ${group}`
          : members.length === 0
            ? `usermod -aG ${group} USER`
            : null,
    },
    {
      what: `${path}: RuntimeDirectoryMode`,
      found: isOpen ? "users get to their sockets" : "users do not get to their sockets",
      change: isOpen
        ? null
        : "write RuntimeDirectoryMode=0755 under [Service], then: systemctl daemon-reload && systemctl restart croft",
    },
  ];
}
