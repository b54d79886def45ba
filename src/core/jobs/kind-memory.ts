import { lengthened } from "../arrays.ts";
import { NONE } from "../none.ts";
import type { RequestKinds } from "./request-kinds.ts";

/**
 * A number, 0 or more, remembered for each kind of request. It is forgotten when the kind's number goes to another
 * request, or by `clear`.
 */
export class KindMemory {
  private readonly kinds: RequestKinds;
  private value = new Float64Array(0);
  /** The kind's version, and the memory's age, when the value was noted. */
  private version = new Int32Array(0);
  private notedIn = new Float64Array(0);
  private age = 1;

  constructor(kinds: RequestKinds) {
    this.kinds = kinds;
  }

  /** `NONE` if nothing is remembered. */
  of(kind: number): number {
    const isKnown =
      kind < this.value.length &&
      this.notedIn[kind] === this.age &&
      this.version[kind] === this.kinds.version[kind];
    return isKnown ? this.value[kind] : NONE;
  }

  note(kind: number, value: number): void {
    if (kind >= this.value.length) {
      const length = Math.max(64, kind + 1, this.value.length * 2);
      this.value = lengthened(this.value, length);
      this.version = lengthened(this.version, length);
      this.notedIn = lengthened(this.notedIn, length);
    }
    this.value[kind] = value;
    this.version[kind] = this.kinds.version[kind];
    this.notedIn[kind] = this.age;
  }

  /** Forgets everything. */
  clear(): void {
    this.age++;
  }
}
