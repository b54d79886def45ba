import { InputError } from "../errors.ts";

/** Well below what one `Map` holds (2^24 keys). */
const MAX_NAMES = 10_000_000;
/** Numbers below this are looked up in an array, which is quicker than a `Map`. */
const DENSE_NUMBERS = 1 << 16;
const UNSEEN = -1;

/** Gives every distinct name of a column a code, in order of appearance. */
export class Names {
  readonly list: string[] = [];
  readonly #codes = new Map<string | number, number>();
  #denseCodes: Int32Array | null = null;

  codeOf(name: string): number {
    return this.#codes.get(name) ?? this.#add(name, name);
  }

  /** @param nameOf what number `id` is called; asked once for each. */
  codeOfNumber(id: number, nameOf: (id: number) => string = String): number {
    const dense = id >= 0 && id < DENSE_NUMBERS && Number.isInteger(id);
    if (!dense) return this.#codes.get(id) ?? this.#add(id, nameOf(id));
    this.#denseCodes ??= new Int32Array(DENSE_NUMBERS).fill(UNSEEN);
    const code = this.#denseCodes[id]!;
    if (code !== UNSEEN) return code;
    return (this.#denseCodes[id] = this.#add(id, nameOf(id)));
  }

  #add(key: string | number, name: string): number {
    if (this.list.length >= MAX_NAMES) {
      throw new InputError(`more than ${MAX_NAMES} distinct users, projects, queues or policies`);
    }
    const code = this.list.push(name) - 1;
    this.#codes.set(key, code);
    return code;
  }
}
