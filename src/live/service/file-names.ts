/** Stands for the number of an attempt in a name: no path has this character. */
export const ATTEMPT = "\0";

/**
 * Names of files, some of them of any attempt. All that may come to the same name are found, however many there are:
 * names are only tried where some look alike but for what are numbers in them.
 */
export class FileNames<Of> {
  private readonly all = new Map<string, Of>();
  /** By their looks with numbers and attempts taken as one: the looks in which these differ. */
  private readonly looks = new Map<string, Set<string>>();

  get size(): number {
    return this.all.size;
  }

  [Symbol.iterator](): MapIterator<[string, Of]> {
    return this.all[Symbol.iterator]();
  }

  get(name: string): Of | undefined {
    return this.all.get(name);
  }

  set(name: string, of: Of): void {
    this.all.set(name, of);
    const [alike, look] = looksOf(name);
    const looks = this.looks.get(alike);
    if (looks === undefined) this.looks.set(alike, new Set([look]));
    else looks.add(look);
  }

  /**
   * What is there under this name, and under those that are the same for some attempts.
   *
   * @param attempts if the name is of any attempt, for how many of the first of them this is found out
   */
  *alike(name: string, attempts: number): Generator<[string, Of]> {
    const same = this.all.get(name);
    if (same !== undefined) yield [name, same];
    const [alike, own] = looksOf(name);
    const looks = [...(this.looks.get(alike) ?? [])].filter((look) => look !== own);
    if (looks.length === 0) return;
    const isOfAny = name.includes(ATTEMPT);
    for (let attempt = 1; attempt <= (isOfAny ? attempts : 1); attempt++) {
      const file = name.replaceAll(ATTEMPT, String(attempt));
      for (const look of looks)
        for (const other of namesFor(file, look, isOfAny ? attempts : Infinity)) {
          const found = this.all.get(other);
          if (found !== undefined) yield [other, found];
        }
    }
  }
}

/** With each number as a 0: once with attempts as numbers, once with them as they are. */
function looksOf(name: string): [string, string] {
  return [name.replaceAll(/[\d\0]+/g, "0"), name.replaceAll(/\d+/g, "0")];
}

/** The names of such a look that are this file's for an attempt up to the last one. */
function namesFor(file: string, look: string, last: number): string[] {
  const parts = look.match(/[0\0]+/g) ?? [];
  const numbers = file.match(/\d+/g) ?? [];
  const first = parts.findIndex((part) => part.includes(ATTEMPT));
  if (first < 0) return [file];
  return attemptsIn(numbers[first]!, parts[first]!).flatMap((attempt) => {
    if (Number(attempt) > last) return [];
    let at = 0;
    const name = file.replaceAll(/\d+/g, (number) => withAttempt(number, parts[at++]!, attempt));
    return at === parts.length && looksOf(name)[1] === look ? [name] : [];
  });
}

/** The numbers of attempts that may be in a number, where that is one or begins or ends with one. */
function attemptsIn(number: string, part: string): string[] {
  if (part === ATTEMPT) return [number].filter(isAttempt);
  const cuts = Array.from(number, (_, at) =>
    part.startsWith(ATTEMPT) ? number.slice(0, at) : number.slice(at),
  );
  return cuts.filter(isAttempt);
}

function isAttempt(text: string): boolean {
  return /^[1-9]/.test(text);
}

function withAttempt(number: string, part: string, attempt: string): string {
  if (part === ATTEMPT) return number === attempt ? ATTEMPT : number;
  let rest = number;
  if (part.startsWith(ATTEMPT)) {
    if (!rest.startsWith(attempt)) return number;
    rest = rest.slice(attempt.length);
  }
  if (part.endsWith(ATTEMPT)) {
    if (!rest.endsWith(attempt)) return number;
    rest = rest.slice(0, -attempt.length);
  }
  return `${part.startsWith(ATTEMPT) ? ATTEMPT : ""}${rest}${part.endsWith(ATTEMPT) ? ATTEMPT : ""}`;
}
