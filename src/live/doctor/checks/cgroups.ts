import { ownCgroup } from "../../engines/local/cgroups.ts";
import type { Check } from "../check.ts";
import { poolsOf } from "../subject.ts";

const WANTED = ["memory", "cpu"];
const START =
  "start it by the unit (docs/install.md), or: systemd-run --user --scope -p Delegate=yes croft serve; or set cgroup: none in the pool's engine, and limits are watched once a second";
const BOOT = "boot with systemd.unified_cgroup_hierarchy=1; or set cgroup: none in the pool's engine";

/** Whether the kernel can keep the limits of jobs on this machine. */
export const cgroups: Check = {
  name: "cgroups",
  isOfService: true,
  look(subject) {
    const { host } = subject;
    if (subject.farm instanceof Error) return [];
    const local = poolsOf(subject).filter(({ engine }) => engine === undefined || engine.kind === "local");
    if (local.every(({ engine }) => engine?.settings["cgroup"] === "none"))
      return [{ what: "cgroups", found: "no pool uses them", change: null }];
    const unit = host.unitPaths.map((path) => host.text(path)).find((text) => text !== null);
    const cgroup = ownCgroup((path) => host.text(path) ?? "");
    if (cgroup === null)
      return [
        {
          what: "cgroups",
          found: "version 2 is not mounted, so that memory is only watched and cores are not limited",
          change: BOOT,
        },
      ];
    const own = cgroup.folder.replace(/\/$/, "");
    const missingIn = (folder: string): string[] => {
      const given = (host.text(`${folder}/cgroup.controllers`) ?? "").split(/\s+/);
      return WANTED.filter((name) => !given.includes(name));
    };
    // The hybrid of systemd: version 2 is mounted, and the controllers are version 1's.
    const ofOthers = missingIn(cgroup.root);
    if (ofOthers.length > 0)
      return [
        {
          what: "cgroups",
          found: `version 2 is mounted without the controllers ${ofOthers.join(" and ")}, so that memory is only watched and cores are not limited`,
          change: BOOT,
        },
      ];
    const missing = missingIn(own);
    // The unit's service has a cgroup of its own, which only it is given.
    if (unit !== undefined && /^Delegate=(yes|true|1|.*memory)/m.test(unit))
      return [{ what: "cgroups", found: "version 2, delegated to the unit's service", change: null }];
    const isOurs = host.mayWrite(`${own}/cgroup.procs`) && host.mayWrite(`${own}/cgroup.subtree_control`);
    return [
      {
        what: "cgroups",
        found: !isOurs
          ? `version 2, and ${host.user.username} may make none in ${own}: memory is only watched, cores are not limited`
          : missing.length > 0
            ? `version 2, without the controllers ${missing.join(" and ")} in ${own}`
            : `version 2, with memory and cpu in ${own}`,
        change: isOurs && missing.length === 0 ? null : START,
      },
    ];
  },
};
