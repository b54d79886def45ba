/** The name of a licence: none of the characters that separate names and counts. */
export const licenceName = /^[^\s;,:=\p{Cc}]{1,100}$/u;
/** The largest number of one licence. */
export const MAX_LICENCES = 2 ** 31 - 1;

/**
 * The licences that a job asks for, by name: `matlab=2; vcs` asks for two of one and one of another. Slurm's spelling,
 * `matlab:2,vcs`, means the same.
 *
 * @throws Error that says what cannot be read
 */
export function askedLicences(text: string): ReadonlyMap<string, number> {
  const asked = new Map<string, number>();
  for (const part of text.split(/[;,]/)) {
    if (part.trim() === "") continue;
    const [, name = "", count = "1"] = /^\s*([^:=]*?)\s*(?:[:=]\s*(.*?)\s*)?$/.exec(part) ?? [];
    if (!licenceName.test(name))
      throw new Error(
        `licences ${shown(text)}: ${shown(part.trim())} names none: write them as matlab=2; vcs=1`,
      );
    if (!/^[1-9]\d*$/.test(count) || Number(count) > MAX_LICENCES)
      throw new Error(
        `licences ${shown(text)}: of ${name} it asks for ${shown(count)}: give a whole number from 1`,
      );
    if (asked.has(name)) throw new Error(`licences ${shown(text)}: ${name} stands there twice`);
    asked.set(name, Number(count));
  }
  return asked;
}

function shown(text: string): string {
  return JSON.stringify(text.length <= 60 ? text : `${text.slice(0, 59)}…`);
}
