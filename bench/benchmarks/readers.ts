import { closeSync, existsSync, openSync, renameSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";

import { readWorkload } from "../../src/workload/index.ts";
import type { Benchmark, Options } from "../benchmark.ts";
import { atLeast, median, peakMiB, speedOf, timed, type Took } from "../measure.ts";

const TARGET = 100;
const ROUNDS = 5;

/** A made-up log: its first lines, and the text of each job. */
interface MadeLog {
  readonly format: string;
  readonly head: string;
  /** @param random a whole number below its argument */
  readonly job: (number: number, random: (limit: number) => number) => string;
}

const START = Date.UTC(2026, 0, 1) / 1000;

const logs: readonly MadeLog[] = [
  {
    format: "slurm",
    head: "",
    job(number, random) {
      const [nodes, wait, run] = [1 + (random(20) === 0 ? random(8) : 0), random(5000), random(100_000)];
      const submit = START + number * 3;
      const [cpus, user] = [nodes * (1 + random(32)), random(900)];
      const times = [submit, submit, submit + wait, submit + wait + run].map(isoTime).join("|");
      const first = 1 + random(400);
      const list = nodes === 1 ? `node${first}` : `node[${first}-${first + nodes - 1}]`;
      const tres = `cpu=${cpus},mem=${cpus * 4000}M,node=${nodes}`;
      return (
        `${number}|${number}|cluster|p${random(6)}|normal|acc${user % 80}|grp${user % 80}|${user % 80}|user${user}|${user}|` +
        `${times}|${clock(run)}|0:0|COMPLETED|${nodes}|${cpus}|${cpus}|4000Mc|${tres}|billing=${cpus},${tres}|2-00:00:00|${list}|run_${number}.sh\n`
      );
    },
  },
  {
    format: "pbs",
    head: "",
    job(number, random) {
      const [wait, run, cpus, user] = [random(5000), random(100_000), 1 + random(32), random(900)];
      const [submit, host] = [START + number * 3, `node${1 + random(400)}`];
      const [start, end] = [submit + wait, submit + wait + run];
      const date = (seconds: number): string => {
        const iso = isoTime(seconds);
        return `${iso.slice(5, 7)}/${iso.slice(8, 10)}/${iso.slice(0, 4)} ${iso.slice(11)}`;
      };
      const id = `${number}.pbs01.example.org`;
      const who = `user=user${user} group=grp${user % 80} account="acc${user % 80}" project=_pbs_project_default jobname=run_${number} queue=p${random(6)} ctime=${submit} qtime=${submit} etime=${submit} start=${start}`;
      const where = `exec_host=${host}/${random(9)}*${cpus} exec_vnode=(${host}:ncpus=${cpus}:mem=${cpus * 4_194_304}kb)`;
      const what = `Resource_List.mem=${cpus * 4}gb Resource_List.ncpus=${cpus} Resource_List.nodect=1 Resource_List.place=pack Resource_List.select=1:ncpus=${cpus}:mem=${cpus * 4}gb Resource_List.walltime=48:00:00`;
      const used = `resources_used.cpupercent=95 resources_used.cput=${clock(run)} resources_used.mem=${random(1_000_000)}kb resources_used.ncpus=${cpus} resources_used.vmem=${random(1_000_000)}kb resources_used.walltime=${clock(run)} run_count=1`;
      return (
        `${date(submit)};Q;${id};queue=workq\n` +
        `${date(start)};S;${id};${who} ${where} ${what}\n` +
        `${date(end)};E;${id};${who} ${where} ${what} session=${random(30_000)} end=${end} Exit_status=0 ${used}\n`
      );
    },
  },
  {
    format: "grid-engine",
    head: "# Version: 8.1.9\n#\n",
    job(number, random) {
      const [wait, run, slots, user] = [random(5000), random(100_000), 1 + random(32), random(900)];
      const submit = START + number * 3;
      const rusage = `${run}:${run}.${random(900_000)}:${random(100)}.5:${random(1e6)}.000000:0:0:0:0:${random(1e6)}:${random(99)}:0:${random(1e6)}.000000:${random(1e5)}:0:0:0:${random(1e5)}:${random(1e5)}`;
      return (
        `all.q:node${1 + random(400)}.cluster:grp${user % 80}:user${user}:run_${number}.sh:${number}:sge:0:${submit}:${submit + wait}:${submit + wait + run}:0:0:${rusage}:` +
        `proj${user % 80}:defaultdepartment:smp:${slots}:0:${run * slots}.123456:${random(1e6)}.654321:${random(1000)}.000123:-U staff -u user${user} -l h_rt=172800,h_vmem=${1 + random(8)}G -pe smp ${slots}:0.000000:NONE:${random(1e9)}.000000:0:0\n`
      );
    },
  },
  {
    format: "lsf",
    head: "",
    job(number, random) {
      const [wait, run, slots, user] = [random(5000), random(100_000), 1 + random(32), random(900)];
      const [submit, host] = [START + number * 3, `node${1 + random(400)}.cluster`];
      const [start, end] = [submit + wait, submit + wait + run];
      const memory = 1000 * (1 + random(64));
      const rusage = `${run}.${random(900_000)} ${random(100)}.5 ${random(1e6)} 0 -1 0 0 ${random(1e6)} 4 0 928 0 -1 0 0 0 ${random(1e6)} ${random(1e5)} -1`;
      return (
        `"JOB_FINISH" "10.108" ${end} ${number} ${1000 + user} 33554434 ${slots} ${submit} 0 0 ${start} "user${user}" "queue${random(6)}" "rusage[mem=${memory}] span[hosts=1]" "" "" "login${random(4)}.cluster" "/home/user${user}/run/${number}" "" "/home/user${user}/run/${number}/out" "" "${submit}.${number}" 0 1 "${slots}*${host}" 64 60.0 "run_${number}" "./run.sh ""input ${number}"" > out" ${rusage} ` +
        `"" "project${user % 80}" 0 ${slots} "" "" 0 ${random(1e7)} 0 "" "" "" "" 0 "" 0 "" -1 "/group${user % 80}/user${user}" "" "" "" -1 "" "" 5136 "" ${start} "" "" 2 1032 "0" 1033 "0" 0 172800 4194304 ${random(1e6)} "select[type == any] rusage[mem=${memory}.00] span[hosts=1] " "" -1 "" -1 0 "" 0 0 "" ${run} "/home/user${user}" 0 "" 0.000000 0.00 0.00 0.00 0.00 1 "${host}" -1 0 0 0 0 0\n`
      );
    },
  },
  {
    format: "csv",
    head: "job_id,user,queue,submitted,started,finished,ncpus,mem_gb,time_limit,state,node\n",
    job(number, random) {
      const [wait, run, cores] = [random(5000), random(100_000), 1 + random(32)];
      const submit = START + number * 3;
      const times = [submit, submit + wait, submit + wait + run].map((each) => `${isoTime(each)}Z`).join(",");
      return `${number},user${random(900)},queue${random(6)},${times},${cores},${cores * 4},48:00:00,COMPLETED,node${1 + random(400)}\n`;
    },
  },
];

export const readers: Benchmark = {
  name: "readers",
  summary: "batch systems' own logs, read into columns; the median of five readings",
  cases: () => logs.map(({ format }) => format),
  async prepare(options) {
    for (const log of logs) if (!existsSync(fileOf(log, options))) writeLog(log, options);
  },
  async measure(name, options) {
    const log = logs.find(({ format }) => format === name)!;
    const path = fileOf(log, options);
    const megabytes = statSync(path).size / 1e6;
    const readings: Took[] = [];
    let jobs = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const reading = await timed(async () => (await readWorkload(path)).count);
      jobs = reading.result;
      readings.push(reading);
    }
    if (jobs !== jobsOf(options)) throw new Error(`${path}: ${jobs} jobs were read of ${jobsOf(options)}`);
    const took = {
      seconds: median(readings.map(({ seconds }) => seconds)),
      processorSeconds: median(readings.map(({ processorSeconds }) => processorSeconds)),
    };
    const rate = megabytes / took.processorSeconds;
    return [
      {
        what: `${name}, ${megabytes.toFixed(0)} MB`,
        speed: speedOf(jobs, took),
        figure: `${rate.toFixed(0)} MB/CPU s, ${(megabytes / took.seconds).toFixed(0)} MB/s`,
        peakMiB: peakMiB(),
        target: atLeast(TARGET, "MB/s", rate),
      },
    ];
  },
};

function jobsOf({ quick }: Options): number {
  return quick ? 200_000 : 1_000_000;
}

function fileOf({ format }: MadeLog, options: Options): string {
  return join(options.dataFolder, `made-${jobsOf(options)}.${format}`);
}

function writeLog(log: MadeLog, options: Options): void {
  const path = fileOf(log, options);
  const file = openSync(`${path}.part`, "w");
  let state = 1;
  const random = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  let batch = log.head;
  for (let number = 1; number <= jobsOf(options); number++) {
    batch += log.job(number, random);
    if (batch.length > 1 << 20 || number === jobsOf(options)) {
      writeSync(file, batch);
      batch = "";
    }
  }
  closeSync(file);
  renameSync(`${path}.part`, path);
}

function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19);
}

/** `[D-]HH:MM:SS`. */
function clock(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  return (days > 0 ? `${days}-` : "") + new Date(seconds * 1000).toISOString().slice(11, 19);
}
