import type { ExportedFile, ExportRequest } from "../exporter.ts";
import { lines, policyInWords } from "../text.ts";
import { familyRequests, otherRequest } from "./jsv.ts";
import { tried } from "../tried.ts";

export function readme(request: ExportRequest): ExportedFile {
  const { policy, families, ttlSeconds } = request;
  const exclusive = policy === "exclusive";
  const options = ({ hard, soft }: { hard: string; soft: string }) =>
    [hard === "" ? "" : `-hard -l '${hard}'`, soft === "" ? "" : `-soft -l ${soft}`]
      .filter((option) => option !== "")
      .join(" ");
  const others = options({ hard: otherRequest(request), soft: "" });
  const text = `
# Job packing for Grid Engine

${policyInWords(request)}

A queue is one that the job names (\`qsub -q\`): of a job that names none, or several, the queue is known only when it runs, and it is of no queue's family. A project is that of \`qsub -P\`, a group the user's primary UNIX group.

## How it works

\`jsv.croft\` runs when a job is submitted, recognises its family, writes it into the job's environment and adds:

\`\`\`
${families.map((family) => `${family.kind} ${family.name}: ${options(familyRequests(family, request))}`).join("\n")}
all others: ${others === "" ? "nothing" : others}
\`\`\`

\`load-sensor.croft\` runs on every host and reports what is asked for, and in \`pkyes\` and \`pknone\` how many jobs of families and others run there. It goes by what the JSV wrote, so the two agree on who is packed.${
    ttlSeconds === null
      ? ""
      : ` A host is free again once none of the family has come for ${ttlSeconds} s; a sensor that is restarted knows of the jobs that still run, not of those that ended.`
  }

## Install

1. Add the rows of \`complexes.croft\` (\`qconf -sc\`, \`qconf -Mc\`).
2. Set \`execd_spool\` in \`load-sensor.croft\`; install it on every host, executable, and name it as \`load_sensor\` (\`qconf -mconf\`). Its user has to be able to read \`active_jobs/*/environment\` there.
3. When \`qhost -F\` shows the values: install \`jsv.croft\` on the master host and name it as \`jsv_url\` (\`qconf -mconf\`). Before that no host would have what jobs ask for. Jobs that run already are counted as others.

## Check

\`\`\`sh
echo | load-sensor.croft                   # on a host: begin, the values, end
qhost -F pkyes,pknone${exclusive ? ",pkheld" : ""}
qsub ${{ queue: "-q", project: "-P", user: "# as", group: "# as a user of" }[families[0]!.kind]} ${families[0]!.name}${families[0]!.kind === "queue" || families[0]!.kind === "project" ? " job.sh" : ""}
qstat -j JOB                               # hard and soft resource requests as above
\`\`\`

## What to know

- Tried ${tried.gridEngine}
- **Load values are as old as \`load_report_time\`** (40 s by default). Jobs that are dispatched meanwhile do not see each other${exclusive ? ": others may join a host that a family's job has just been sent to, and exclusivity is broken until one of them ends" : ""}. To narrow it: a shorter \`load_report_time\`, and \`job_load_adjustments\` with \`load_adjustment_decay_time\` for what else depends on load.
- A host without a sensor has no value, so no job with a hard request is sent there.
- A second server JSV cannot be configured: where there is one, call this one's \`verify\` from it. \`qalter\` may change requests.
${exclusive && ttlSeconds === null ? "- Nothing prevents the lock: if every host has a job of a family, other jobs wait. Export with a TTL to prevent it.\n" : ""}`;
  return { name: "README.md", text: lines(text), isExecutable: false };
}
