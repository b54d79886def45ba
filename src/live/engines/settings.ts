import { InputError } from "../../workload/errors.ts";

/**
 * The settings of an engine as the farm file gives them. Each is read by its name; `done` then refuses the settings
 * that were not read.
 *
 * All methods throw an {@link InputError} that names the setting.
 */
export class Settings {
  private readonly engine: string;
  private readonly values: Readonly<Record<string, unknown>>;
  private readonly known: string[] = [];

  constructor(engine: string, values: Readonly<Record<string, unknown>>) {
    this.engine = engine;
    this.values = values;
  }

  number(
    name: string,
    range: { readonly from: number; readonly to: number; readonly otherwise: number },
  ): number {
    const value = this.value(name) ?? range.otherwise;
    if (typeof value !== "number" || !(value >= range.from && value <= range.to))
      throw this.wrong(name, `give a number from ${range.from} to ${range.to}`);
    return value;
  }

  flag(name: string, otherwise: boolean): boolean {
    const value = this.value(name) ?? otherwise;
    if (typeof value !== "boolean") throw this.wrong(name, "give true or false");
    return value;
  }

  /** Null where it is not given. */
  text(name: string): string | null {
    const value = this.value(name) ?? null;
    if (value !== null && (typeof value !== "string" || value === "")) throw this.wrong(name, "give a text");
    return value;
  }

  /** Null where it is not given. */
  texts(name: string): string[] | null {
    const value = this.value(name) ?? null;
    if (value === null) return null;
    if (!Array.isArray(value) || !value.every((each) => typeof each === "string" && each !== ""))
      throw this.wrong(name, "give a list of texts");
    return value as string[];
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[], otherwise: Choice): Choice {
    const value = this.value(name) ?? otherwise;
    const choice = choices.find((each) => each === value);
    if (choice === undefined) throw this.wrong(name, `give one of ${choices.join(", ")}`);
    return choice;
  }

  /** The settings within a setting; none where it is not given. */
  group(name: string): Settings | null {
    const value = this.value(name);
    if (value === undefined) return null;
    if (!isRecord(value)) throw this.wrong(name, "give settings");
    return new Settings(`${this.engine}: ${name}`, value);
  }

  groups(name: string): Settings[] {
    const value = this.value(name) ?? [];
    if (!Array.isArray(value)) throw this.wrong(name, "give a list");
    return value.map((each: unknown, at) => {
      if (!isRecord(each)) throw this.wrong(name, "give a list of settings");
      return new Settings(`${this.engine}: ${name} ${at + 1}`, each);
    });
  }

  /** Names and values, where any name may be given. */
  entries(): [string, unknown][] {
    return Object.entries(this.values);
  }

  done(): void {
    for (const name of Object.keys(this.values))
      if (!this.known.includes(name))
        throw this.wrong(name, `there is no such setting; there are ${this.known.join(", ")}`);
  }

  wrong(name: string, what: string): InputError {
    return new InputError(`engine ${this.engine}: ${name}: ${what}`);
  }

  private value(name: string): unknown {
    this.known.push(name);
    return this.values[name];
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
