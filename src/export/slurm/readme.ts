import type { ExportedFile, ExportRequest } from "../exporter.ts";
import { lines, policyInWords } from "../text.ts";
import { reservation } from "./names.ts";
import { tried } from "../tried.ts";

export function readme(request: ExportRequest): ExportedFile {
  const { policy, families, ttlSeconds } = request;
  const exclusive = policy === "exclusive";
  const family = families[0]!;
  const text = `
# Job packing for Slurm

${policyInWords(request)}

${
  {
    queue: "A queue is a partition.",
    user: "A user is who the job belongs to.",
    group: "A group is the job's UNIX group.",
    project: "A project is an account.",
  }[family.kind]
} A job that names several partitions is of a family only if all of them are that family's. A job that asks for a reservation of the site's own is left alone. A waiting job is not moved into a family or out of one by \`scontrol update\`: it is refused, with the reason in slurmctld's log.

## How it works

Each family has a reservation with the flag FLEX: jobs that ask for it are placed inside it first and outside it otherwise. \`job_submit.lua\` has the family's jobs ask for it; users cannot. \`croft-packing\`, which slurmctld runs whenever a job is given its nodes or ends, sets the reservation's nodes${policy === "none" ? " to those without jobs of the family" : " to those where jobs of the family run"}.

${
  exclusive
    ? `The reservation is in force, so jobs that do not ask for it are kept off its nodes; those that run there already may end in peace.${
        ttlSeconds === null
          ? ""
          : ` A node leaves it when no job of the family has come for ${ttlSeconds} s, found out once a minute; it is then no longer preferred either, until the family's next job comes.`
      } While no node is reserved the family's jobs start under a second reservation, of all nodes and dated 2100.`
    : "The reservation is dated 2100, so it keeps nobody out."
}

## Install

On the controller, and on the backup controller where there is one:

1. \`install -D -m 755 croft-packing /etc/slurm/croft/croft-packing\` and \`install -m 644 croft-packing.conf /etc/slurm/croft/\`; look through \`croft-packing.conf\`.
2. \`install -d -o slurm /var/lib/croft-packing\`
3. \`install -m 644 job_submit.lua /etc/slurm/\` (beside \`slurm.conf\`).
4. Put the lines of \`slurm.conf.croft\` into \`slurm.conf\`; restart slurmctld.
5. As SlurmUser: \`/etc/slurm/croft/croft-packing sync\`. **Until then jobs of a family are refused**, as their reservation does not exist.
6. \`install -m 644 croft-packing.cron /etc/cron.d/croft-packing\`

To change the policy: \`croft-packing remove\`, install the new export, \`croft-packing sync\`. Slurm removes no reservation while its jobs run; jobs that wait for it are held and have to be released.

## Check

\`\`\`sh
scontrol show reservation ${reservation(family)}     # exists${exclusive ? ", state ACTIVE" : ", starts in 2100"}
${family.kind === "queue" ? `sbatch -p ${family.name} --wrap 'sleep 600'` : "sbatch --wrap 'sleep 600'                 # as a job of the family"}
squeue -o '%i %P %T %N %v'                # the job, and its reservation in the last column
/etc/slurm/croft/croft-packing status     # counts the job; its node is ${policy === "none" ? "not in" : "in"} the reservation
sbatch --wrap 'sleep 600'                 # as any other job${exclusive ? ": goes to another node, or waits" : ""}
\`\`\`

## What to know

- Tried ${tried.slurm}
${
  exclusive
    ? `- **Jobs that start together can break exclusivity.** A node is reserved a moment after a family's job is given it: the time of one program, a tenth of a second here. Jobs that slurmctld starts in the same pass are not kept off. To narrow it: \`SchedulerParameters=sched_max_job_start=1,bf_max_job_start=1\` starts one job a pass. Croft's authors released 4 jobs of a family and 12 others at one instant on 4 idle nodes: without it the family had a job on every node and all 12 others beside them; with it the family had one node to itself, and starting 16 jobs took 15 s instead of 1. In a full farm, where jobs start one by one as others end, less is to be expected; that was not measured. What has happened is not undone: both jobs run to their end.
- A node that is in another reservation, of the site or of another family, stays there: it is not reserved, and the system log says so. The reservation lasts three days and is renewed every day, so one that the site plans (without the flag MAINT) counts three days ahead. If croft-packing runs for two days neither from cron nor for a job, it ends, and the family's waiting jobs are held.
- Nothing but the TTL prevents the lock: if every node has a job of a family, other jobs wait.
`
    : `- Preference is decided by what runs when a job is placed. Jobs that start in the same pass do not see each other.
- A node's Weight comes before the preference (a lighter node is taken first), CR_LLN after it.
`
}- Accounting counts ${exclusive ? "the reserved nodes as reserved (sreport), and " : ""}the jobs as jobs of a reservation.
- Where \`PrologSlurmctld\` is taken, call \`croft-packing\` from there; it reads the same environment.
`;
  return { name: "README.md", text: lines(text), isExecutable: false };
}
