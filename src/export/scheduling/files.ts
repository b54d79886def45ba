import type { ExportedFile } from "../exporter.ts";
import { comment, lines } from "../text.ts";
import type { SchedulingExporter } from "./advice.ts";
import { schedulingInWords, type SchedulingPolicy } from "./policy.ts";

/** What an administrator needs to install a scheduling policy: a README, and the lines for each file. */
export function exportScheduling(exporter: SchedulingExporter, policy: SchedulingPolicy): ExportedFile[] {
  const { settings, missing, know, check } = exporter.advise(policy);
  const words = schedulingInWords(policy);
  const files = settings.map(({ name, where, lines: text }) => ({
    name,
    text: `${comment("#", [
      ["What", `lines of ${exporter.title} for a scheduling policy.`],
      ["Where", `${where}.`],
      ["Check", "README.md has the commands."],
      ["Policy", words],
      ["Tried", exporter.tried],
    ])}\n\n${text.join("\n")}\n`,
    isExecutable: false,
  }));
  const list = (sentences: readonly string[]): string =>
    sentences.map((sentence) => `- ${sentence}`).join("\n");
  const readme = `
# ${policy.name} on ${exporter.title}

${words}

## Install

${settings.map(({ name, where }, at) => `${at + 1}. The lines of \`${name}\` go ${where}.`).join("\n")}

Keep the old settings: what a simulation found better is tried for some weeks before it stays.

## Check

\`\`\`sh
${check.join("\n")}
\`\`\`

## What is not supported

${missing.length === 0 ? "Nothing of this policy is missing." : list(missing)}

## What to know

- Tried ${exporter.tried}
${list(know)}
`;
  return [{ name: "README.md", text: lines(readme), isExecutable: false }, ...files];
}
