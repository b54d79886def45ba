/** What people who know other queues type out of habit, and what they type here: docs/live/from-other-queues.md. */

/** By command of theirs: commands of croft. */
export const commandWords: Readonly<Record<string, readonly string[]>> = {
  ...words(["sbatch", "qsub", "add"], ["submit"]),
  ...words(["srun", "qrsh"], ["submit --follow"]),
  ...words(["squeue", "qstat", "qselect", "status", "queue", "list", "ls", "ps"], ["jobs"]),
  ...words(["scancel", "qdel", "kill", "remove", "delete", "rm"], ["cancel"]),
  ...words(["sacct", "seff", "qacct", "info", "show", "tracejob"], ["job", "usage", "events"]),
  ...words(["scontrol", "qmod", "qsig"], ["job", "change", "hold", "release", "suspend", "resume", "drain"]),
  ...words(["log", "output", "cat", "qpeek"], ["logs"]),
  ...words(["follow", "tail"], ["logs --follow"]),
  ...words(["stash", "qhold"], ["hold"]),
  ...words(["enqueue", "qrls"], ["release"]),
  ...words(["start", "continue"], ["resume", "unpause"]),
  ...words(["stop"], ["suspend", "pause"]),
  ...words(["restart", "requeue", "retry", "qrerun"], ["rerun"]),
  ...words(["edit", "qalter", "qmove", "update"], ["change"]),
  ...words(["sinfo", "group", "groups", "partitions", "queues", "parallel"], ["pools"]),
  ...words(["pbsnodes", "qhost", "nodes", "workers"], ["machines"]),
  ...words(["sshare", "pbsfs"], ["shares"]),
  ...words(["sreport", "stats"], ["usage"]),
  ...words(["sprio", "why"], ["explain"]),
  ...words(["pbs_rsub", "qrsub"], ["reserve"]),
  ...words(["pbs_rdel", "qrdel"], ["unreserve"]),
  ...words(["qmgr", "qconf", "sacctmgr", "reconfigure"], ["reload"]),
  ...words(["daemon", "server"], ["serve"]),
};

/** By command of theirs that has no counterpart: what to do. */
export const withoutCounterpart: Readonly<Record<string, string>> = {
  ...words(["worker"], "croft serve runs on the machine itself; croft machines lists those of a farm"),
  ...words(["salloc", "qlogin"], "jobs have no terminal; croft submit --follow shows what one prints"),
  ...words(
    ["sattach", "send"],
    "nothing is typed into a job that runs; croft submit --input FILE gives it a file",
  ),
  ...words(
    ["clean", "forget"],
    "jobs that are over go into the history with their month; croft jobs --state waiting,running leaves them out",
  ),
  switch: "croft change 12 --priority 60 has a job go before others",
};

/** Options by which jobs are chosen. */
const choice: Readonly<Record<string, string>> = {
  ...words(["-u", "--users", "--me", "--mine"], "--user NAME"),
  ...words(["-t", "-s", "--states", "--status", "--filter"], "--state"),
  ...words(["-n", "-N", "-J", "--job-name", "--jobname"], "--name"),
  ...words(["-A", "-P", "--account", "--accounts"], "--project"),
};

/** By command of ours: options of theirs. */
export const optionWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  submit: {
    ...words(["-c", "-n", "--cpus-per-task", "--cpus", "--ntasks", "-pe"], "--cores"),
    ...words(["--mem", "--mem-per-cpu"], "--memory, of the whole job"),
    ...words(["-t", "--time-limit", "--walltime"], "--time"),
    ...words(["-J", "--job-name", "--label"], "--name"),
    "-N": "--name; a job is on one machine, and has no number of nodes",
    ...words(["--nodes"], "a job is on one machine; --cores says how much of it"),
    ...words(["-w", "--nodelist"], "--requires"),
    ...words(["--exclusive"], "--cores, as many as a machine has"),
    ...words(["--parsable", "--print-task-id"], "croft submit prints the number alone"),
    ...words(["-p", "-q", "-g", "--partition", "--queue"], "--pool"),
    ...words(["-d", "--dependency", "-hold_jid"], "--after 12, 12:any or 12:failed"),
    ...words(["-a"], "--array, or --begin"),
    "-l": "--cores, --memory, --time, --gpus, --licences, or --requires",
    ...words(["--resource"], "--gpus, or --requires"),
    ...words(["-I", "--pty"], "jobs have no terminal; --follow shows what one prints"),
    "-dl": "--deadline",
    "-hold_jid_ad": "--after-each",
    "-tc": "--array 1-10%2",
    ...words(["-o", "--stdout"], "--output"),
    ...words(["-e", "--stderr"], "--error"),
    ...words(["-i", "--stdin"], "--input"),
    ...words(["-D", "-wd", "--chdir", "--workdir", "--working-directory"], "--cwd"),
    ...words(["-v", "-V", "--export"], "--env; your environment goes with the job"),
    ...words(["-A", "-P", "--account"], "--project"),
    ...words(["-L", "--licenses"], "--licences"),
    ...words(["-G", "--gres", "--gpus-per-node", "--gpus-per-task"], "--gpus"),
    ...words(["-C", "--constraint"], "--requires"),
    ...words(["--nice", "--qos"], "--priority"),
    ...words(["-m", "-M", "--mail-type", "--mail-user", "-notify"], "--notify"),
    ...words(["-r", "--requeue", "--crash-limit"], "--retries"),
    ...words(["-H", "--stashed"], "--hold"),
    "-h": "--hold; croft help submit tells all options",
    ...words(["--delay"], "--begin"),
    ...words(["-W", "-sync", "--block"], "--wait"),
    ...words(["--progress"], "--follow"),
    ...words(["--each-line"], "--file"),
    ...words(["--wrap"], "-- sh -c 'a | b'"),
  },
  jobs: {
    ...choice,
    ...words(["-j", "--jobs", "--job"], "croft job 12"),
    ...words(["-p", "-q", "-g", "--partition", "--queue", "--group"], "--pool"),
    ...words(["-o", "--format"], "--json"),
    ...words(["-S"], "--sort"),
    ...words(["-i", "--iterate"], "--watch"),
    ...words(["--start"], "croft when 12"),
  },
  logs: {
    ...words(["-f"], "--follow"),
    ...words(["-n", "-l", "--lines", "--tail"], "croft logs 12 | tail"),
    ...words(["-e", "--error"], "--stderr"),
  },
  pause: words(
    ["--group", "-g", "--all", "-a"],
    "croft pause, with the names of pools or none; a job is stopped by croft suspend 12",
  ),
  change: words(["--time-limit", "--timelimit"], "--time"),
  ...Object.fromEntries(
    ["cancel", "hold", "release", "suspend", "resume", "rerun", "wait"].map((name) => [name, choice]),
  ),
};

function words<Ours>(theirs: readonly string[], ours: Ours): Record<string, Ours> {
  return Object.fromEntries(theirs.map((word) => [word, ours]));
}

/** @returns what is typed here in place of a command of another queue; null: nothing is known */
function commandFor(word: string): string | null {
  if (Object.hasOwn(withoutCounterpart, word)) return withoutCounterpart[word]!;
  const ours = Object.hasOwn(commandWords, word) ? commandWords[word] : undefined;
  return ours === undefined ? null : ours.map((each) => `croft ${each}`).join(", ");
}

/** @returns what is typed here in place of an option of another queue; null: nothing is known */
function optionFor(command: string, option: string): string | null {
  const ofCommand = Object.hasOwn(optionWords, command) ? optionWords[command]! : {};
  const [name] = option.split("=");
  return Object.hasOwn(ofCommand, name!) ? ofCommand[name!]! : null;
}

/** A message about wrong usage, where it is about a word of another queue: with what is typed here. */
export function withCounterpart(command: string, text: string): string {
  const [, option] = /^error: unknown option '(.+?)'/.exec(text) ?? [];
  const [, word] = /^error: (?:unknown command|croft has no command) '(.+?)'/.exec(text) ?? [];
  const ours =
    option !== undefined ? optionFor(command, option) : word !== undefined ? commandFor(word) : null;
  if (ours === null) return text;
  // What is spelled like it is not meant.
  const [line] = text.split("\n");
  return `${line!.replace(/; it has .*/, "")}\n(Here: ${ours}. Other queues: docs/live/from-other-queues.md)\n`;
}
