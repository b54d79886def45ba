/** The line before what an attempt adds to a file that is there already. */
export function headingOf(job: number, attempt: number, unixSeconds: number): string {
  return `==== croft: job ${job}, attempt ${attempt}, ${new Date(unixSeconds * 1000).toISOString()} ====`;
}

const HEADING = /^==== croft: job (\d+), attempt (\d+), \d{4}-\d\d-\d\dT[\d:.]+Z ====$/;

/** Whose what follows is; null: the line is no heading. */
export function readHeading(line: string): { readonly job: number; readonly attempt: number } | null {
  const [, job, attempt] = HEADING.exec(line) ?? [];
  return job === undefined ? null : { job: Number(job), attempt: Number(attempt) };
}
