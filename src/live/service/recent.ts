import type { Turn } from "./turn.ts";

/**
 * The values that were used last, by name. Those of the present turn are all kept, however many: they are not in the
 * database yet, so whoever looks there does not find them.
 */
export class Recent<Name, Value> {
  private readonly most: number;
  private readonly values = new Map<Name, { readonly value: Value; readonly turn: number }>();

  constructor(most: number) {
    this.most = most;
  }

  get(name: Name): Value | undefined {
    return this.values.get(name)?.value;
  }

  set(turn: Turn, name: Name, value: Value): void {
    // Moves it to the end, so that it is forgotten last.
    this.values.delete(name);
    this.values.set(name, { value, turn: turn.number });
    for (const [oldest, { turn: usedIn }] of this.values) {
      if (this.values.size <= this.most || usedIn === turn.number) return;
      this.values.delete(oldest);
    }
  }

  forget(isForgotten: (value: Value) => boolean): void {
    for (const [name, { value }] of this.values) if (isForgotten(value)) this.values.delete(name);
  }
}
