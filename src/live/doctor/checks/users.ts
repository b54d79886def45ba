import type { Finding } from "../../engines/finding.ts";
import type { Check } from "../check.ts";

const CLEAN = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
const TIMEOUT_SECONDS = 30;

export const users: Check = {
  name: "users",
  isOfService: true,
  async look({ farm, farmFile, host }) {
    if (farm instanceof Error) return [];
    const findings: Finding[] = [];
    const isThere = async (database: string, name: string): Promise<boolean> =>
      (
        await host.commands.run("getent", [database, "--", name], {
          environment: CLEAN,
          timeoutSeconds: TIMEOUT_SECONDS,
        })
      ).status === 0;
    for (const { name: group, users: members, unixGroups } of farm.userGroups ?? []) {
      for (const name of unixGroups)
        if (!(await isThere("group", name)))
          findings.push({
            what: `group ${group}`,
            found: `there is no Unix group ${name}, so nobody belongs to it by that`,
            change: `groupadd ${name}, or leave it out of ${farmFile}`,
          });
      // Where the service is not root's, users need not be the machine's: they come with tokens.
      if (host.user.uid !== 0) continue;
      for (const name of members)
        if (!(await isThere("passwd", name)))
          findings.push({
            what: `group ${group}`,
            found: `there is no user ${name}, and jobs of a farm of root run as their users`,
            change: `useradd ${name}, or leave it out of ${farmFile}`,
          });
    }
    return findings.length > 0
      ? findings
      : [{ what: "groups of users", found: `${farm.userGroups?.length ?? 0}, all there`, change: null }];
  },
};
