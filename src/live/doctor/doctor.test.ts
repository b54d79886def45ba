import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

import { describe, expect, onTestFinished, test } from "vitest";

import { farmChecks } from "../../simulation/index.ts";
import { readFarm } from "../../workload/index.ts";
import type { Ran } from "../engines/system/commands.ts";
import { migrations } from "../store/migrations.ts";
import { Database } from "../store/database.ts";
import { checks } from "./checks.ts";
import { examine, type CheckedFinding } from "./examine.ts";
import { thisHost, type Host } from "./host.ts";
import type { Subject } from "./subject.ts";

/** A farm that is all right, and on which a test plants a fault. */
class Patient {
  readonly folder = mkdtempSync(join(tmpdir(), "croft-doctor-"));
  readonly data = join(this.folder, "data");
  readonly farmFile = join(this.folder, "farm.yaml");
  socket = join(this.folder, "run", "s");
  readonly files = new Map([
    [
      "/proc/self/limits",
      "Max processes             65536    65536    processes\nMax open files            1024     65536    files\n",
    ],
    ["/proc/self/cgroup", "0::/user.slice\n"],
    ["/proc/self/mountinfo", "1 2 0:3 / /cgroup rw - cgroup2 cgroup rw\n"],
    ["/cgroup/cgroup.controllers", "cpu memory pids\n"],
    ["/cgroup/user.slice/cgroup.controllers", "cpu memory pids\n"],
    ["/unit", UNIT],
  ]);
  /** What programs answer; those that are not named are not there. */
  readonly programs = new Map<string, (args: readonly string[]) => string>([
    ["getent", () => "croft:x:7:ann,bob"],
    ["test", () => ""],
  ]);
  host: Host = {
    ...thisHost,
    unitPaths: ["/unit"],
    environment: {},
    memoryMiB: 8192,
    text: (path) => this.files.get(path) ?? null,
    room: () => ({ freeMiB: 50_000, wholeMiB: 100_000, filesFree: 1_000_000 }),
    mayWrite: () => true,
    resolves: (name) => Promise.resolve(name !== "nowhere.invalid"),
    connects: (_, port) => Promise.resolve(port === 443 ? null : "connect ECONNREFUSED"),
    commands: {
      run: (program, args) => {
        const answer = this.programs.get(program)?.(args);
        const ran: Ran =
          answer === undefined
            ? { status: null, stdout: "", stderr: `spawn ${program} ENOENT` }
            : answer.startsWith("status ")
              ? { status: Number(answer.slice(7)), stdout: "", stderr: "" }
              : { status: 0, stdout: answer, stderr: "" };
        return Promise.resolve(ran);
      },
    },
  };

  constructor() {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
    mkdirSync(join(this.folder, "run"), { mode: 0o700 });
    mkdirSync(this.data, { mode: 0o700 });
    new Database(join(this.data, "croft.db")).close();
    this.program("prolog.sh", 0o755);
    this.write(
      `groups: { staff: { unixGroups: [staff] } }\npools: [{ name: north, machines: [1x1c1g], hooks: { prolog: ${join(this.folder, "prolog.sh")} } }]\n`,
    );
  }

  write(farm: string): void {
    writeFileSync(this.farmFile, `virtualPools: [{ name: all, routing: round-robin }]\n${farm}`, {
      mode: 0o600,
    });
  }

  /** Pools of another engine, as the file has it. */
  engine(text: string): void {
    this.write(`pools: [{ name: north, engine: ${text} }]\n`);
  }

  program(name: string, mode: number): void {
    const path = join(this.folder, name);
    writeFileSync(path, "#!/bin/sh\n");
    chmodSync(path, mode);
  }

  async examine(more: Partial<Subject> = {}): Promise<CheckedFinding[]> {
    const farm = await readFarm(this.farmFile, { ...farmChecks, enginesTellMachines: true }).catch(
      (error: unknown) => error as Error,
    );
    return examine({
      farm,
      farmFile: this.farmFile,
      pool: null,
      data: this.data,
      socket: this.socket,
      version: "1.0.0",
      host: this.host,
      ...more,
    });
  }
}

const UNIT =
  "[Service]\nExecStart=/usr/bin/croft serve --users croft\nRuntimeDirectoryMode=0755\nKillMode=process\nDelegate=yes\nDelegateSubgroup=croft-service\nStateDirectoryMode=0700\n";
const SLURM_CONFIG = "MinJobAge               = 300 sec\nSelectTypeParameters    = CR_CORE_MEMORY\n";
const NODE = "NodeName=n1 CPUTot=4 RealMemory=1000 State=IDLE Partitions=batch";

/** Slurm's commands, whose controller's clock is so many seconds ahead. */
function withSlurm(patient: Patient, aheadSeconds = 0): void {
  patient.engine("{ kind: slurm, partition: batch }");
  patient.programs.set("squeue", () => "slurm 23.11");
  patient.programs.set("scontrol", (args) => {
    if (args.includes("node")) return `${NODE}\n`;
    const at = new Date(Date.now() + aheadSeconds * 1000);
    // In local time, as Slurm writes it.
    const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
    return `Configuration data as of ${local}\n${SLURM_CONFIG}`;
  });
}

/** An API server that lets one do everything but what is refused. */
async function withKubernetes(patient: Patient, refused: string): Promise<void> {
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (piece: Buffer) => (text += piece.toString()));
    request.on("end", () => {
      const spec =
        text === ""
          ? null
          : (JSON.parse(text) as { spec: { resourceAttributes: { verb: string; resource: string } } }).spec;
      const asked =
        spec === null ? "" : `${spec.resourceAttributes.verb} ${spec.resourceAttributes.resource}`;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ metadata: {}, status: { allowed: asked !== refused } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const config = join(patient.folder, "kubeconfig");
  writeFileSync(
    config,
    JSON.stringify({
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
      clusters: [
        { name: "c", cluster: { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } },
      ],
      users: [{ name: "u", user: { token: "t" } }],
    }),
    { mode: 0o600 },
  );
  patient.engine(`{ kind: kubernetes, namespace: croft, image: debian, kubeconfig: ${config} }`);
}

interface Fault {
  readonly name: string;
  readonly check: string;
  readonly plant: (patient: Patient) => void | Promise<void>;
  readonly found: RegExp;
  readonly change: RegExp;
}

const faults: readonly Fault[] = [
  {
    name: "an old Node.js",
    check: "versions",
    plant: (patient) =>
      void (patient.host = { ...patient.host, versions: { node: "22.4.0", sqlite: "3.53.0" } }),
    found: /22\.4\.0/,
    change: /Node\.js 24/,
  },
  {
    name: "a mistake in the farm file",
    check: "farm file",
    plant: (patient) => patient.write("pools: [{ name: north, machins: [1x1c1g] }]\n"),
    found: /machins/,
    change: /mend .*farm\.yaml/,
  },
  {
    name: "a farm file that others may change",
    check: "farm file",
    plant: (patient) => chmodSync(patient.farmFile, 0o666),
    found: /others than the service's user may change it/,
    change: /chmod go-w/,
  },
  {
    name: "an engine that there is not",
    check: "farm file",
    plant: (patient) => patient.engine("lsf"),
    found: /no engine "lsf"/,
    change: /mend/,
  },
  {
    name: "a Unix group that there is not",
    check: "users",
    plant: (patient) =>
      void patient.programs.set("getent", (args) => (args.includes("staff") ? "status 2" : "croft:x:7:ann")),
    found: /no Unix group staff/,
    change: /^groupadd staff/,
  },
  {
    name: "a data folder that others may read",
    check: "data folder",
    plant: (patient) => chmodSync(patient.data, 0o755),
    found: /others may read it/,
    change: /^chmod 700 /,
  },
  {
    name: "a file in it that others may read",
    check: "data folder",
    plant: (patient) => chmodSync(join(patient.data, "croft.db"), 0o644),
    found: /others may read or write it \(644\)/,
    change: /^chmod 600 .*croft\.db$/,
  },
  {
    name: "a database of a newer Croft",
    check: "database",
    plant: ({ data }) => {
      const database = new Database(join(data, "croft.db"));
      database.commit([{ sql: "PRAGMA user_version = 9999", values: [] }]);
      database.close();
    },
    found: /a newer Croft has written it/,
    change: /start the newer Croft/,
  },
  {
    name: "a database that is none",
    check: "database",
    plant: ({ data }) => writeFileSync(join(data, "croft.db"), "x".repeat(5000), { mode: 0o600 }),
    found: /it is damaged/,
    change: /restore a backup/,
  },
  {
    name: "a full disk",
    check: "disk",
    plant: (patient) =>
      void (patient.host = { ...patient.host, room: () => ({ freeMiB: 10, wholeMiB: 1e5, filesFree: 1e6 }) }),
    found: /^10 MiB of 100000 MiB are free/,
    change: /make 1024 MiB of room/,
  },
  {
    name: "a disk that takes no more files",
    check: "disk",
    plant: (patient) =>
      void (patient.host = { ...patient.host, room: () => ({ freeMiB: 1e5, wholeMiB: 1e5, filesFree: 12 }) }),
    found: /^12 more can be made/,
    change: /df -i/,
  },
  {
    name: "a socket's folder that others may write to",
    check: "socket",
    plant: ({ folder }) => chmodSync(join(folder, "run"), 0o777),
    found: /may write to/,
    change: /^chmod go-w /,
  },
  {
    name: "a file in the socket's place",
    check: "socket",
    plant: ({ socket }) => writeFileSync(socket, ""),
    found: /no socket is there/,
    change: /^mv /,
  },
  {
    name: "a socket with too long a path",
    check: "socket",
    plant: (patient) => void (patient.socket = join(patient.folder, "x".repeat(120))),
    found: /longer than 107 bytes/,
    change: /--socket/,
  },
  {
    name: "a clock that was set back",
    check: "clocks",
    plant: ({ data }) => utimesSync(join(data, "croft.db"), new Date(), new Date(Date.now() + 3_600_000)),
    found: /the clock was set back/,
    change: /timedatectl set-ntp true/,
  },
  {
    name: "a clock that jumps",
    check: "clocks",
    plant: (patient) => {
      let looks = 0;
      patient.host = { ...patient.host, unixSeconds: () => thisHost.unixSeconds() + 30 * looks++ };
    },
    found: /it has jumped by 30\.\d s/,
    change: /chrony/,
  },
  {
    name: "a time zone that there is not",
    check: "clocks",
    plant: (patient) => void (patient.host = { ...patient.host, environment: { TZ: "Europe/Atlantis" } }),
    found: /none called Europe\/Atlantis/,
    change: /TZ=/,
  },
  {
    name: "few open files",
    check: "limits",
    plant: ({ files }) =>
      void files.set("/proc/self/limits", "Max open files            1024     1024    files\n"),
    found: /at most 1024/,
    change: /LimitNOFILE/,
  },
  {
    name: "little memory",
    check: "limits",
    plant: (patient) => void (patient.host = { ...patient.host, memoryMiB: 128 }),
    found: /128 MiB/,
    change: /512 MiB or more/,
  },
  {
    name: "no cgroups",
    check: "cgroups",
    plant: ({ files }) => void files.set("/proc/self/mountinfo", ""),
    found: /version 2 is not mounted/,
    change: /cgroup: none/,
  },
  {
    name: "controllers of version 1",
    check: "cgroups",
    plant: ({ files }) => void files.set("/cgroup/cgroup.controllers", "hugetlb\n"),
    found: /version 2 is mounted without the controllers memory and cpu/,
    change: /unified_cgroup_hierarchy=1/,
  },
  {
    name: "a cgroup without controllers",
    check: "cgroups",
    plant: ({ files }) => {
      files.delete("/unit");
      files.set("/cgroup/user.slice/cgroup.controllers", "pids\n");
    },
    found: /without the controllers memory and cpu/,
    change: /Delegate=yes/,
  },
  {
    name: "a cgroup that is another's",
    check: "cgroups",
    plant: (patient) => {
      patient.files.delete("/unit");
      patient.host = { ...patient.host, mayWrite: (path) => !path.startsWith("/cgroup/") };
    },
    found: /may make none in \/cgroup\/user\.slice/,
    change: /Delegate=yes/,
  },
  {
    name: "no Slurm",
    check: "engine",
    plant: (patient) => patient.engine("{ kind: slurm, partition: batch }"),
    found: /its commands are not on this machine/,
    change: /slurm-client/,
  },
  {
    name: "a Slurm that does not answer",
    check: "engine",
    plant: (patient) => {
      withSlurm(patient);
      patient.programs.set("scontrol", () => "status 1");
    },
    found: /it does not answer/,
    change: /scontrol ping/,
  },
  {
    name: "a Slurm without the partition",
    check: "engine",
    plant: (patient) => {
      withSlurm(patient);
      patient.engine("{ kind: slurm, partition: gone }");
    },
    found: /no node is in the partition gone/,
    change: /sinfo/,
  },
  {
    name: "a Slurm with another time",
    check: "engine",
    plant: (patient) => withSlurm(patient, 300),
    found: /^(299|300|301) s ahead of this machine's/,
    change: /NTP/,
  },
  {
    name: "no kubeconfig",
    check: "engine",
    plant: (patient) =>
      patient.engine("{ kind: kubernetes, namespace: croft, image: debian, kubeconfig: /nowhere/config }"),
    found: /\/nowhere\/config/,
    change: /KUBECONFIG/,
  },
  {
    name: "a Kubernetes namespace without the right to bind",
    check: "engine",
    plant: (patient) => withKubernetes(patient, "delete pods"),
    found: /may not delete pods in the namespace croft/,
    change: /own-jobs\.yaml/,
  },
  {
    name: "a hook that is not there",
    check: "hooks",
    plant: ({ folder }) => rmSync(join(folder, "prolog.sh")),
    found: /there is no such file/,
    change: /put the program at/,
  },
  {
    name: "a hook that cannot be run",
    check: "hooks",
    plant: ({ folder }) => chmodSync(join(folder, "prolog.sh"), 0o644),
    found: /it cannot be run/,
    change: /^chmod 755 /,
  },
  {
    name: "a hook for a program that is not there",
    check: "hooks",
    plant: ({ folder }) => writeFileSync(join(folder, "prolog.sh"), "#! /no/such/sh -e\n"),
    found: /its first line names \/no\/such\/sh, which is not there/,
    change: /^install \/no\/such\/sh, or change/,
  },
  {
    name: "a hook that others may change",
    check: "hooks",
    plant: ({ folder }) => chmodSync(join(folder, "prolog.sh"), 0o777),
    found: /others may change what the service runs/,
    change: /^chmod go-w /,
  },
  {
    name: "a hook in a folder that everybody may write to",
    check: "hooks",
    plant: (patient) => {
      mkdirSync(join(patient.folder, "hooks"));
      patient.program("hooks/prolog.sh", 0o755);
      chmodSync(join(patient.folder, "hooks"), 0o777);
      patient.write(
        `pools: [{ name: north, machines: [1x1c1g], hooks: { prolog: ${join(patient.folder, "hooks", "prolog.sh")} } }]\n`,
      );
    },
    found: /everybody may write to the folder .*hooks: others may change what the service runs/,
    change: /^chmod go-w \S*\/hooks$/,
  },
  {
    name: "a scratch folder in which others may remove those of jobs",
    check: "hooks",
    plant: (patient) => {
      const scratch = join(patient.folder, "scratch");
      mkdirSync(scratch);
      chmodSync(scratch, 0o777);
      patient.write(`pools: [{ name: north, machines: [1x1c1g], hooks: { scratch: ${scratch} } }]\n`);
    },
    found: /others may remove the folders of jobs/,
    change: /^chmod 755 \S*\/scratch$/,
  },
  {
    name: "a program of a channel that is not there",
    check: "notify",
    plant: (patient) =>
      patient.write(
        "pools: [{ name: north, machines: [1x1c1g] }]\nnotify: { mail: { command: [/nowhere/mail] } }\n",
      ),
    found: /there is no such file/,
    change: /put the program at/,
  },
  {
    name: "a program of a channel that others may change",
    check: "notify",
    plant: (patient) => {
      patient.program("tell.sh", 0o777);
      patient.write(
        `pools: [{ name: north, machines: [1x1c1g] }]\nnotify: { mail: { command: [${join(patient.folder, "tell.sh")}] } }\n`,
      );
    },
    found: /others may change what the service runs/,
    change: /^chmod go-w /,
  },
  {
    name: "a channel at a name that nobody knows",
    check: "notify",
    plant: (patient) =>
      patient.write(
        'pools: [{ name: north, machines: [1x1c1g] }]\nnotify: { chat: { webhook: "https://nowhere.invalid/x" } }\n',
      ),
    found: /the name is not known/,
    change: /getent hosts nowhere\.invalid/,
  },
  {
    name: "a channel at a port where nobody listens",
    check: "notify",
    plant: (patient) =>
      patient.write(
        'pools: [{ name: north, machines: [1x1c1g] }]\nnotify: { chat: { webhook: "http://[::1]:8080/x" }, ops: { webhook: "https://here/x" } }\n',
      ),
    found: /nobody takes a connection: connect ECONNREFUSED/,
    change: /start what listens there/,
  },
  {
    name: "a unit that ends jobs",
    check: "unit",
    plant: ({ files }) => void files.set("/unit", UNIT.replace("KillMode=process\n", "")),
    found: /jobs are ended with the service/,
    change: /KillMode=process under \[Service\]/,
  },
  {
    name: "a unit for a group that there is not",
    check: "unit",
    plant: ({ programs }) =>
      void programs.set("getent", (args) => (args.includes("croft") ? "status 2" : "staff:x:7:ann")),
    found: /no such Unix group/,
    change: /^groupadd --system croft$/,
  },
  {
    name: "a unit for a group that nobody is in",
    check: "unit",
    plant: ({ programs }) => void programs.set("getent", () => "croft:x:7:"),
    found: /nobody is in the group/,
    change: /^usermod -aG croft USER$/,
  },
  {
    name: "a unit that keeps users from their sockets",
    check: "unit",
    plant: ({ files }) => void files.set("/unit", UNIT.replace("Mode=0755", "Mode=0700")),
    found: /do not get to their sockets/,
    change: /RuntimeDirectoryMode=0755/,
  },
  {
    name: "a unit whose program is not there",
    check: "unit",
    plant: ({ programs }) => void programs.set("test", () => "status 1"),
    found: /\/usr\/bin\/croft cannot be run/,
    change: /npm install --global/,
  },
];

const toChange = (findings: readonly CheckedFinding[]): CheckedFinding[] =>
  findings.filter(({ change }) => change !== null);

describe("what croft doctor finds", () => {
  test("nothing on a farm that is all right, and something is said of each check", async () => {
    const findings = await new Patient().examine();
    expect(toChange(findings)).toEqual([]);
    expect([...new Set(findings.map(({ check }) => check))]).toEqual(checks.map(({ name }) => name));
  });

  test.each(faults)("$name", async ({ check, plant, found, change }) => {
    const patient = new Patient();
    await plant(patient);
    const findings = toChange(await patient.examine());
    expect(findings.map((each) => each.check)).toEqual([check]);
    expect(findings[0]?.found).toMatch(found);
    expect(findings[0]?.change).toMatch(change);
  });

  test("nothing of hooks, channels, users and engines of a file that is refused", async () => {
    const patient = new Patient();
    patient.write("pools: [{ name: north, machins: [1x1c1g], hooks: { prolog: /gone } }]\n");
    const told = (await patient.examine()).map(({ check }) => check);
    for (const check of ["users", "cgroups", "engine", "hooks", "notify"]) expect(told).not.toContain(check);
  });

  test("a wrong setting of an engine once, and what else is wrong with the engines", async () => {
    const patient = new Patient();
    const engine = "kind: kubernetes, namespace: croft, kubeconfig: /nowhere/config";
    patient.write(
      `pools: [{ name: north, engine: { ${engine} } }, { name: south, engine: { ${engine}, image: a b } }, { name: east, engine: { ${engine}, image: debian } }]\n`,
    );
    expect(toChange(await patient.examine()).map(({ check, what, found }) => [check, what, found])).toEqual([
      ["farm file", patient.farmFile, expect.stringMatching(/^pool north: engine kubernetes: image: give/)],
      [
        "engine",
        "pool south: the engine kubernetes",
        expect.stringMatching(/^engine kubernetes: image: give/),
      ],
      ["engine", "pool east: Kubernetes", expect.stringMatching(/there is no kubeconfig \/nowhere\/config/)],
    ]);
  });

  test("who may change a file that is refused", async () => {
    const patient = new Patient();
    patient.write("pools: 7\n");
    chmodSync(patient.farmFile, 0o666);
    expect(toChange(await patient.examine()).map(({ change }) => change)).toEqual([
      expect.stringMatching(/^chmod go-w/),
      expect.stringMatching(/^mend /),
    ]);
  });

  test("the version of a database that is in its log alone", async () => {
    const patient = new Patient();
    rmSync(join(patient.data, "croft.db"));
    const database = new Database(join(patient.data, "croft.db"));
    const findings = await patient.examine();
    database.close();
    expect(toChange(findings)).toEqual([]);
    expect(findings.find(({ check }) => check === "database")?.found).toBe(
      `version ${migrations.length}; this Croft knows ${migrations.length}`,
    );
  });

  test("nothing on Slurm and Kubernetes that are all right", async () => {
    const patient = new Patient();
    withSlurm(patient);
    expect(toChange(await patient.examine())).toEqual([]);
    await withKubernetes(patient, "");
    expect(toChange(await patient.examine())).toEqual([]);
  });

  test("nothing of a pool whose pods are scheduled, unless that command would refuse its settings", async () => {
    const patient = new Patient();
    await withKubernetes(patient, "");
    const settings = `kind: kubernetes, schedule: all, namespace: croft, kubeconfig: ${join(patient.folder, "kubeconfig")}`;
    const none = "preemption: { victim: none }\n";
    patient.write(`pools: [{ name: north, engine: { ${settings} } }]\n${none}`);
    expect(toChange(await patient.examine())).toEqual([]);
    expect(toChange(await patient.examine({ pool: "north" }))).toEqual([]);
    patient.write(`pools: [{ name: north, engine: { ${settings}, evict: true } }]\n${none}`);
    expect(toChange(await patient.examine())).toMatchObject([
      { check: "farm file", found: expect.stringContaining("evict: true has no effect") as string },
    ]);
  });

  test("no folder, socket or limit of a service where pods are scheduled, which may be in a pod", async () => {
    const patient = new Patient();
    await withKubernetes(patient, "");
    const settings = `kind: kubernetes, schedule: all, namespace: croft, kubeconfig: ${join(patient.folder, "kubeconfig")}`;
    patient.write(`pools: [{ name: north, engine: { ${settings} } }]\npreemption: { victim: none }\n`);
    patient.host = { ...patient.host, mayWrite: () => false, memoryMiB: 256 };
    const found = await patient.examine({ pool: "north" });
    expect(toChange(found)).toEqual([]);
    expect([...new Set(found.map(({ check }) => check))]).toEqual([
      "versions",
      "farm file",
      "clocks",
      "engine",
    ]);
    expect(toChange(await patient.examine({ pool: "nroth" }))).toMatchObject([
      { check: "farm file", what: "pool nroth", found: "the farm has no such pool" },
    ]);
  });

  test("nothing of the rights of a farm file that nobody can change, as one that a cluster puts into a pod", async () => {
    const patient = new Patient();
    const mount = join(patient.folder, "etc");
    mkdirSync(mount);
    chmodSync(mount, 0o777);
    const farmFile = join(mount, "farm.yaml");
    writeFileSync(farmFile, readFileSync(patient.farmFile));
    expect(toChange(await patient.examine({ farmFile }))).toMatchObject([
      { check: "farm file", found: expect.stringContaining("everybody may write to the folder") as string },
    ]);
    patient.host = { ...patient.host, isReadOnly: (path) => path === farmFile };
    expect(toChange(await patient.examine({ farmFile }))).toEqual([]);
  });

  test("nothing in the unit that is shipped", async () => {
    const patient = new Patient();
    const shipped = join(import.meta.dirname, "../../../examples/systemd/croft.service");
    patient.files.set("/unit", readFileSync(shipped, "utf8"));
    expect(toChange(await patient.examine())).toEqual([]);
  });

  test("all of several faults at once", async () => {
    const patient = new Patient();
    const chosen = faults.filter(({ name }) =>
      /old Node|Unix group|folder that others may read|others may write to|set back|zone|few open|no cgroups|hook that is not|full disk/.test(
        name,
      ),
    );
    expect(chosen).toHaveLength(10);
    for (const { plant } of chosen) await plant(patient);
    const findings = toChange(await patient.examine());
    for (const { check, found } of chosen)
      expect(findings.filter((each) => each.check === check && found.test(each.found))).toHaveLength(1);
    expect(findings).toHaveLength(chosen.length);
  });

  test("only the pool that is named is looked at, and one that there is not is told", async () => {
    const patient = new Patient();
    patient.write("pools: [{ name: north, engine: slurm }, { name: south, machines: [1x1c1g] }]\n");
    expect(toChange(await patient.examine()).map(({ what }) => what)).toEqual(["pool north: Slurm"]);
    expect(toChange(await patient.examine({ pool: "south" }))).toEqual([]);
    expect(toChange(await patient.examine({ pool: "west" })).map(({ found }) => found)).toEqual([
      "the farm has no such pool",
    ]);
  });

  test("a data folder that this user may not look into is told with what to do", async () => {
    const patient = new Patient();
    const user = { ...userInfo(), uid: userInfo().uid + 1, username: "other" };
    patient.host = { ...patient.host, user };
    const [finding] = toChange(await patient.examine()).filter(({ check }) => check === "data folder");
    expect(finding?.change).toContain(`sudo -u '#${userInfo().uid}' croft doctor`);
  });
});
