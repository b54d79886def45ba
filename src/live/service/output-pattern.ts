/** What a name of a file for output may stand for. */
export interface Named {
  readonly number: number;
  readonly user: string;
  readonly name: string;
  readonly array: { readonly first: number; readonly index: number } | null;
}

/** What each letter after a `%` stands for; null: this job has none. */
const letters: Readonly<Record<string, (job: Named, attempt: number | string) => number | string | null>> = {
  j: ({ number }) => number,
  A: ({ array }) => array?.first ?? null,
  a: ({ array }) => array?.index ?? null,
  t: (_, attempt) => attempt,
  u: ({ user }) => inPath(user),
  x: ({ name }) => inPath(name),
  "%": () => "%",
};

/** The file that a job names for its output, for one attempt. What stands for nothing is left as it is. */
export function outputFile(pattern: string, job: Named, attempt: number | string): string {
  return pattern.replaceAll(/%(.)/gsu, (all, letter: string) =>
    String(letters[letter]?.(job, attempt) ?? all),
  );
}

/** Why a job cannot name its file like this; null: it can. */
export function patternProblem(pattern: string, job: Named): string | null {
  for (const [sign, letter = ""] of pattern.matchAll(/%(.?)/gsu)) {
    const meaning = Object.hasOwn(letters, letter) ? letters[letter] : undefined;
    if (meaning === undefined)
      return `${JSON.stringify(sign)} in ${JSON.stringify(pattern)} stands for nothing: %j is the job's number, %A its array's, %a its index there, %t the attempt, %u the user, %x the name, and %% a percent sign`;
    if (meaning(job, 1) === null)
      return `${JSON.stringify(sign)} in ${JSON.stringify(pattern)} is of an array (--array), and this job is of none`;
  }
  if (pattern.endsWith("/"))
    return `${JSON.stringify(pattern)} is a folder: name a file in it, ${JSON.stringify(`${pattern}%j.txt`)} say`;
  return null;
}

/** A name is a part of a path, and not a way to another folder. */
function inPath(text: string): string {
  return text.replaceAll(/[/\0]/g, "_").replace(/^\.\.?$/, "_");
}
