import type { SparseModel } from "./solver.ts";

/** Builds a `SparseModel` column by column; rows are made first. */
export class SparseColumns {
  private readonly rowLower: number[] = [];
  private readonly rowUpper: number[] = [];
  private readonly cost: number[] = [];
  private readonly lower: number[] = [];
  private readonly upper: number[] = [];
  private readonly whole: number[] = [];
  private readonly starts: number[] = [];
  private readonly entryRows: number[] = [];
  private readonly entryValues: number[] = [];

  /** lower ≤ Σ entries ≤ upper. @returns the row's number */
  row(lower: number, upper: number): number {
    this.rowUpper.push(upper);
    return this.rowLower.push(lower) - 1;
  }

  /** lower ≤ value ≤ upper; `entry` adds to the column begun last. @returns the column's number */
  column(lower: number, upper: number, { cost = 0, whole = false } = {}): number {
    this.cost.push(cost);
    this.upper.push(upper);
    this.whole.push(whole ? 1 : 0);
    this.starts.push(this.entryRows.length);
    return this.lower.push(lower) - 1;
  }

  entry(row: number, value: number): void {
    if (value === 0) return;
    this.entryRows.push(row);
    this.entryValues.push(value);
  }

  done(): SparseModel {
    return {
      columns: this.cost.length,
      rows: this.rowLower.length,
      cost: Float64Array.from(this.cost),
      lower: Float64Array.from(this.lower),
      upper: Float64Array.from(this.upper),
      rowLower: Float64Array.from(this.rowLower),
      rowUpper: Float64Array.from(this.rowUpper),
      starts: Int32Array.from([...this.starts, this.entryRows.length]),
      entryRows: Int32Array.from(this.entryRows),
      entryValues: Float64Array.from(this.entryValues),
      ...(this.whole.includes(1) ? { whole: Int32Array.from(this.whole) } : {}),
    };
  }
}
