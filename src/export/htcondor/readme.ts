import type { ExportedFile, ExportRequest } from "../exporter.ts";
import { lines, policyInWords } from "../text.ts";
import { membership } from "./settings.ts";
import { tried } from "../tried.ts";

export function readme(request: ExportRequest): ExportedFile {
  const { policy, families } = request;
  const exclusive = policy === "exclusive";
  const text = `
# Job packing for HTCondor

${policyInWords(request)}

**Tried: ${tried.htcondor}**

HTCondor has no queues: a queue is the job's attribute \`Queue\` (\`+Queue = "ams"\` in the submit file, or set by your HTCondor-CE's routes). Groups and projects are accounting groups (\`accounting_group\`), a user is the job's owner. Here:

\`\`\`
${families.map((family) => `${family.id}: ${membership(family)}`).join("\n")}
\`\`\`

## How it works

- \`90-croft-schedd.conf\`: a job transform writes the family into the job as \`CroftFamily\`.
- \`91-croft-startd.conf\`: a machine lists the families of its jobs in \`ChildCroftFamily\`${exclusive ? ", and its START lets in only jobs of the family that runs there" : ""}.
- \`92-croft-negotiator.conf\`: the negotiator ${policy === "none" ? "puts machines with jobs of the family last" : "prefers machines with jobs of the family"}.

## Install

Put each file into \`/etc/condor/config.d\` on the machines that its header names, the access points first, and \`condor_reconfig\`. Jobs that wait already have no \`CroftFamily\` and count as others.

## Check

\`\`\`sh
condor_transform_ads -rules <(condor_config_val JOB_TRANSFORM_CroftPacking) job.ad   # sets CroftFamily
condor_submit job.sub && condor_q -af ClusterId CroftFamily
condor_status -af Machine ChildCroftFamily         # lists the families of running jobs
condor_q -better-analyze JOB                       # an ordinary job${exclusive ? ": START refuses machines with a family's jobs" : ""}
\`\`\`

## What to know

${
  exclusive
    ? `- START is evaluated by the machine itself, so exclusivity does not depend on how old the negotiator's knowledge is. The preference does: in one negotiation cycle jobs may be spread.
- Jobs that run when a family comes to their machine may end there.
- \`CLAIM_WORKLIFE = 0\` costs a negotiation for every job. Without it a slot that an ordinary job holds takes that user's next job without asking for the rest of the machine.
- No TTL: an expression cannot remember when the family's last job came. The lock is possible: if every machine has a job of a family, other jobs wait.
`
    : "- The negotiator knows machines as they were when its cycle began: jobs matched in one cycle do not see each other.\n"
}- Static slots do not see each other's jobs: there, use STARTD_SLOT_ATTRS = CroftFamily and name each slot.
- A job may still rank machines itself; the negotiator's preference comes first.
`;
  return { name: "README.md", text: lines(text), isExecutable: false };
}
