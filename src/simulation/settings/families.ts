import { maxFamilies, type PackingPolicy } from "../../core/index.ts";
import { InputError, type Workload } from "../../workload/index.ts";

/** What a family's jobs have in common: `queue=ams`, `user=ann,bob`, `cores=8`. */
export interface Family {
  readonly field: FamilyField;
  /** A job is of the family that has one of these. */
  readonly values: readonly string[];
}

/** A job's cores are those of one task; a project's are those below it as well. */
export const familyFields = ["queue", "user", "group", "project", "cores"] as const;

type FamilyField = (typeof familyFields)[number];

/** How the jobs of families are packed in a run. */
export interface PackingChoice {
  readonly policy: PackingPolicy;
  /** At least one; a job is of the first that has it. */
  readonly families: readonly Family[];
  /** Only `exclusive` asks; Infinity: a machine stays reserved for as long as jobs of the family run there. */
  readonly ttlSeconds: number;
}

export function familyName({ field, values }: Family): string {
  return `${field}=${values.join(",")}`;
}

/** @throws InputError where the text is no family */
export function parseFamily(text: string): Family {
  const [, field, list] = /^\s*(\w+)\s*=(.*)$/.exec(text) ?? [];
  const known = familyFields.find((each) => each === field);
  const values = (list ?? "").split(",").map((value) => value.trim());
  if (known === undefined || values.includes("")) {
    throw new InputError(
      `"${text}" is no family: give ${familyFields.join(", ")} and what it is, as in queue=ams or user=ann,bob`,
    );
  }
  return { field: known, values };
}

/**
 * The family of each job, by row: 0 for ordinary jobs, then as numbered from 1.
 *
 * @throws InputError where no job is of a family: most likely it is misspelt
 */
export function familyOfRows(workload: Workload, families: readonly Family[]): Uint8Array {
  if (families.length === 0 || families.length > maxFamilies) {
    throw new InputError(`packing needs one family at least and ${maxFamilies} at most: queue=NAME`);
  }
  const rows = new Uint8Array(workload.count);
  for (let number = families.length; number >= 1; number--) {
    const family = families[number - 1];
    const isOf = membership(workload, family);
    let jobs = 0;
    for (let row = 0; row < workload.count; row++) {
      if (!isOf(row)) continue;
      rows[row] = number;
      jobs++;
    }
    if (jobs === 0 && workload.count > 0) throw new InputError(noJobText(workload, family));
  }
  return rows;
}

function membership(workload: Workload, { field, values }: Family): (row: number) => boolean {
  if (field === "cores") {
    const cores = new Set(values.map((value) => Math.round(Number(value) * 1000)));
    return (row) => cores.has(workload.coresMilli[row]);
  }
  const column = workload[field];
  if (column === null) return () => false;
  const isMeant = (name: string): boolean =>
    field === "project"
      ? values.some((value) => `${trimmed(name)}/`.startsWith(`${trimmed(value)}/`))
      : values.includes(name);
  const byCode = column.names.map(isMeant);
  return (row) => byCode[column.codes[row]];
}

/** A path without the slashes at its ends. */
function trimmed(path: string): string {
  return path.replace(/^\/+|\/+$/g, "");
}

function noJobText(workload: Workload, family: Family): string {
  const missing = `no job of workload ${workload.name} is of the family ${familyName(family)}`;
  if (family.field === "cores") return missing;
  const column = workload[family.field];
  if (column === null) return `${missing}: the log names no ${family.field}s`;
  const names = column.names.slice(0, 12).join(", ");
  return `${missing}; the log's ${family.field}s are ${names}${column.names.length > 12 ? ", …" : ""}`;
}
