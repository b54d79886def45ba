import type { Names } from "../names.ts";

/** Checks each distinct text of a column when it first appears. */
export class TextCheck {
  private readonly names: Names;
  private readonly check: (text: string) => unknown;
  /** Texts with lower codes have been checked. The empty one, which is the first, needs no check. */
  private next = 1;

  /** @param check throws an Error that says what is wrong with a text */
  constructor(names: Names, check: (text: string) => unknown) {
    this.names = names;
    this.check = check;
  }

  /** What is wrong with the text of a code, if that is new; null: nothing. */
  problem(code: number): string | null {
    if (code < this.next) return null;
    const { list } = this.names;
    try {
      for (; this.next < list.length; this.next++) this.check(list[this.next]!);
    } catch (error) {
      return (error as Error).message;
    }
    return null;
  }
}
