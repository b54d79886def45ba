import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { connect } from "../../src/live/engines/kubernetes/connection.ts";
import { serveLogs } from "../../src/live/engines/kubernetes/kubelet-logs.fixture.ts";
import { StandInKubelets } from "../../src/live/engines/kubernetes/kubelet.fixture.ts";
import type { JobView } from "../../src/live/store/job-views.ts";
import { hasKubernetes, KubernetesCluster } from "../kubernetes-cluster.fixture.ts";
import { grantRights } from "../kubernetes-rights.fixture.ts";
import { hasSlurm, SlurmCluster } from "../slurm-cluster.fixture.ts";
import { TestFarm } from "./farm.fixture.ts";

const run = promisify(execFile);
const isPossible = hasSlurm && hasKubernetes;
const skipped = isPossible
  ? ""
  : " (skipped: needs slurmctld, root, scripts/kubernetes/build-cluster.sh, and its folder in CROFT_KUBERNETES)";

describe.skipIf(!isPossible)(`one farm of this machine, Slurm and a namespace${skipped}`, () => {
  const slurm = new SlurmCluster();
  const kubernetes = new KubernetesCluster();
  const admin = connect(async () => ({
    server: kubernetes.url,
    tls: { rejectUnauthorized: false },
    headers: { authorization: `Bearer ${kubernetes.tokens.admin}` },
  }));
  const kubelets = new StandInKubelets(admin);
  const folder = mkdtempSync(join(tmpdir(), "croft-three-engines-"));
  const path = (name: string): string => join(folder, name);
  let closeLogs = (): void => undefined;

  beforeAll(async () => {
    chmodSync(slurm.folder, 0o711);
    await Promise.all([
      kubernetes.start(),
      slurm.start({
        nodes: 1,
        cores: 4,
        memoryMiB: 4000,
        partitions: ["batch"],
        settings: `
SelectTypeParameters=CR_CPU_Memory
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
MessageTimeout=5`,
      }),
    ]);
    await grantRights(admin, join(import.meta.dirname, "../../examples/kubernetes/own-jobs.yaml"));
    // A job is over for the farm only when its log has been read.
    const logs = await serveLogs((...log) => kubelets.serveLog(...log), folder);
    closeLogs = () => logs.close();
    kubelets.logPort = logs.port;
    await kubelets.register("node-1", true, 4);
    kubelets.open();
    writeFileSync(path("kubeconfig"), kubernetes.kubeconfig(kubernetes.tokens.service));
    writeFileSync(
      path("farm.yaml"),
      `
sites: [here]
pools:
  - { name: north, site: here, engine: { kind: slurm, config: ${slurm.configPath}, partition: batch, allowRoot: true } }
  - { name: cloud, site: here, engine: { kind: kubernetes, kubeconfig: ${path("kubeconfig")}, namespace: croft, image: image } }
  - { name: own, site: here, engine: { kind: local, allowRoot: true, cores: 8, memoryMiB: 8000 } }
virtualPools:
  - { name: all, site: here, pools: [north, cloud, own], routing: round-robin }
  - { name: only-north, site: here, pools: [north], routing: round-robin }
  - { name: only-cloud, site: here, pools: [cloud], routing: round-robin }
rescheduling: { strategy: ResSusUtil }
`,
    );
    // What pretended kubelets call a job that waits until it is let go; here it is one.
    mkdirSync(path("bin"));
    writeFileSync(
      path("bin/waiting"),
      `#!/bin/sh\necho x >>"${folder}/ran-$1"; while ! [ -e "${folder}/go-$1" ]; do sleep 0.05; done\n`,
      { mode: 0o755 },
    );
  });

  afterAll(async () => {
    kubelets.close();
    closeLogs();
    admin.close();
    await Promise.all([slurm.stop(), kubernetes.stop()]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it("suspends on Slurm and evicts in the namespace for a burst, and restarts elsewhere what had to leave", async () => {
    const farm = new TestFarm(["--farm", path("farm.yaml")]);
    await farm.serve();
    const jobOf = (number: string): Promise<JobView> => farm.client.get<JobView>(`/v1/jobs/${number}`);
    const runsHere = (name: string): number =>
      existsSync(path(`ran-${name}`)) ? readFileSync(path(`ran-${name}`), "utf8").length / 2 : 0;
    const squeue = async (): Promise<string[]> =>
      (await slurm.run("squeue", "-h", "-o", "%T")).split("\n").filter((line) => line !== "");
    const pods = async (): Promise<string[]> => {
      const args = ["--kubeconfig", kubernetes.kubeconfigPath, "get", "pods", "-n", "croft", "--no-headers"];
      const { stdout } = await run("kubectl", args);
      return stdout
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => line.split(/ +/)[0]);
    };
    const submit = async (name: string, pool: string, priority: number): Promise<string> => {
      const script = `PATH=${path("bin")}:$PATH; croft submit --pool ${pool} --cores 4 --priority ${priority} -- waiting ${name}`;
      const { status, stdout, stderr } = await farm.shell(script);
      expect(stderr).toBe("");
      expect(status).toBe(0);
      return stdout.trim();
    };
    const isAt = async (number: string, pool: string): Promise<boolean> => {
      const job = await jobOf(number);
      return job.pool === pool && job.state === "running";
    };
    const podOf = async (number: string, attempt: number): Promise<string> =>
      `croft-${(await jobOf(number)).id}-${attempt}`;

    const first = await submit("first", "all", 10);
    await slurm.until("the first runs on Slurm", () => isAt(first, "north"));
    const second = await submit("second", "all", 10);
    await slurm.until("the second runs in the namespace", () => isAt(second, "cloud"));
    expect(await squeue()).toEqual(["RUNNING"]);
    expect(await pods()).toEqual([await podOf(second, 1)]);

    const burst = await submit("burst", "only-north", 90);
    await slurm.until("the burst runs on Slurm", () => isAt(burst, "north"));
    await slurm.until("the first runs on this machine", () => isAt(first, "own"));
    await slurm.until("Slurm has one job", async () => (await squeue()).join() === "RUNNING");

    const other = await submit("other", "only-cloud", 90);
    await slurm.until("the other burst runs in the namespace", () => isAt(other, "cloud"));
    await slurm.until("the second runs on this machine", () => isAt(second, "own"));
    const burstPod = await podOf(other, 1);
    await slurm.until("the namespace has one pod", async () => (await pods()).join() === burstPod);

    // On Slurm and then here; here alone, since its first run was in a pod.
    expect([runsHere("first"), runsHere("second"), runsHere("burst")]).toEqual([2, 1, 1]);
    for (const name of ["first", "second", "burst"]) writeFileSync(path(`go-${name}`), "");
    kubelets.release({ job: (await jobOf(other)).id, attempt: 1 });
    expect((await farm.croft("wait", first, second, burst, other)).status).toBe(0);
    const kinds = async (number: string): Promise<string[]> =>
      (await farm.client.get<{ kind: string }[]>(`/v1/jobs/${number}/events`)).map(({ kind }) => kind);
    expect(await kinds(first)).toContain("suspended");
    expect(await kinds(second)).not.toContain("suspended");
    for (const number of [first, second])
      expect(await jobOf(number)).toMatchObject({ state: "ended", pool: "own", attempt: 2 });
  });
});
