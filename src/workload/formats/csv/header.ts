import { InputError } from "../../errors.ts";
import { nearest } from "../../nearest.ts";
import { FIELDS, recognise, unitFactor, WALL_TIME } from "./fields.ts";
import type { CsvField, Recognised } from "./fields.ts";

/** Where a field stands, and in what unit its plain numbers are. */
export interface CsvColumn {
  readonly place: number;
  /** As the file has it. */
  readonly name: string;
  /** As the column's name or the user says; empty: neither. */
  readonly unit: string;
}

/** Fields by the columns that they are in, as the user says: `memory: "mem_gb:GiB"`. */
export type ColumnMapping = Readonly<Record<string, string>>;

const MOST_SHOWN = 400;

/** Which column of a file is what: as the user says, else as its name does. */
export class CsvHeader {
  /** As the file has them. */
  readonly names: readonly string[];
  private readonly columns = new Map<CsvField, CsvColumn>();
  private readonly file: string;
  private readonly line: number;

  /** @throws InputError where the mapping names what there is not, or two columns have one name */
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

  /** @throws InputError where a job's times or cores could not be told */
  require(): void {
    const { columns } = this;
    const hasRun = columns.has("runtime") || (columns.has("start") && columns.has("end"));
    const hasSubmit = columns.has("submit") || (columns.has("start") && columns.has("wait"));
    if (!hasSubmit) this.ask("submit", "when a job was submitted");
    if (!hasRun) this.ask("runtime", "how long a job ran, or for its start and its end");
    if (!columns.has("cores")) this.ask("cores", "the cores of a job");
  }

  /** The column of nodes has their names: it is no number of them. */
  nodesAreNamed(): void {
    const column = this.columns.get("nodes")!;
    this.columns.delete("nodes");
    if (!this.columns.has("node_list")) this.columns.set("node_list", column);
  }

  /** What is understood of columns that do not have the documentation's names, in words; empty: of none. */
  understood(): string {
    const words = Object.keys(FIELDS).map((field) => {
      const column = this.columns.get(field as CsvField);
      if (column === undefined || (column.name.toLowerCase() === field && column.unit === "")) return "";
      return `${field} from "${column.name}"${column.unit === "" ? "" : ` in ${column.unit}`}`;
    });
    return words.filter((each) => each !== "").join(", ");
  }

  /** Columns that say nothing here. */
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
        `--columns ${field}: "${unit}" are bits: memory is counted in bytes, write ${unit.slice(0, -1)}B`,
      );
    const isUnit = unit !== "" && unitFactor(field as CsvField, unit) !== undefined;
    const name = (isUnit ? value.slice(0, colon) : value).trim();
    const place = small.indexOf(name.toLowerCase());
    if (place === -1) {
      const problem = `there is no column "${name}" for ${field}; there are ${this.shown()}`;
      this.refuse(colon !== -1 && !isUnit ? `${problem}; "${unit}" is no unit of ${field} either` : problem);
    }
    this.columns.set(field as CsvField, { place, name: this.names[place]!, unit: isUnit ? unit : "" });
  }

  /** Of several columns for one field the one that is most likely meant. */
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
    // The time that was used, where nothing else tells it; else the time that was asked for.
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
    return this.names.join(", ").slice(0, MOST_SHOWN);
  }

  private refuse(problem: string): never {
    throw new InputError(problem, { file: this.file, line: this.line });
  }
}
