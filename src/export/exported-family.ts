import { InputError } from "../workload/index.ts";

/** What a family's jobs have in common, in the words of batch systems at large. */
export const familyKinds = ["queue", "user", "group", "project"] as const;
export type FamilyKind = (typeof familyKinds)[number];

/**
 * A family as a batch system can tell it: of one queue, user, group or project, by
 * a name that is safe in its files. A family in a simulation (`Family`) can be of
 * several, and of jobs of a size.
 */
export interface ExportedFamily {
  readonly kind: FamilyKind;
  readonly name: string;
  /** `queue_ams`: fit for names of resources, reservations and variables everywhere. */
  readonly id: string;
}

/** Names have no character with a meaning to a shell, Lua, YAML or a configuration file. */
const SAFE_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;
const MAX_NAME_LENGTH = 64;
const MAX_FAMILIES = 16;

/**
 * @param texts `queue=ams`, `user=ann`, `group=atlas`, `project=chip`
 * @throws {InputError} where one is not of that form, or two cannot be told apart
 */
export function parseExportedFamilies(texts: readonly string[]): ExportedFamily[] {
  if (texts.length === 0) throw new InputError("no family: say which jobs to keep together, as in queue=ams");
  if (texts.length > MAX_FAMILIES)
    throw new InputError(`${texts.length} families: at most ${MAX_FAMILIES} are exported together`);
  const byId = new Map<string, string>();
  return texts.map((text) => {
    const family = parseFamily(text);
    const other = byId.get(family.id);
    if (other === text) throw new InputError(`the family ${text} is given twice`);
    if (other !== undefined)
      throw new InputError(`the families ${other} and ${text} would both be called ${family.id}: rename one`);
    byId.set(family.id, text);
    return family;
  });
}

function parseFamily(text: string): ExportedFamily {
  const equals = text.indexOf("=");
  const kind = familyKinds.find((each) => each === text.slice(0, Math.max(equals, 0)));
  if (kind === undefined)
    throw new InputError(
      `the family ${JSON.stringify(text)} is not of the form KIND=NAME, where KIND is one of ${familyKinds.join(", ")}`,
    );
  const name = text.slice(equals + 1);
  if (name.length > MAX_NAME_LENGTH || !SAFE_NAME.test(name))
    throw new InputError(
      `the family's name ${JSON.stringify(name)} cannot be used: at most ${MAX_NAME_LENGTH} letters, digits, ` +
        "underscores, points and hyphens, a letter or digit first",
    );
  return { kind, name, id: `${kind}_${name.replace(/[.-]/g, "_")}` };
}
