import { gzipSync } from "node:zlib";

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { damaged, survive } from "../input/damaged.fixture.ts";
import { expectConsistent } from "./consistent.fixture.ts";
import type { ReadOptions } from "./format.ts";
import { readWorkload, workloadFormat, workloadFormats } from "./registry.ts";

/** A valid log of every text format, to be damaged. */
const validLogs: Readonly<Record<string, string>> = {
  swf: `; MaxProcs: 100 (all)
; Queue: 1 short
1 0 5 60 4 59.5 1024 4 90 2048 1 3 2 -1 1 -1 -1 -1
2 10 -1 0 -1 -1 -1 8 -1 -1 1 4 -1 -1 2 -1 -1 -1
3 5 2 100 1 -1 300 -1 50 -1 5 4 2 -1 1 -1 2 30 {1,2} q
4 20 0 5 2 -1 -1 2 90 -1 2 4 2 -1 1 -1 -1 -1
4 -1 9 7 2 -1 -1 2 90 -1 3 4 2 -1 1 -1 -1 -1
`,
  gwf: `# Processors: 400
# JobID SubmitTime WaitTime RunTime NProcs
1 1136070024 203 1384 5 1200.5 2048 5 25920 4096 1 U2004S1 G1 X13 Q0 -1 fs1 fs1 UNITARY -1 -1 -1 -1 -1 -1 -1 -1 VO1 -1
2\t1136070690\t-1\t0\t-1\t-1\t-1\t64\t-1\t-1\t0\tU1\tG 2\tX1\t\t-1\tfs0\tfs0\tBoT\t7\t-1\t-1\t-1\tx86,Linux\t-1\t-1\t-1\t-1\tP1
3 1136070700 -1 -1 -1 -1 -1 1 -1 -1 5 U1 G2
`,
  netbatch: `0,0,0,0,0,0,0,0,0,79.5,79,0,0,0,/q,/a/b,0,0,1002,0,1,cores=8;memory=8
1:2,0,0,0,0,1050,0,0,0,16594,16594,0,0,0,/q,/a/c,0,0,1001,0,1,"cores=1;memory=4"
`,
  csv: `submit,runtime,cores,memory,tasks,project,user,priority,queue,estimate,policy,job,gpu,requires,pools,site,group,licences
0,10,0.25,100,2,/a,ann,1,q,20,best-fit-cores,7,0.5,cores > 4,p1;p2,s,g,a=2;b
5,2.5,4,,,"/b, c",bob,,,,,8,,,,,,
`,
  tasks: `; synthetic
0 977 1 0.25 0.6 368
1 1885 64 1.0 0.4 412.5
`,
  accounting: `start,end,queue,user,cores
100,160.5,ams,ann,1
90,95,"cms, too",,2
`,
  openb: `name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
openb-pod-0000,12000,16384,1,1000,,LS,Running,0,12537496,0
openb-pod-0001,6000,12288,1,460,G2|T4,BE,Pending,427061,12902960,
`,
  slurm: `JobID|User|Account|Partition|Submit|Eligible|Start|End|Elapsed|State|NNodes|NCPUS|ReqMem|ReqTRES|AllocTRES|Timelimit|NodeList
100|ann|physics|batch|2026-03-01T08:00:00|2026-03-01T08:00:00|2026-03-01T08:10:00|2026-03-01T09:10:00|01:00:00|COMPLETED|2|16|4000Mc|cpu=16,node=2|billing=16,cpu=16,gres/gpu:a100=4,mem=62.50G,node=2|1-00:00:00|n[01-02,7]
100.batch||physics||2026-03-01T08:10:00|2026-03-01T08:10:00|2026-03-01T08:10:00|2026-03-01T09:10:00|01:00:00|COMPLETED|1|8|||cpu=8,mem=32G,node=1||n01
7_4|bob|physics|batch|2026-03-01T08:01:00|Unknown|2026-03-01T08:10:00|2026-03-01T08:11:00|00:01:00|CANCELLED by 7|1|1|4G|||UNLIMITED|n03
`,
  "slurm-json": `{"jobs": [
{"account": "physics", "association": {"user": "ann"}, "array": {"job_id": 7, "task_id": {"set": true, "number": 3}}, "job_id": 105, "nodes": "n1", "partition": "batch", "state": {"current": ["COMPLETED"]}, "time": {"elapsed": 60, "end": 1772352160, "start": 1772352100, "submission": 1772352000, "limit": {"set": true, "infinite": false, "number": 120}}, "tres": {"allocated": [{"type": "cpu", "name": "", "count": 8}]}},
{"job_id": 106, "nodes": "n2", "time": {"elapsed": 60, "end": 1772352160, "start": 1772352100, "submission": 1772352000}, "required": {"CPUs": 2}}
]}
`,
  pbs: `03/01/2026 08:00:00;Q;100.pbs;queue=workq
03/01/2026 08:10:00;S;100.pbs;user=ann group=phys start=1772352600 exec_host=n1/0*8+n2/0*4
03/01/2026 09:10:00;E;100.pbs;user=ann group=phys account="low temp" queue=workq ctime=1772352000 qtime=1772352000 etime=1772352000 start=1772352600 exec_host=n1/0*8+n2/0*4 Resource_List.select=1:ncpus=8:mem=16gb+1:ncpus=4:ngpus=1 Resource_List.walltime=02:00:00 end=1772356200 Exit_status=0
03/01/2026 09:11:00;E;101[2].pbs;user=bob queue=workq ctime=1772352001 start=1772352700 exec_host=n1/0-3,5 Resource_List.nodes=1:ppn=5 Resource_List.mem=100mw end=1772356201 Exit_status=271
03/01/2026 09:12:00;R;102.pbs;user=bob ctime=1772352001 start=1772352700 exec_host=n1/0+n1/1
`,
  "grid-engine": `# Version: 6.2u5
all.q:n1:phys:ann:run:100:sge:0:1772352000:1772352600:1772356200:0:0:3600:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:NONE:dep:smp:4:0:1.5:0.1:0.0:-l h_rt=24:00:00,h_vmem=4G -pe smp 4:0.000000:NONE:1024.0:0:0
all.q:n2:phys:ann:run:101:sge:0:0:1772352600000:1772356200000:0:0:1:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:clim:dep:mpi:8:2:1.5:0.1:0.0:-l gpu=1 -pe mpi 8:0.000000:1.n2:1024.0:0:0
all.q:n1:phys:bob:run:101:acc:0:1772352000000:1772352600000:1772356200000:100:137:1:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:clim:dep:mpi:8:2:1.5:0.1:0.0:-l gpu=1 -pe mpi 8:0.000000:NONE:1024.0:0:0
`,
  qacct: `==============================================================
qname        all.q
hostname     n1
owner        ann
jobnumber    100
taskid       undefined
qsub_time    Sun Mar  1 08:00:00 2026
start_time   Sun Mar  1 08:10:00 2026
end_time     Sun Mar  1 09:10:00 2026
granted_pe   NONE
slots        1
failed       0
exit_status  0
==============================================================
qname        all.q
hostname     n2
jobnumber    101
taskid       4
qsub_time    03/01/2026 08:00:00.100
start_time   03/01/2026 08:10:00.100
end_time     03/01/2026 09:10:00.200
slots        8
granted_pe   mpi
failed       100 : assumedly after job
category     -l h_rt=600
`,
  lsf: `"EVENT_ADRSV_FINISH" "10.1" 1772352000 1 0 2 "ann"
"JOB_FINISH" "10.108" 1772356200 100 1501 33554434 4 1772352000 0 0 1772352600 "ann" "normal" "span[ptile=2] rusage[mem=4GB,ngpus_physical=1]" "" "" "login" "/home" "" "" "" "1.1" 1 "rack" 2 "2*n1" "2*n2" 64 60.0 "run" "say ""hi""" 1.5 0.1 0 0 -1 0 0 436 4 0 928 0 -1 0 0 0 19 2 -1 "" "physics" 0 4 "" "" 3 2048 0 "" "" "" "" 0 "" 0 "" -1 "/phys/ann" "" "" "" -1 "" "" 5136 "" 1772352600 "" "" 1 1032 "0" 1 n1 1 2 3 4 0 7200 4194304 1024 "select[type == any] span[ptile=2] " "" -1
"JOB_FINISH" "6.2" 1772356300 101 1501 33554434 1 1772352001 0 0 1772352700 "bob" "normal" "" "" "" "login" "/home" "" "" "" "1.2" 0 1 "n1" 32 60.0 "" "" 1.5 0.1 0 0 -1 0 0 436 4 0 928 0 -1 0 0 0 19 2 -1 "" "default" 137 1 "" "" 0 2048 0 "" "" "" ""
`,
  htcondor: `ClusterId = 100
ProcId = 3
Owner = "ann"
AccountingGroup = "physics.ann"
QDate = 1772352000
JobCurrentStartDate = 1772352600
CompletionDate = 1772356200
JobStatus = 4
RequestCpus = 4
RequestMemory = ifthenelse(MemoryUsage =!= undefined, MemoryUsage, 1)
LastRemoteHost = "slot1_2@n7"
*** Offset = 0 ClusterId = 100 ProcId = 3 Owner = "ann" CompletionDate = 1772356200

ClusterId = 101
QDate = 1772352000
JobStartDate = 1772352600
EnteredCurrentStatus = 1772356200
JobStatus = 3
`,
  "htcondor-json": `[
{"ClusterId": 100, "ProcId": 3, "Owner": "ann", "QDate": 1772352000, "JobStartDate": 1772352600, "CompletionDate": 1772356200, "JobStatus": 4, "RequestCpus": 4, "RequestMemory": "/Expr(1)/", "JobUniverse": 11, "CurrentHosts": 2, "AllRemoteHosts": "s@a,s@b"},
{"ClusterId": 101, "QDate": 1772352000, "JobStartDate": 1772352600, "EnteredCurrentStatus": 1772356200, "JobStatus": 3}
]
`,
  kubernetes: `{"apiVersion": "v1", "items": [
{"kind": "Pod", "metadata": {"namespace": "physics", "uid": "u1", "creationTimestamp": "2026-03-01T08:00:00Z"}, "spec": {"containers": [{"resources": {"requests": {"cpu": "1500m", "memory": "2Gi", "nvidia.com/gpu": "1"}}}], "nodeName": "n1", "priority": 5}, "status": {"phase": "Succeeded", "startTime": "2026-03-01T08:10:00Z", "containerStatuses": [{"state": {"terminated": {"finishedAt": "2026-03-01T09:10:00Z"}}}]}},
{"kind": "Pod", "metadata": {"uid": "u2", "creationTimestamp": "2026-03-01T08:00:00Z"}, "spec": {"containers": [{"name": "a", "resources": {"limits": {"cpu": "2"}}}], "initContainers": [{"name": "s", "restartPolicy": "Always", "resources": {"requests": {"cpu": "1"}}}, {"name": "i", "resources": {"requests": {"cpu": "3"}}}], "resources": {"requests": {"cpu": "6", "memory": "8Gi"}}, "overhead": {"cpu": "250m"}, "nodeName": "n1"}, "status": {"phase": "Failed", "reason": "Evicted", "allocatedResources": {"cpu": "7"}, "conditions": [{"type": "PodScheduled", "status": "True", "lastTransitionTime": "2026-03-01T08:10:00Z"}, {"type": "DisruptionTarget", "status": "True", "lastTransitionTime": "2026-03-01T08:40:00Z"}], "containerStatuses": [{"name": "a", "resources": {"requests": {"cpu": "4"}}, "state": {"terminated": {"finishedAt": null}}}]}},
{"kind": "Workload", "metadata": {"namespace": "chem", "uid": "w1", "creationTimestamp": "2026-03-01T08:00:00Z"}, "spec": {"podSets": [{"name": "a", "count": 1, "template": {"spec": {"containers": [{"resources": {"requests": {"cpu": "1"}}}]}}}, {"name": "b", "count": 4, "template": {"spec": {"containers": [{"resources": {"requests": {"cpu": "8"}}}]}}}], "queueName": "fast"}, "status": {"conditions": [{"type": "Admitted", "status": "True", "lastTransitionTime": "2026-03-01T08:10:00Z"}, {"type": "Finished", "status": "True", "lastTransitionTime": "2026-03-01T09:10:00Z", "reason": "Succeeded"}]}}
], "kind": "List"}
`,
};

const readOptions: fc.Arbitrary<ReadOptions> = fc.record(
  {
    jobShape: fc.constantFrom("tasks", "machine"),
    memoryUnit: fc.constantFrom("B", "KiB", "MiB", "GiB"),
    memoryScope: fc.constantFrom("per-processor", "per-job"),
    overrun: fc.constantFrom("keep", "cap"),
    minimumRuntimeSeconds: fc.constantFrom(0, 1),
    minimumMemoryMiB: fc.constantFrom(0, 1024),
    strict: fc.boolean(),
    timeZone: fc.constantFrom("UTC", "Europe/Berlin", "-03:30"),
  },
  { requiredKeys: [] },
);

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Every format's log, and one with the columns that people make. */
const samples: readonly (readonly [name: string, text: string])[] = [
  ...Object.entries(validLogs),
  [
    "csv",
    `Job ID;Submit Time;start;ended_at;NCPUs;nnodes;mem_gb;TimeLimit;node list;status
7_3;2026-03-01T08:00:00+01:00;2026-03-01 08:10:00;1772356200000;4;2;1,5;2-00:00:00;n[1-2];done
8.server;2026-03-01;2026-03-01 08:10;2026-03-01T09:10:00Z;4;1;4G;90m;n1;failed
`,
  ],
];

describe.each(samples.map(([name, text]) => ({ name, text, format: workloadFormat(name) })))(
  "whatever it is given, $name",
  ({ text: valid, format }) => {
    it("reads the valid log that the others are made from", async () => {
      const workload = await readWorkload({ name: "log", bytes: bytesOf(valid) });
      expectConsistent(workload);
      expect(workload.count).toBeGreaterThanOrEqual(2);
    });

    it("survives damaged logs", async () => {
      await fc.assert(
        fc.asyncProperty(damaged(valid), readOptions, (text, options) =>
          survive(() => format.read({ name: "log", bytes: bytesOf(text) }, options), expectConsistent),
        ),
        { numRuns: 400 },
      );
    });

    it("survives random bytes", async () => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), (bytes) =>
          survive(() => format.read({ name: "log", bytes }), expectConsistent),
        ),
      );
    });

    it("survives packed logs that are cut short or damaged", async () => {
      const packed = gzipSync(valid);
      const cut = fc.nat(packed.length).map((length) => packed.subarray(0, length));
      const flipped = fc
        .tuple(fc.nat(packed.length - 1), fc.integer({ min: 1, max: 255 }))
        .map(([at, bits]) => packed.map((byte, i) => (i === at ? byte ^ bits : byte)));
      await fc.assert(
        fc.asyncProperty(fc.oneof(cut, flipped), (bytes) =>
          survive(() => readWorkload({ name: "log", bytes }, { format: format.name }), expectConsistent),
        ),
      );
    });
  },
);

it("whatever it is given: every text format has a sample here", () => {
  // Parquet is damaged in its own tests.
  const texts = workloadFormats.map(({ name }) => name).filter((name) => name !== "parquet");
  expect(Object.keys(validLogs).sort()).toEqual(texts.sort());
});

describe("whatever it is given, the guess of the format", () => {
  it("survives", async () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      ...samples.map(([, text]) => damaged(text).map(bytesOf)),
    );
    await fc.assert(
      fc.asyncProperty(anything, (bytes) =>
        survive(() => readWorkload({ name: "log", bytes }), expectConsistent),
      ),
      { numRuns: 1000 },
    );
  });
});
