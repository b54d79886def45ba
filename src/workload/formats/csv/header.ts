import { InputError } from "../../errors.ts";
import { isDateOrder } from "../../input/short-dates.ts";
import type { DateOrder } from "../../input/short-dates.ts";
import { nearest } from "../../nearest.ts";
import { FIELDS, recognise, unitFactor, WALL_TIME } from "./fields.ts";
import type { CsvField, Recognised } from "./fields.ts";

/** The position of a field, and the unit of its plain numbers. */
export interface CsvColumn {
  readonly place: number;
  /** The name in the file. */
  readonly name: string;
  /** From the column's name or the user; empty if neither says. */
  readonly unit: string;
}

/** The user's mapping of fields to columns: `memory: "mem_gb:GiB"`. */
type ColumnMapping = Readonly<Record<string, string>>;

const MAX_SHOWN = 400;

/** Which column of a file has which field: as the user says, otherwise by its name. */
export class CsvHeader {
  /** The names in the file. */
  readonly names: readonly string[];
  private readonly columns = new Map<CsvField, CsvColumn>();
  private readonly file: string;
  private readonly line: number;

  /** @throws InputError if the mapping names an unknown field or column, or two columns have one name */
  constructor(names: readonly string[], mapping: ColumnMapping, file: string, line: number) {
    this.names = names.map((name) => name.trim());
    this.file = file;
    this.line = line;
    const small = this.names.map((name) => name.toLowerCase());
    const twice = small.find((name, at) => name !== "" && small.indexOf(name) !== at);
    if (twice !== undefined) this.refuse(`two columns are named "${twice}"`);
    for (const [field, value] of Object.entries(mapping)) this.map(field, value, small);
    this.recogniseOthers();
  }

  column(field: CsvField): CsvColumn | undefined {
    return this.columns.get(field);
  }

  has(field: CsvField): boolean {
    return this.columns.has(field);
  }

  /** @throws InputError if a job's times or cores cannot be known */
  require(): void {
    const { columns } = this;
    const hasRun = columns.has("runtime") || (columns.has("start") && columns.has("end"));
    const hasSubmit = columns.has("submit") || (columns.has("start") && columns.has("wait"));
    if (!hasSubmit) this.ask("submit", "when a job was submitted");
    if (!hasRun) this.ask("runtime", "how long a job ran, or for its start and its end");
    if (!columns.has("cores")) this.ask("cores", "the cores of a job");
  }

  /**
   * Whether the day or the month comes first in dates with slashes: said for one column, it holds for all. Null: not
   * said.
   *
   * @throws InputError if it is said both ways
   */
  dateOrder(): DateOrder | null {
    const told = [...this.columns.values()].map(({ unit }) => unit).filter(isDateOrder);
    if (told.some((order) => order !== told[0])) this.refuse("--columns: dates are D/M/Y or M/D/Y, not both");
    return told[0] ?? null;
  }

  /** The column of nodes has their names, not their number. */
  nodesAreNamed(): void {
    const column = this.columns.get("nodes")!;
    this.columns.delete("nodes");
    if (!this.columns.has("node_list")) this.columns.set("node_list", column);
  }

  /** How columns were understood that do not have the names of the documentation; empty if there are none. */
  understood(): string {
    const words = Object.keys(FIELDS).map((field) => {
      const column = this.columns.get(field as CsvField);
      if (column === undefined || (column.name.toLowerCase() === field && column.unit === "")) return "";
      return `${field} from "${column.name}"${column.unit === "" ? "" : ` in ${column.unit}`}`;
    });
    return words.filter((each) => each !== "").join(", ");
  }

  /** The columns that are not used. */
  ignored(): string[] {
    const used = new Set([...this.columns.values()].map(({ place }) => place));
    return this.names.filter((name, place) => name !== "" && !used.has(place));
  }

  private map(field: string, value: string, small: readonly string[]): void {
    if (!Object.hasOwn(FIELDS, field)) {
      const near = nearest(field, Object.keys(FIELDS)).join(", ");
      throw new InputError(
        `--columns: there is nothing called "${field}" to have a column; did you mean ${near}?`,
      );
    }
    const colon = value.lastIndexOf(":");
    const unit = colon === -1 ? "" : value.slice(colon + 1).trim();
    if (FIELDS[field as CsvField].kind === "memory" && /^[KMGT][iI]?b$/.test(unit))
      throw new InputError(
        `--columns ${field}: "${unit}" means bits: memory is counted in bytes, write ${unit.slice(0, -1)}B`,
      );
    const isUnit =
      (unit !== "" && unitFactor(field as CsvField, unit) !== undefined) ||
      (FIELDS[field as CsvField].kind === "time" && isDateOrder(unit));
    const name = (isUnit ? value.slice(0, colon) : value).trim();
    const place = small.indexOf(name.toLowerCase());
    if (place === -1) {
      const problem = `there is no column "${name}" for ${field}; there are ${this.shown()}`;
      this.refuse(
        colon !== -1 && !isUnit ? `${problem}; "${unit}" is not a unit of ${field} either` : problem,
      );
    }
    this.columns.set(field as CsvField, { place, name: this.names[place]!, unit: isUnit ? unit : "" });
  }

  /** Of several columns for one field, the one that is most likely meant. */
  private recogniseOthers(): void {
    const mapped = new Set([...this.columns.values()].map(({ place }) => place));
    const found = this.names
      .map((name, place) => ({ name, place, recognised: mapped.has(place) ? null : recognise(name) }))
      .filter((each): each is typeof each & { recognised: Recognised } => each.recognised !== null)
      .sort((a, b) => a.recognised.rank - b.recognised.rank || a.place - b.place);
    for (const { name, place, recognised } of found) {
      const { field, unit } = recognised;
      if (field !== WALL_TIME && !this.columns.has(field)) this.columns.set(field, { place, name, unit });
    }
    // The elapsed time, if nothing else tells the run time; otherwise the requested time.
    const wall = found.find(({ recognised }) => recognised.field === WALL_TIME);
    if (wall === undefined) return;
    const isRun = !this.has("runtime") && !(this.has("start") && this.has("end"));
    const field = isRun ? "runtime" : "estimate";
    if (this.has(field)) return;
    this.columns.set(field, { place: wall.place, name: wall.name, unit: wall.recognised.unit });
  }

  private ask(field: CsvField, what: string): never {
    const known = FIELDS[field].known.slice(0, 4).join(", ");
    return this.refuse(
      `there is no column "${field}" for ${what}, nor one called ${known} or the like; there are ${this.shown()}: ` +
        `say which is it with --columns ${field}=NAME`,
    );
  }

  private shown(): string {
    return this.names.join(", ").slice(0, MAX_SHOWN);
  }

  private refuse(problem: string): never {
    throw new InputError(problem, { file: this.file, line: this.line });
  }
}
