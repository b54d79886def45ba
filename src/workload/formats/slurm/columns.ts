import { InputError } from "../../errors.ts";

/** A column of sacct that is read, with the names that it has had, in lower case. */
const COLUMNS = {
  jobId: ["jobid", "jobidraw"],
  cluster: ["cluster"],
  partition: ["partition"],
  account: ["account"],
  group: ["group", "gid"],
  user: ["user", "uid"],
  submit: ["submit"],
  eligible: ["eligible"],
  start: ["start"],
  end: ["end"],
  elapsed: ["elapsedraw", "elapsed"],
  state: ["state"],
  nodes: ["nnodes", "allocnodes"],
  cpus: ["ncpus", "alloccpus"],
  requestedCpus: ["reqcpus"],
  tasks: ["ntasks"],
  requestedMemory: ["reqmem"],
  requestedTres: ["reqtres"],
  allocatedTres: ["alloctres"],
  requestedGres: ["allocgres", "reqgres"],
  limit: ["timelimit"],
  limitMinutes: ["timelimitraw"],
  nodeList: ["nodelist"],
} as const;

export type SacctColumn = keyof typeof COLUMNS;

/** The sacct columns of Open XDMoD's guide, now and before version 9. */
const XDMOD_ORDERS = [
  "jobid jobidraw cluster partition qos account group gid user uid submit eligible start end elapsed " +
    "exitcode state nnodes ncpus reqcpus reqmem reqtres alloctres timelimit nodelist jobname",
  "jobid jobidraw cluster partition account group gid user uid submit eligible start end elapsed " +
    "exitcode state nnodes ncpus reqcpus reqmem reqgres reqtres timelimit nodelist jobname",
].map((order) => order.split(" "));

/** The positions of the columns. */
export class SacctHeader {
  /** In lower case, in the file's order. */
  readonly names: readonly string[];
  /** By column: its position in the file, or -1. */
  readonly places: Readonly<Record<SacctColumn, number>>;

  constructor(names: readonly string[]) {
    this.names = names.map((name) => name.trim().toLowerCase());
    const places = Object.entries(COLUMNS).map(([column, known]): [string, number] => [
      column,
      known.map((name) => this.names.indexOf(name)).find((place) => place !== -1) ?? -1,
    ]);
    this.places = Object.fromEntries(places) as Record<SacctColumn, number>;
  }

  /** @throws InputError if a job's times or CPUs cannot be known from these columns */
  require(file: string, line: number): void {
    const { submit, start, end, elapsed, cpus, requestedCpus, allocatedTres } = this.places;
    const missing = [
      ...(submit === -1 ? ["Submit"] : []),
      ...(start === -1 ? ["Start"] : []),
      ...(end === -1 && elapsed === -1 ? ["End"] : []),
      ...(cpus === -1 && requestedCpus === -1 && allocatedTres === -1 ? ["NCPUS"] : []),
    ];
    if (missing.length === 0) return;
    throw new InputError(
      `sacct was not asked for ${missing.join(", ")}: add ${missing.length === 1 ? "it" : "them"} to its --format; there are ${this.names.join(", ")}`,
      { file, line },
    );
  }
}

/** Parses a header; null if the line is not one, which names the job's number and another column that is read. */
export function headerOf(fields: readonly string[]): SacctHeader | null {
  const header = new SacctHeader(fields);
  const { jobId } = header.places;
  const known = Object.values(header.places).filter((place) => place !== -1);
  const isWords = header.names.every((name) => /^[a-z_]*$/.test(name));
  return jobId !== -1 && known.length >= 2 && isWords ? header : null;
}

/** The order of Open XDMoD's guide that the fields of a job have; null if they have neither. */
export function orderOf(fields: readonly string[]): SacctHeader | null {
  for (const names of XDMOD_ORDERS) {
    const header = new SacctHeader(names);
    const { submit, start, end, state } = header.places;
    const times = [submit, start, end].map((place) => fields[place] ?? "");
    if (
      fields.length >= names.length &&
      /^\d/.test(fields[0]!) &&
      times.every((time) => /^(\d{4}-\d\d-\d\dT|\d{9,11}$|Unknown$|None$)/.test(time)) &&
      /^[A-Z]/.test(fields[state]!)
    ) {
      return header;
    }
  }
  return null;
}
