import type { ExportedFile, ExportRequest } from "../exporter.ts";
import { lines, policyInWords } from "../text.ts";
import {
  countOf,
  familyRequirement,
  HELD_BY,
  loadIndexes,
  otherRequirement,
  type Requirement,
} from "./indexes.ts";
import { INTERVAL_SECONDS } from "./settings.ts";
import { tried } from "../tried.ts";

export function readme(request: ExportRequest): ExportedFile {
  const { policy, families, ttlSeconds } = request;
  const names = loadIndexes(request).map(({ name }) => name);
  const rows = [
    ...families.map(
      (family) => `| ${family.kind} ${family.name} | ${shown(familyRequirement(family, request))} |`,
    ),
    `| all others | ${shown(otherRequirement(request))} |`,
  ];
  const family = families[0]!;
  const text = `
# Job packing for LSF

${policyInWords(request)}

A queue is that of \`bsub -q\`, a project that of \`bsub -P\`, a group the user's primary UNIX group. A job that names several queues is of a family only if all of them are that family's.

## How it works

\`esub.croft\` runs when a job is submitted, recognises its family, writes it into the job's environment and adds to its resource requirement:

| jobs | requirement |
| --- | --- |
${rows.join("\n")}

\`elim.croft\` runs on every host and reports ${names.map((name) => `\`${name}\``).join(", ")}. It counts the children of sbatchd and res and reads the family from their environment: it goes by what esub wrote, so the two agree on who is packed.${
    ttlSeconds === null
      ? ""
      : ` \`${HELD_BY}\` is the number of the family that the host is reserved to (${families.map(({ id }, at) => `${at + 1}: ${id}`).join(", ")}), and 0 once none of its jobs has come for ${ttlSeconds} s. An elim that is restarted knows of the jobs that still run, not of those that ended.`
  }

## Install

1. Put the rows of \`lsf.shared.croft\` and \`lsf.cluster.croft\` into \`lsf.shared\` and \`lsf.cluster.NAME\`.
2. \`install -m 755 elim.croft esub.croft $LSF_SERVERDIR\`, on every host. LIM has to start \`elim.croft\` as root: it reads the environment of other users' jobs.
3. If jobs may leave out \`-q\` or \`-P\`, fill in \`default_queue\` and \`default_project\` at the head of \`esub.croft\`.
4. \`lsadmin reconfig; badmin mbdrestart; lsadmin limrestart all\`. Jobs that run already are counted as others.
5. When \`lsload\` shows the indexes: the line of \`lsf.conf.croft\` into \`lsf.conf\`, and \`badmin mbdrestart\`. Before that the requirement would find no host.

## Check

\`\`\`sh
elim.croft --once                          # as root, on a host: ${names.length} ${names.map((name) => `${name} 0`).join(" ")}
lsload -I ${names.join(":")}
lsload -I ${names.join(":")} -R 'select[${countOf(family, request)} > 0]'     # hosts with jobs of the family
bsub ${family.kind === "queue" ? `-q ${family.name} ` : family.kind === "project" ? `-P ${family.name} ` : ""}'sleep 3600'${family.kind === "user" || family.kind === "group" ? "   # as a user of the family" : ""}
bsub 'sleep 3600'                          # as any other job${policy === "exclusive" ? ": another host" : ""}
bjobs -l                                   # the requirements of the table above
\`\`\`

## What to know

- Tried ${tried.lsf}
- **Load indexes are ${INTERVAL_SECONDS} s old**, and some more until they have reached the master. Jobs that are dispatched meanwhile do not see each other: ${
    policy === "exclusive"
      ? "others may join a host that a family's job has just been sent to, and exclusivity is broken until one of them ends"
      : "a family's jobs that are dispatched together are not yet packed, or spread"
  }. To narrow it: a shorter interval, in \`lsf.shared\` and at the head of \`elim.croft\`; \`JOB_ACCEPT_INTERVAL=1\` in \`lsb.params\` (one job a host and dispatch turn, \`MBD_SLEEP_TIME\` apart), best at least as long as the interval; \`NEW_JOB_SCHED_DELAY\`. All cost throughput.
- A host whose elim does not run shows dashes, and no job that asks for an index is sent there.
- \`bswitch\` moves a waiting job without asking esub: it keeps its family and its requirement.
- esub runs as the user who submits: who replaces LSF's client, or its configuration, goes round it.
- Whoever can set a job's environment behind esub's back (\`eexec\`, a job starter) can have it counted as another family's.
${policy === "exclusive" && ttlSeconds === null ? "- Nothing prevents the lock: if every host has a job of a family, other jobs wait. Export with a TTL to prevent it.\n" : ""}`;
  return { name: "README.md", text: lines(text), isExecutable: false };
}

function shown({ select, order }: Requirement): string {
  const parts = [select === "" ? "" : `select[${select}]`, order === "" ? "" : `order[${order}:…]`];
  // A vertical bar would end the table's cell.
  const text = parts
    .filter((part) => part !== "")
    .join(" ")
    .replaceAll("|", "\\|");
  return text === "" ? "nothing" : `\`${text}\``;
}
