/** What a command prints of the jobs that there are now, and where what is needed of those that have ended is found. */
interface JobList {
  readonly command: string;
  /** Found in the first lines. */
  readonly pattern: RegExp;
  readonly instead: string;
}

const SACCT =
  '"sacct --allusers --duplicates --parsable2 --starttime … --format JobID,User,Account,Partition,Submit,Start,End,State,NNodes,NCPUS,ReqMem,Timelimit,NodeList"';
const LSB_ACCT = "LSF's lsb.acct, in the folder logdir of the cluster, which bhist and bacct read as well";

const jobLists: readonly JobList[] = [
  { command: "squeue", pattern: /^\s*JOBID[\s|]+PARTITION[\s|]/m, instead: SACCT },
  {
    command: "Grid Engine's qstat",
    pattern: /^\s*job-ID\s+prior\s+name\s/m,
    instead: '"qacct -j", or the file accounting in $SGE_ROOT/$SGE_CELL/common',
  },
  {
    command: "PBS's qstat",
    pattern: /^(Job id\s+Name\s|Job ID\s+Username\s|Job Id: \S)/m,
    instead: "the files of server_priv/accounting (tracejob shows what they have of one job)",
  },
  {
    command: "bjobs",
    pattern: /^(\s*JOBID\s+USER\s+STAT\s|\s*Job <\d+(\[\d+\])?>, .*Status <)/m,
    instead: LSB_ACCT,
  },
  { command: "bhist", pattern: /^Summary of time in seconds spent in various states/m, instead: LSB_ACCT },
  {
    command: "condor_q",
    pattern: /^(-- Schedd: |\s*OWNER\s+BATCH_NAME\s|\s*ID\s+OWNER\s+SUBMITTED\s)/m,
    instead: '"condor_history -json"',
  },
  {
    command: "kubectl get pods",
    pattern: /^(NAMESPACE\s+)?NAME\s+READY\s+STATUS\s/,
    instead: '"kubectl get pods --all-namespaces -o json"',
  },
];

/** Why the text cannot be read if it is a list of the present jobs, and what can be instead; null if it is none. */
export function jobListProblem(text: string): string | null {
  const list = jobLists.find(({ pattern }) => pattern.test(text));
  if (list === undefined) return null;
  return `this is a list of jobs from ${list.command}, which does not tell when each was submitted, started and ended: give ${list.instead}; see docs/workloads.md`;
}
