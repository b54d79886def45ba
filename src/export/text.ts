import { wrap } from "../workload/index.ts";
import type { ExportRequest } from "./exporter.ts";

/** The fields at the head of every exported file. */
export interface Header {
  readonly what: string;
  readonly where: string;
  readonly check: string;
  readonly request: ExportRequest;
  /** What was tested and what was not, for the administrator. */
  readonly tried: string;
}

/** The comment at the head of a file; `mark` begins each line of it. */
export function header(mark: string, { what, where, check, request, tried }: Header): string {
  return comment(mark, [
    ["What", what],
    ["Where", where],
    ["Check", check],
    ["Policy", policyInWords(request)],
    ["Tried", tried],
  ]);
}

/** Named texts as a comment, one after the other, and who wrote it. */
export function comment(mark: string, fields: readonly (readonly [name: string, text: string])[]): string {
  const lines = fields.flatMap(([name, text]) =>
    wrap(text, 84).map((line, at) => `${mark} ${at === 0 ? `${name}:`.padEnd(8) : " ".repeat(8)}${line}`),
  );
  return [...lines, `${mark} Written by \`croft export\`.`].join("\n");
}

export function policyInWords({ policy, families, ttlSeconds }: ExportRequest): string {
  const jobs = families.map(({ kind, name }) => `${kind} ${name}`).join(", ");
  const who = families.length === 1 ? `jobs of the family (${jobs})` : `jobs of a family (${jobs})`;
  switch (policy) {
    case "relaxed":
      return `relaxed: ${who} prefer nodes where jobs of the same family run; other jobs go where they like.`;
    case "none":
      return `none (spreading): ${who} prefer nodes without jobs of the same family; other jobs go where they like.`;
    case "exclusive":
      return (
        `exclusive: ${who} prefer nodes where jobs of the same family run; all other jobs keep off those nodes` +
        (ttlSeconds === null ? "." : `, until none of the family has come to the node for ${ttlSeconds} s.`)
      );
  }
}

/** A file of lines, without the blank ones that a template begins and ends with. */
export function lines(text: string): string {
  return `${text.replace(/^\n+/, "").replace(/\s+$/, "")}\n`;
}
