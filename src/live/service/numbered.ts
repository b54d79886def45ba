/**
 * Texts that jobs have used, each read once, by the numbers that the decision engine knows them by. 0 is no text: it asks
 * for nothing, and is nobody's.
 */
export class Numbered<Value> {
  private readonly read: (text: string) => Value;
  private readonly values: Value[];
  private readonly numbers = new Map<string, number>();

  /**
   * @param none the value of 0
   * @param texts by number, from 1
   */
  constructor(read: (text: string) => Value, none: Value, texts: readonly string[]) {
    this.read = read;
    this.values = [none];
    for (const text of texts) this.add(text);
  }

  /** 0 where the text has no number yet. */
  numberOf(text: string): number {
    return this.numbers.get(text) ?? 0;
  }

  /** Gives a text the next number. Throws what reading it throws. */
  add(text: string): number {
    const number = this.values.push(this.read(text)) - 1;
    this.numbers.set(text, number);
    return number;
  }

  of(number: number): Value {
    return this.values[number] ?? this.values[0]!;
  }

  /** How many texts there are. */
  get count(): number {
    return this.values.length - 1;
  }

  /** By number, from 0. */
  get all(): readonly Value[] {
    return this.values;
  }

  /** The texts of higher numbers than this. */
  textsAfter(number: number): string[] {
    return Array.from(this.numbers.keys()).slice(number);
  }
}
