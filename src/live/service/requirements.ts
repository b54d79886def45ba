import { parseRequirement, type Requirement } from "../../core/index.ts";

/** Expressions that jobs have used, by the numbers that the decision engine knows them by. 0 asks for nothing. */
export class Requirements {
  readonly #byNumber: (Requirement | null)[] = [null];
  readonly #numbers = new Map<string, number>();

  /** @param texts by number, from 1 */
  constructor(texts: readonly string[]) {
    for (const text of texts) this.add(text);
  }

  of(number: number): Requirement | null {
    return this.#byNumber[number] ?? null;
  }

  /** 0 where the text has no number yet. */
  numberOf(text: string): number {
    return this.#numbers.get(text) ?? 0;
  }

  /** @throws RequirementError where it cannot be read */
  add(text: string): number {
    const number = this.#byNumber.push(parseRequirement(text)) - 1;
    this.#numbers.set(text, number);
    return number;
  }

  get all(): readonly (Requirement | null)[] {
    return this.#byNumber;
  }
}
