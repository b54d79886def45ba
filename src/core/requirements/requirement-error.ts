/** A requirement that cannot be read. The caller adds the file and the line. */
export class RequirementError extends Error {
  override readonly name = "RequirementError";
  /** The column in the text, from 1. */
  readonly column: number;

  /** @param problem what is wrong and what to do about it, without the column. */
  constructor(problem: string, column: number) {
    super(`column ${column}: ${problem}`);
    this.column = column;
  }
}
