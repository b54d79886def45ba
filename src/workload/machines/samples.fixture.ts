/** A made-up list of every format, true to what the programs print: what its test reads, and the fuzzer damages. */

const csv = "id,cores,memory,gpu\nh0,8,1024,0\nh1,2.5,512,1\n";

const alea = "0\tbig\t2\t80\t1\t529426432\n1\tsmall\t1\t12\t1\t94035968\n";

const openb = "sn,cpu_milli,memory_mib,gpu,model\nn1,32000,262144,0,\nn2,1500,1024,8,G3\n";

/** As Slurm 22.05 and newer print it; n3 as Slurm 20.11 did, and n4 as one that never registered. */
const scontrol = `NodeName=n1 Arch=x86_64 CoresPerSocket=16 
   CPUAlloc=0 CPUEfctv=60 CPUTot=64 CPULoad=0.01
   AvailableFeatures=avx512,ib:hdr
   ActiveFeatures=avx512,ib:hdr
   Gres=(null)
   NodeAddr=n1 NodeHostName=n1 Version=22.05.8
   OS=Linux 5.14.0-362.el9.x86_64 #1 SMP PREEMPT_DYNAMIC Tue Nov 7 14:01:58 UTC 2023 
   RealMemory=257000 AllocMem=0 FreeMem=250113 Sockets=2 Boards=1
   CoreSpecCount=2 CPUSpecList=30-31,62-63 MemSpecLimit=4096
   State=IDLE ThreadsPerCore=2 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A
   Partitions=long,short 
   BootTime=2026-02-01T08:00:00 SlurmdStartTime=2026-02-01T08:01:12
   CfgTRES=cpu=60,mem=257000M,billing=60
   AllocTRES=
   CapWatts=n/a

NodeName=g1 Arch=x86_64 CoresPerSocket=32 
   CPUAlloc=8 CPUEfctv=64 CPUTot=64 CPULoad=7.9
   AvailableFeatures=avx512,a100
   ActiveFeatures=avx512,a100
   Gres=gpu:a100:4(S:0-1),fpga:1
   OS=Linux 5.14.0-362.el9.x86_64 #1 SMP PREEMPT_DYNAMIC Tue Nov 7 14:01:58 UTC 2023 
   RealMemory=515000 AllocMem=64000 FreeMem=401222 Sockets=2 Boards=1
   State=MIXED+DRAIN ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A
   Partitions=gpu 
   CfgTRES=cpu=64,mem=515000M,billing=64,gres/gpu=4,gres/gpu:a100=4
   AllocTRES=cpu=8,mem=64000M,gres/gpu=1
   Reason=fan, see State=DOWN Gres=gpu:9 [root@2026-02-03T11:12:13]
   Comment=call NodeName= again

NodeName=n3 Arch=x86_64 CoresPerSocket=8 
   CPUAlloc=0 CPUTot=32 CPULoad=N/A
   AvailableFeatures=(null)
   ActiveFeatures=(null)
   Gres=(null)
   RealMemory=128000 AllocMem=0 FreeMem=N/A Sockets=2 Boards=1
   CoreSpecCount=1 MemSpecLimit=2000
   State=DOWN* ThreadsPerCore=2 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A
   Partitions=long 
   Reason=Not responding [slurm@2026-01-30T02:03:04]

NodeName=n4 CoresPerSocket=1 
   CPUAlloc=0 CPUTot=16 CPULoad=N/A
   AvailableFeatures=avx512,ib:hdr
   ActiveFeatures=avx512,ib:hdr
   Gres=gpu:2
   RealMemory=64000 AllocMem=0 FreeMem=N/A Sockets=16 Boards=1
   State=IDLE~ ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A
   Partitions=cloud 
`;

/** As Slurm 22.05's sinfo -N -l prints it: a date above, features cut off, a node once for each partition. */
const sinfo = `Sun Nov 22 03:37:36 2026
NODELIST   NODES PARTITION       STATE CPUS    S:C:T MEMORY TMP_DISK WEIGHT AVAIL_FE REASON              
g1             1       gpu       mixed 64     64:1:1 515000        0      1     avx2 none                
g1             1     long*       mixed 64     64:1:1 515000        0      1     avx2 none                
n01            1     long*        idle 64     2:16:2 257000        0      1 avx512,i none                
n02            1     long*    drained* 64     2:16:2 257000        0      1 avx512,i bad disk, see State=
n03            1     long*       down* 64     2:16:2 257000        0      1   (null) no power            
`;

/** Data parser 0.0.40 and newer. */
const slurmJson = JSON.stringify(
  {
    nodes: [
      {
        architecture: "x86_64",
        cpus: 64,
        effective_cpus: 60,
        specialized_cores: 2,
        threads: 2,
        features: ["avx512", "ib:hdr"],
        active_features: ["avx512", "ib:hdr"],
        gres: "",
        specialized_memory: 4096,
        name: "n1",
        state: ["IDLE"],
        operating_system: "Linux 5.14.0-362.el9.x86_64 #1 SMP",
        partitions: ["long"],
        real_memory: 257_000,
        reason: "",
        free_mem: { set: true, infinite: false, number: 250_113 },
      },
      {
        architecture: "x86_64",
        cpus: 64,
        effective_cpus: 64,
        features: ["a100"],
        active_features: ["a100"],
        gres: "gpu:a100:4(S:0-1)",
        name: "g1",
        state: ["DOWN", "NOT_RESPONDING"],
        operating_system: "",
        real_memory: 515_000,
        reason: "Not responding",
      },
    ],
    meta: { Slurm: { release: "24.05.3" } },
    errors: [],
  },
  null,
  1,
);

const pbsnodes = `node01
     Mom = node01.example.org
     ntype = PBS
     state = free
     pcpus = 32
     resources_available.arch = linux
     resources_available.host = node01
     resources_available.mem = 131841848kb
     resources_available.ncpus = 32
     resources_available.bigmem = True
     resources_available.scratch = 900gb
     resources_available.Qlist = workq,long
     resources_available.vnode = node01
     resources_assigned.mem = 0kb
     resources_assigned.ncpus = 0
     resv_enable = True
     sharing = default_shared

node02
     Mom = node02.example.org
     ntype = PBS
     state = offline,down
     resources_available.arch = linux
     resources_available.host = node02
     resources_available.mem = 128gb
     resources_available.ncpus = 64
     resources_available.ngpus = 2
     comment = node down: communication closed

node03[0]
     state = job-busy
     resources_available.host = node03
     resources_available.mem = 64gb
     resources_available.ncpus = 16

node03[1]
     state = free
     resources_available.host = node03
     resources_available.mem = 64gb
     resources_available.ncpus = 16
`;

/** pbsnodes -a of Torque 6. */
export const torque = `n1
     state = free
     power_state = Running
     np = 16
     properties = bigmem,ib
     ntype = cluster
     jobs = 0-3/123.head
     status = rectime=1700000000,jobs=,state=free,gres=,loadave=0.01,ncpus=16,physmem=65861120kb,availmem=9kb,uname=Linux n1 3.10.0 #1 SMP x86_64,opsys=linux
     mom_service_port = 15002
     gpus = 2

n2
     state = down,offline
     np = 8
     ntype = cluster
     note = no power
`;

const pbsnodesJson = `{
    "timestamp":1700000000,
    "pbs_version":"22.05.11",
    "pbs_server":"head",
    "nodes":{
        "node01":{
            "Mom":"node01.example.org",
            "ntype":"PBS",
            "state":"free",
            "pcpus":32,
            "resources_available":{
                "arch":"linux", "host":"node01", "mem":"131841848kb", "ncpus":32, "bigmem":"True", "vnode":"node01"
            },
            "resources_assigned":{}
        },
        "node02":{
            "state":"state-unknown,down",
            "resources_available":{"host":"node02", "mem":"64gb", "ncpus":"16", "ngpus":1},
            "comment":"node down: communication closed"
        }
    }
}
`;

/** lshosts -w; bhosts -w */
const lsf = `HOST_NAME                       type       model  cpuf ncpus maxmem maxswp server RESOURCES
hosta                        X86_64  Intel_EM64T  60.0    32  31.3G     4G    Yes (mg bigmem)
hostb                        X86_64  Intel_EM64T  60.0    64   1.5T      -    Yes ()
hostc                       UNKNOWN      UNKNOWN   1.0     -      -      -    Yes ()
client1                      X86_64  Intel_EM64T  60.0     4   7.6G      -     No ()

HOST_NAME          STATUS       JL/U    MAX  NJOBS    RUN  SSUSP  USUSP    RSV 
hosta              ok              -     30      2      2      0      0      0
hostb              closed_Adm      -      -      0      0      0      0      0
hostc              unavail         -      -      0      0      0      0      0
`;

/** qhost -q */
const qhost = `HOSTNAME                ARCH         NCPU NSOC NCOR NTHR  LOAD  MEMTOT  MEMUSE  SWAPTO  SWAPUS
----------------------------------------------------------------------------------------------
global                  -               -    -    -    -     -       -       -       -       -
node01                  lx-amd64       32    2   16   32  0.01   31.3G    1.2G    8.0G     0.0
   all.q                BIP   0/4/16        
   gpu.q                BIP   0/0/2         
node02                  lx-amd64       16    2   16   16     -  985.8M       -    8.0G       -
   all.q                BIP   0/0/16        au
node03                  -               -    -    -    -     -       -       -       -       -
node04                  lx-amd64       16    2   16   16  0.50    1.5T    1.2G    8.0G     0.0
   all.q                BIP   0/0/16        d
`;

const htcondorJson = `[
{
  "Activity": "Idle",
  "Arch": "X86_64",
  "Cpus": 12,
  "DetectedCpus": 16,
  "GPUs": 1,
  "HasSingularity": true,
  "Machine": "wn1.example.org",
  "Memory": 24000,
  "MyType": "Machine",
  "Name": "slot1@wn1.example.org",
  "OpSys": "LINUX",
  "PartitionableSlot": true,
  "SlotType": "Partitionable",
  "Start": "\\/Expr(true)\\/",
  "State": "Unclaimed",
  "TotalCpus": 16,
  "TotalSlotCpus": 16,
  "TotalSlotGPUs": 2,
  "TotalSlotMemory": 32000
}
,
{
  "Cpus": 4,
  "DynamicSlot": true,
  "GPUs": 1,
  "Machine": "wn1.example.org",
  "Memory": 8000,
  "MyType": "Machine",
  "Name": "slot1_1@wn1.example.org",
  "SlotType": "Dynamic",
  "State": "Claimed"
}
,
{
  "Cpus": 8,
  "Machine": "wn2.example.org",
  "Memory": 16000,
  "MyType": "Machine",
  "Name": "slot1@wn2.example.org",
  "DrainReason": "kernel",
  "SlotType": "Static",
  "State": "Drained"
}
]
`;

const htcondorLong = `Arch = "X86_64"
Cpus = 1
HasFileTransfer = true
Machine = "old1.example.org"
Memory = 2000
MyType = "Machine"
Name = "slot1@old1.example.org"
OpSysAndVer = "CentOS7"
Requirements = START && (WithinResourceLimits)
State = "Unclaimed"
TotalSlotCpus = 1
TotalSlotMemory = 2000

Cpus = 1
Machine = "old1.example.org"
Memory = 2000
MyType = "Machine"
Name = "slot2@old1.example.org"
State = "Owner"

Cpus = 4
Machine = "old2.example.org"
Memory = 4000
MyType = "Machine"
Name = "slot1@old2.example.org"
Offline = true
State = "Unclaimed"
`;

const kubernetes = JSON.stringify(
  {
    apiVersion: "v1",
    items: [
      {
        apiVersion: "v1",
        kind: "Node",
        metadata: {
          name: "worker-1",
          labels: {
            "kubernetes.io/arch": "amd64",
            "kubernetes.io/hostname": "worker-1",
            "nvidia.com/gpu.product": "NVIDIA-A100-SXM4-40GB",
            spot: "true",
          },
        },
        spec: {},
        status: {
          allocatable: {
            cpu: "15890m",
            memory: "31Gi",
            "nvidia.com/gpu": "4",
            "rdma/hca": "1k",
            pods: "110",
          },
          capacity: { cpu: "16", memory: "33554432Ki", "nvidia.com/gpu": "4", "rdma/hca": "1k", pods: "110" },
          conditions: [
            { type: "MemoryPressure", status: "False" },
            { type: "Ready", status: "True", reason: "KubeletReady" },
          ],
        },
      },
      {
        apiVersion: "v1",
        kind: "Node",
        metadata: { name: "worker-2", labels: { "kubernetes.io/hostname": "worker-2" } },
        spec: {
          unschedulable: true,
          taints: [{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" }],
        },
        status: {
          allocatable: { cpu: "8", memory: "16G" },
          capacity: { cpu: "8", memory: "16G" },
          conditions: [{ type: "Ready", status: "True" }],
        },
      },
      {
        apiVersion: "v1",
        kind: "Node",
        metadata: { name: "master-1", labels: { "node-role.kubernetes.io/control-plane": "" } },
        spec: { taints: [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }] },
        status: {
          allocatable: { cpu: "4", memory: "8000000000" },
          capacity: { cpu: "4", memory: "8000000000" },
          conditions: [{ type: "Ready", status: "Unknown", reason: "NodeStatusUnknown" }],
        },
      },
    ],
    kind: "List",
  },
  null,
  1,
);

/** By the format's name. */
export const samples: Readonly<Record<string, string>> = {
  csv,
  alea,
  openb,
  scontrol,
  sinfo,
  "slurm-json": slurmJson,
  pbsnodes,
  "pbsnodes-json": pbsnodesJson,
  lsf,
  qhost,
  "htcondor-json": htcondorJson,
  "htcondor-long": htcondorLong,
  kubernetes,
};
