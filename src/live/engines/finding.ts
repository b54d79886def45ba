/** What a look at something of the machine, the farm or an engine has found. */
export interface Finding {
  /** What was looked at. */
  readonly what: string;
  readonly found: string;
  /** What to change, with the command to type; null: it is fine. */
  readonly change: string | null;
}
