/** The line before what an attempt adds to a file that is there already. */
export function headingOf(job: number, attempt: number, unixSeconds: number): string {
  return `==== croft: job ${job}, attempt ${attempt}, ${new Date(unixSeconds * 1000).toISOString()} ====`;
}

const HEADING = /^==== croft: job (\d+), attempt (\d+), (\d{4}-\d\d-\d\dT[\d:.]+Z) ====$/;

export interface Heading {
  readonly job: number;
  readonly attempt: number;
  readonly unixSeconds: number;
}

/** Whose what follows is, and since when; null: the line is no heading. */
export function readHeading(line: string): Heading | null {
  const [, job, attempt, at] = HEADING.exec(line) ?? [];
  return job === undefined
    ? null
    : { job: Number(job), attempt: Number(attempt), unixSeconds: Date.parse(at!) / 1000 };
}
