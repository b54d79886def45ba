import { nearest } from "../../nearest.ts";
import type { Name } from "./farm-shape.ts";
import type { FileNode } from "../../input/yaml.ts";

/** Names that are defined in one place of the file and used in others. */
export class NameTable {
  readonly list: readonly string[];
  private readonly what: string;
  private readonly numbers = new Map<string, number>();

  /**
   * @param what what such a name stands for: `pool`
   * @throws InputError if a name is defined twice
   */
  constructor(what: string, names: readonly { readonly value: string; readonly at: FileNode }[]) {
    this.what = what;
    this.list = names.map(({ value }) => value);
    names.forEach(({ value, at }, number) => {
      if (this.numbers.has(value)) at.refuse(`there is another ${what} called "${value}"`);
      this.numbers.set(value, number);
    });
  }

  /** @throws InputError if there is no such name */
  numberOf({ value, at }: Name): number {
    const number = this.numbers.get(value);
    if (number !== undefined) return number;
    const near = nearest(value, this.list).map((name) => `"${name}"`);
    return at.refuse(
      `there is no ${this.what} called "${value}"; ` +
        (near.length === 0 ? `the file lists no ${this.what}s` : `did you mean ${near.join(", ")}?`),
    );
  }
}
