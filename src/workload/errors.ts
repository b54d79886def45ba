/**
 * Input that cannot be used: a file, a line of it, an option.
 *
 * The command line prints the message alone and exits with 2; any other error is a failure of the program or the
 * machine, and exits with 1.
 */
export class InputError extends Error {
  override readonly name = "InputError";
  readonly file: string | undefined;
  readonly line: number | undefined;

  /** @param message what is wrong and what to do about it, without the place, which is in `where` */
  constructor(
    message: string,
    where: { readonly file?: string; readonly line?: number; readonly column?: number } = {},
  ) {
    const parts = [where.file, where.line, where.column].filter((part) => part !== undefined);
    const place = where.file === undefined ? "" : `${parts.join(":")}: `;
    super(place + message);
    this.file = where.file;
    this.line = where.line;
  }
}
