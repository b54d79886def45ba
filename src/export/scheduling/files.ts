import type { ExportedFile } from "../exporter.ts";
import { comment, lines } from "../text.ts";
import type { Decision, SchedulingExporter } from "./advice.ts";
import { timeText, type LogFacts } from "./log-facts.ts";
import { schedulingInWords, type SchedulingPolicy } from "./policy.ts";
import { propose, type Proposal, type ProposalBasis } from "./proposal.ts";

/**
 * What an administrator needs to install a scheduling policy: a README, the lines for each file, and those that go
 * back.
 *
 * @throws {InputError} where a file of the site's cannot be used
 */
export function exportScheduling(
  exporter: SchedulingExporter,
  policy: SchedulingPolicy,
  basis: ProposalBasis = { facts: null, against: [] },
): ExportedFile[] {
  const proposal = propose(exporter, policy, basis);
  const { first } = proposal;
  const file = (name: string, what: string, where: string, text: readonly string[]): ExportedFile => ({
    name,
    text: `${comment("#", [
      ["What", what],
      ["Where", `${where}.`],
      ["Check", "README.md has the commands."],
      ["Policy", schedulingInWords(policy)],
      ["Tried", exporter.tried],
      ...(first === null ? [] : [["First", first] as const]),
    ])}\n\n${text.join("\n")}\n`,
    isExecutable: false,
  });
  const files = proposal.files.flatMap(({ name, where, lines: text, back }) => [
    file(name, `lines of ${exporter.title} for a scheduling policy.`, where, text),
    ...(back === null
      ? []
      : [file(back.name, `the lines that were there before ${name}.`, where, back.lines)]),
  ]);
  return [
    { name: "README.md", text: lines(readme(exporter, policy, basis, proposal)), isExecutable: false },
    ...files,
  ];
}

function readme(
  exporter: SchedulingExporter,
  policy: SchedulingPolicy,
  { facts, against }: ProposalBasis,
  proposal: Proposal,
): string {
  const { title, tried } = exporter;
  const { missing, decisions, know, check } = proposal;
  return `
# ${policy.name} on ${title}

${schedulingInWords(policy)}
${proposal.first === null ? "" : `\n**First:** ${proposal.first}\n`}
${
  proposal.files.length === 0
    ? "Nothing is to be changed: the site has every setting of it that takes nothing from anybody."
    : steps(exporter, against.length > 0, facts, proposal)
}

## Decisions

${
  decisions.length === 0
    ? "None: nothing of this policy takes anything from a job or a user."
    : `In no file, since it takes something from somebody. Leave it as it is unless you want just that.\n\n${decisions.map(decisionText).join("\n\n")}`
}

## Check

\`\`\`sh
${check.join("\n")}
\`\`\`

## What is not supported

${missing.length === 0 ? "Nothing of this policy is missing." : list(missing)}

## What to know

- Tried ${tried}
${list(know)}
`;
}

function steps(
  { against: known }: SchedulingExporter,
  isKnown: boolean,
  facts: LogFacts | null,
  { files }: Proposal,
): string {
  const install = files.map(({ name, where, changes }, at) => {
    const loads = [...new Set(changes.map(({ setting }) => setting.load))];
    return `${at + 1}. The lines of \`${name}\` go ${where}. In force after: ${loads.join("; ")}.`;
  });
  const back = files.flatMap(({ name, back }) =>
    back === null
      ? []
      : [
          `- \`${back.name}\` has what was there: its lines go where those of \`${name}\` went, and are loaded the same way.`,
        ],
  );
  const unknown = files.filter(({ back }) => back === null).map(({ name }) => `\`${name}\``);
  return `## Install

${install.join("\n")}

${
  isKnown
    ? "Only what differs from the site's own files is in them."
    : `What the site has now is not known. \`--against FILE\` (${known}) leaves only the lines that differ, says of each what was there, and writes a file that goes back.`
}${facts === null ? " No value is taken from a log: `--log FILE` does that." : ` Values are taken from ${facts.log}.`}

## Go back

${back.length === 0 ? "" : `${back.join("\n")}\n`}${
    unknown.length === 0
      ? ""
      : `- Keep a copy of what ${unknown.join(" and ")} ${unknown.length === 1 ? "changes" : "change"}, and put it back.\n`
  }
## Measure afterwards

${measures(facts).join("\n")}`;
}

/** So many days tell more than chance; a log may have years. */
const MEASURED_DAYS = 28;

/** What shows whether the change was good, and when. */
function measures(facts: LogFacts | null): string[] {
  const wait = facts?.longestWaitSeconds ?? null;
  const after =
    wait === null || wait < 3600
      ? "when the jobs that waited at the change have started"
      : `when the jobs that waited at the change have started: the longest wait before was ${timeText(wait)}`;
  const days = Math.ceil((facts?.spanSeconds ?? 0) / 86_400);
  const whole = `${days} days, as long as the log is`;
  const when =
    days <= MEASURED_DAYS
      ? `${MEASURED_DAYS} days`
      : days < 2 * MEASURED_DAYS
        ? whole
        : `${MEASURED_DAYS} days, and again after ${whole}`;
  return [
    "- At once: as many jobs run and wait as before, and the settings are in force (Check).",
    "- After an hour, and after a day: jobs start, and those of many cores too.",
    `- After ${when}: write the accounting log of these days, from ${after}, and compare it with the log before: \`croft compare BEFORE AFTER\`. It tells the waits by queue, user and size.`,
    "- Go back if the waits of those who lost most are longer than was expected.",
  ];
}

function decisionText({ lines: text, does }: Decision): string {
  return `${does}\n\n\`\`\`\n${text.join("\n")}\n\`\`\``;
}

function list(sentences: readonly string[]): string {
  return sentences.map((sentence) => `- ${sentence}`).join("\n");
}
