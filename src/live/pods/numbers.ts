/** Numbers for values, from 1, as they come. */
export class Numbers<Value> {
  private readonly most: number;
  private readonly numbers = new Map<string, number>();
  private readonly values: Value[] = [];

  /** @param most of them: values that come later have none */
  constructor(most: number) {
    this.most = most;
  }

  /** 0: there are too many. */
  numberOf(value: Value): number {
    const key = JSON.stringify(value);
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    if (this.values.length === this.most) return 0;
    this.values.push(value);
    this.numbers.set(key, this.values.length);
    return this.values.length;
  }

  of(number: number): Value | undefined {
    return this.values[number - 1];
  }

  get count(): number {
    return this.values.length;
  }

  clear(): void {
    this.numbers.clear();
    this.values.length = 0;
  }
}
