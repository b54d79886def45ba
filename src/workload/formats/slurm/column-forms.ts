const JOB_ID = /^\d+([_+](\d+|\[.*\]))?(\.\w+)?$/;
/** A year first, seconds since 1970, or a word for a time that has not come. */
const TIME = /^(\d{4}-\d\d-\d\d.*|\d{9,11}|Unknown|None|N\/A|)$/i;
const DURATION = /^([\d:.-]*|UNLIMITED|Partition_Limit|INVALID|Unknown|N\/A)$/i;
const NUMBER = /^(-?\d+(\.\d+)?[KMGT]?)?$/;
const CODE = /^(\d+:\d+)?$/;
const STATE = /^([A-Z_]+\+?( by \d+)?)?$/;
const TRES = /^(.*=.*|)$/;
const GRES = /^[\w:=,.()-]*$/;
const MEMORY = /^([\d.,]+[KMGTP]?[cn]?)?$/i;
const NODES = /^([\w.,[\]-]*|None assigned)$/;

/** The columns of sacct whose values have a form that no name with a delimiter in it has, in lower case. */
const FORMS: readonly (readonly [RegExp, columns: string])[] = [
  [JOB_ID, "jobid jobidraw"],
  [TIME, "submit eligible start end"],
  [DURATION, "elapsed elapsedraw timelimit timelimitraw cputime cputimeraw systemcpu usercpu totalcpu"],
  [DURATION, "suspended planned plannedcpu plannedcpuraw reserved resvcpu resvcpuraw avecpu mincpu"],
  [
    NUMBER,
    "nnodes allocnodes ncpus alloccpus reqcpus ntasks uid gid priority restarts associd dbindex qosraw",
  ],
  [CODE, "exitcode derivedexitcode"],
  [STATE, "state"],
  [TRES, "reqtres alloctres"],
  [GRES, "reqgres allocgres"],
  [MEMORY, "reqmem maxrss averss maxvmsize avevmsize"],
  [NODES, "nodelist"],
];

const formOf = new Map(FORMS.flatMap(([form, columns]) => columns.split(" ").map((name) => [name, form])));

/** Text that anyone who submits a job writes, in lower case. */
const TEXTS = [
  ["jobname", "comment", "admincomment", "systemcomment", "extra", "constraints", "workdir", "submitline"],
  ["wckey", "reason", "failednode", "stdin", "stdout", "stderr", "container"],
].flat();

/** The form of a column's values; null if they may be any names, with delimiters in them. */
export function columnForm(name: string): RegExp | null {
  // A header of `sacct -p` ends with a delimiter, as all lines do.
  return name === "" ? /^$/ : (formOf.get(name) ?? null);
}

/** Whether users write the column's values, so that a delimiter in a line is first looked for there. */
export function isUsersText(name: string): boolean {
  return TEXTS.includes(name);
}
