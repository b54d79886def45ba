import { InputError } from "../../workload/index.ts";
import type { Change, Decision, SchedulingExporter, Setting, SettingsFile } from "./advice.ts";
import type { LogFacts } from "./log-facts.ts";
import type { SchedulingPolicy } from "./policy.ts";
import { changesOf, isAlike, type Present } from "./present.ts";
import { unlimitedText } from "./unlimited.ts";

/** A file of the site's: what `--against` names. */
export interface SiteFile {
  readonly file: string;
  readonly text: string;
}

/** What a proposal goes by, beside the policy. */
export interface ProposalBasis {
  /** What the log says; null: no log is given. */
  readonly facts: LogFacts | null;
  /** What the site has now; empty: unknown. */
  readonly against: readonly SiteFile[];
}

/** What to change in a batch system to get a policy, and how to go back. */
export interface Proposal {
  /** Only those in which something changes. */
  readonly files: readonly ProposedFile[];
  readonly decisions: readonly Decision[];
  readonly missing: readonly string[];
  readonly know: readonly string[];
  readonly check: readonly string[];
  /** What has to be done before; null: nothing. */
  readonly first: string | null;
}

/** Lines for a file of the batch system's. */
export interface ProposedFile {
  readonly name: string;
  /** Where its lines go, in words. */
  readonly where: string;
  readonly changes: readonly Change[];
  readonly lines: readonly string[];
  /** What goes back; null where it is unknown what was there. */
  readonly back: { readonly name: string; readonly lines: readonly string[] } | null;
}

/** @throws {InputError} where a file of the site's is of another kind, or damaged */
export function propose(
  exporter: SchedulingExporter,
  policy: SchedulingPolicy,
  { facts, against }: ProposalBasis,
): Proposal {
  const { files, decisions, missing, know, check } = exporter.advise(policy, facts);
  const present = presentOf(exporter, files, against);
  const taking = files.flatMap((file) => takingOf(file, present.get(file) ?? null));
  return {
    files: files.flatMap((file): ProposedFile[] => {
      const { name, where, syntax } = file;
      const now = present.get(file) ?? null;
      const changes = changesOf(file, now).filter(({ setting }) => !takes(setting, now));
      if (changes.length === 0) return [];
      const back = now === null ? null : { name: backName(name), lines: syntax.back(changes, now) };
      return [{ name, where, changes, lines: syntax.write(changes, now), back }];
    }),
    decisions: [...taking, ...decisions].filter((decision) => !isMade(decision, [...present.values()])),
    missing,
    know,
    check,
    first: unlimitedText(exporter, policy, facts),
  };
}

/** Whether a setting takes something from somebody at this site. */
function takes({ takesBeside }: Setting, present: Present | null): boolean {
  const beside = takesBeside?.name.toLowerCase();
  return beside !== undefined && [...(present?.values() ?? [])].some((values) => values.has(beside));
}

/** Settings that would change at this site, and take something there. */
function takingOf({ syntax, ...file }: SettingsFile, present: Present | null): Decision[] {
  const settings = file.settings.filter((setting) => takes(setting, present));
  if (changesOf({ ...file, syntax, settings }, present).length === 0) return [];
  const does = [...new Set(settings.map(({ takesBeside }) => takesBeside!.does))];
  const lines = syntax.write(changesOf({ ...file, syntax, settings }, null), null);
  return [{ lines: lines.filter((line) => !line.startsWith("#")), does: does.join(" ") }];
}

/** `fair_share: false ALL`, `PriorityType=priority/basic`, `halftime  24`. */
const LINE = /^([\w.]+)(?:\s*[=:]\s*|\s+)(.*?)(?:\s+ALL)?$/;

/** Whether the site has the lines of a decision already, of queues in all of them: they take nothing then. */
function isMade({ lines }: Decision, present: readonly Present[]): boolean {
  return present.some((places) => {
    const own = places.get("");
    const where = own === undefined ? [...places.values()] : [own];
    return where.every((values) => lines.every((line) => hasLine(values, line)));
  });
}

function hasLine(values: ReadonlyMap<string, string>, line: string): boolean {
  const [, name, value] = LINE.exec(line) ?? [];
  return name !== undefined && isAlike(values.get(name.toLowerCase()), value!);
}

/** `slurm.conf.back` for `slurm.conf.croft`, `queue.back.yaml` for `queue.yaml`. */
function backName(name: string): string {
  return name.endsWith(".croft") ? name.replace(/croft$/, "back") : name.replace(/(\.\w+)$/, ".back$1");
}

function presentOf(
  { title, against: known }: SchedulingExporter,
  files: readonly SettingsFile[],
  against: readonly SiteFile[],
): Map<SettingsFile, Present> {
  const present = new Map<SettingsFile, Present>();
  for (const { file, text } of against) {
    const found = files.flatMap((each) => {
      const read = readWith(each, file, text);
      return read === null ? [] : [[each, read] as const];
    });
    if (found.length === 0)
      throw new InputError(`is no file of ${title} that is known here: give ${known}`, { file });
    for (const [each, read] of found) {
      if (present.has(each)) throw new InputError(`is the second file of its kind: give one`, { file });
      present.set(each, read);
    }
  }
  return present;
}

function readWith({ syntax }: SettingsFile, file: string, text: string): Present | null {
  try {
    return syntax.read(text);
  } catch (error) {
    if (error instanceof RangeError) throw new InputError(error.message, { file });
    throw error;
  }
}
