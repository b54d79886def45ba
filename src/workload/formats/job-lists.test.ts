import { describe, expect, it } from "vitest";

import { inputErrorOf, textSource } from "../input/text.fixture.ts";
import { readWorkload } from "./registry.ts";

describe("a list of the present jobs is no log", () => {
  it.each([
    [
      "squeue",
      /"sacct --allusers .*--format JobID,.*Submit,Start,End/,
      [
        "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)",
        "               123     batch     run1      ann  R      10:00      2 n[1-2]",
      ],
    ],
    [
      "squeue",
      /sacct/,
      ["JOBID|PARTITION|NAME|USER|ST|TIME|NODELIST(REASON)", "123|batch|run1|ann|R|10:00|n1"],
    ],
    [
      "Grid Engine's qstat",
      /"qacct -j"/,
      [
        "job-ID  prior   name       user         state submit/start at     queue                          slots ja-task-ID ",
        "-----------------------------------------------------------------------------------------------------------------",
        "     12 0.55500 run.sh     ann          r     03/01/2026 08:10:00 all.q@n1                           4        ",
      ],
    ],
    [
      "PBS's qstat",
      /server_priv\/accounting/,
      [
        "Job id            Name             User              Time Use S Queue",
        "----------------  ---------------- ----------------  -------- - -----",
        "123.pbs           run              ann               00:10:00 R workq",
      ],
    ],
    [
      "PBS's qstat",
      /server_priv\/accounting/,
      [
        "",
        "pbs: ",
        "                                                            Req'd  Req'd   Elap",
        "Job ID          Username Queue    Jobname    SessID NDS TSK Memory Time  S Time",
        "--------------- -------- -------- ---------- ------ --- --- ------ ----- - -----",
      ],
    ],
    [
      "PBS's qstat",
      /tracejob/,
      ["Job Id: 123.pbs", "    Job_Name = run", "    ctime = Sun Mar  1 08:00:00 2026"],
    ],
    [
      "bjobs",
      /lsb\.acct/,
      [
        "JOBID   USER    STAT  QUEUE      FROM_HOST   EXEC_HOST   JOB_NAME   SUBMIT_TIME",
        "123     ann     RUN   normal     login1      4*n1        run        Mar  1 08:00",
      ],
    ],
    ["bjobs", /lsb\.acct/, ["", "Job <123>, User <ann>, Project <default>, Status <RUN>, Queue <normal>"]],
    [
      "bhist",
      /lsb\.acct/,
      [
        "Summary of time in seconds spent in various states:",
        "JOBID   USER    JOB_NAME  PEND    PSUSP   RUN     USUSP   SSUSP   UNKWN   TOTAL",
        "123     ann     run       10      0       600     0       0       0       610",
      ],
    ],
    [
      "condor_q",
      /"condor_history -json"/,
      ["", "-- Schedd: login1 : <10.0.0.1:9618?... @ 03/01/26 08:00:00"],
    ],
    [
      "kubectl get pods",
      /-o json/,
      ["NAME   READY   STATUS    RESTARTS   AGE", "run-1  1/1     Running   0          2d"],
    ],
  ])("%s: %s", async (command, instead, lines) => {
    const { message } = await inputErrorOf(() => readWorkload(textSource("jobs.txt", ...lines, "")));
    expect(message).toContain(`jobs.txt: this is a list of jobs from ${command}, which does not tell`);
    expect(message).toMatch(instead);
  });
});
