import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { hasSlurm } from "../../../test/slurm-cluster.fixture.ts";
import { effective, type ExportRequest } from "../exporter.ts";
import { parseExportedFamilies } from "../exported-family.ts";
import { ExportCluster } from "./slurm-cluster.fixture.ts";
import { slurm } from "./slurm.ts";

const twoFamilies = parseExportedFamilies(["queue=ams", "queue=cms"]);

function exported(request: Partial<ExportRequest>) {
  return slurm.files(
    effective({ policy: "exclusive", families: twoFamilies, ttlSeconds: null, ...request }, slurm),
  );
}

function countOf(nodes: readonly string[], node: string): number {
  return nodes.filter((each) => each === node).length;
}

const skipped = hasSlurm ? "" : " (skipped: needs slurmctld and slurmd, and root)";
describe.skipIf(!hasSlurm)(`the export on a real Slurm of 4 nodes with 4 cores each${skipped}`, () => {
  let cluster: ExportCluster;

  beforeAll(async () => {
    cluster = new ExportCluster();
    const files = exported({});
    cluster.install(files);
    const settings = files.find(({ name }) => name === "slurm.conf.croft")!.text;
    await cluster.startWith(4, ["other", "ams", "cms"], cluster.installed(settings));
    await cluster.packing("sync");
  });

  afterAll(async () => {
    await cluster.stop();
  });

  /** Installs another policy, as the README says. */
  async function change(request: Partial<ExportRequest>) {
    await cluster.cancelAll();
    await cluster.packing("remove");
    cluster.install(exported(request));
    await cluster.packing("sync");
  }

  async function reserved(family: string): Promise<string> {
    const text = await cluster.run("scontrol", "-o", "show", "reservation", `croft_queue_${family}`);
    return /\bNodes=(\S*)/.exec(text)![1];
  }

  it("exclusive: keeps a family's jobs together and all others off their node", async () => {
    const [first] = await cluster.submit(1, "-p", "ams");
    await cluster.until("the first job's node is reserved", async () => /^n\d$/.test(await reserved("ams")));
    const node = await reserved("ams");
    expect(await cluster.nodesOf("ams")).toEqual([node]);

    // Under CR_LLN they would go to three other nodes.
    await cluster.submit(2, "-p", "ams");
    await cluster.until("they run", async () => (await cluster.nodesOf("ams")).length === 3);
    expect(await cluster.nodesOf("ams")).toEqual([node, node, node]);

    // 16 cores less the node's 4: one of them is free, and stays so.
    const others = await cluster.submit(14);
    await cluster.until("the others fill the other nodes", async () => {
      return (await cluster.nodesOf("other")).length === 12;
    });
    await cluster.until("the rest is known to wait", async () => {
      const reasons = await cluster.run("squeue", "-h", "-p", "other", "-t", "PENDING", "-o", "%r");
      return reasons.split("\n").every((reason) => ["Resources", "Priority"].includes(reason));
    });
    expect(countOf(await cluster.nodesOf("other"), node)).toBe(0);

    // Another family keeps off as well; the family itself finds the free core past the waiting jobs.
    await cluster.submit(1, "-p", "cms");
    await cluster.submit(1, "-p", "ams");
    await cluster.until("the family's job runs", async () => (await cluster.nodesOf("ams")).length === 4);
    expect(await cluster.nodesOf("ams")).toEqual([node, node, node, node]);
    expect(await cluster.nodesOf("cms")).toEqual([]);
    // The prolog counts a job, and the job is CONFIGURING until the prolog has ended.
    await cluster.until("its prolog has ended", async () => {
      const family = (await cluster.jobs()).filter(({ partition }) => partition === "ams");
      return family.every(({ state }) => state === "RUNNING");
    });
    expect(await cluster.packing("status")).toContain(`queue_ams: 4 jobs on 1 nodes; `);

    // The family is done with the node: the others take it.
    const family = (await cluster.jobs()).filter(({ partition }) => partition === "ams");
    expect(family.map(({ id }) => id)).toContain(first);
    await cluster.cancel(...family.map(({ id }) => id));
    await cluster.until(
      "all others run",
      async () => (await cluster.nodesOf("other")).length === others.length,
    );
    expect(countOf(await cluster.nodesOf("other"), node)).toBeGreaterThan(0);
    await cluster.until("the other family runs", async () => (await cluster.nodesOf("cms")).length === 1);
  });

  it("lets nobody take or leave a family's reservation", async () => {
    await cluster.cancelAll();
    await expect(cluster.submit(1, "--reservation=croft_queue_ams")).rejects.toThrow(/leave them out/);
    const change = (id: string, what: string) => cluster.run("scontrol", "update", `JobId=${id}`, what);
    const asked = (id: string) => cluster.run("squeue", "-h", "-j", id, "-o", "%v");

    const [other] = (await cluster.submit(1, "--hold")) as [string];
    await expect(change(other, "ReservationName=croft_queue_cms")).rejects.toThrow(/Unspecified error/);
    await expect(change(other, "Partition=ams")).rejects.toThrow(/Unspecified error/);
    expect(await asked(other)).toBe("(null)");

    const [family] = (await cluster.submit(1, "-p", "ams", "--hold")) as [string];
    await expect(change(family, "ReservationName=")).rejects.toThrow(/Unspecified error/);
    await expect(change(family, "Partition=other")).rejects.toThrow(/Unspecified error/);
    await change(family, "Nice=1");
    expect(await asked(family)).toBe("croft_queue_ams,croft_any_queue_ams");
  });

  it("tells jobs apart by user, group and account as well", async () => {
    const asked = async (...args: string[]) => {
      const [id] = (await cluster.submit(1, "--hold", ...args)) as [string];
      return cluster.run("squeue", "-h", "-j", id, "-o", "%v");
    };
    await change({ families: parseExportedFamilies(["project=chip", "group=root"]) });
    expect(await asked("-A", "chip")).toBe("croft_project_chip,croft_any_project_chip");
    expect(await asked("-A", "other")).toBe("croft_group_root,croft_any_group_root");
    await change({ families: parseExportedFamilies(["user=nobody", "user=root"]) });
    expect(await asked()).toBe("croft_user_root,croft_any_user_root");
  });

  it("leaves nodes to reservations of the site's own, and reserves the others", async () => {
    await change({});
    await cluster.run(
      "scontrol",
      "create",
      "reservation",
      "ReservationName=site",
      "StartTime=now+2days",
      "Duration=60",
      "Users=root",
      "Nodes=n1",
    );
    // Within its time limit a job may run there; the node cannot be reserved to the family.
    await cluster.submit(1, "-p", "ams", "-w", "n1", "-t", "10");
    await cluster.submit(1, "-p", "ams", "-w", "n3", "-t", "10");
    await cluster.until("one of the two nodes is reserved", async () => (await reserved("ams")) === "n3");
    await cluster.run("scontrol", "delete", "ReservationName=site");
    await cluster.packing("sync");
    expect(await reserved("ams")).toBe("n[1,3]");
  });

  it("exclusive with a TTL: frees a node that the family no longer comes to", async () => {
    await change({ ttlSeconds: 2 });
    await cluster.submit(1, "-p", "ams");
    await cluster.until("the first job's node is reserved", async () => /^n\d$/.test(await reserved("ams")));
    await cluster.submit(15);
    await cluster.until("the others use the node as well", async () => {
      await cluster.packing("sync");
      return (await cluster.nodesOf("other")).length === 15;
    });
    expect(await reserved("ams")).toBe("");
  });

  it("relaxed: keeps a family's jobs together and nobody off", async () => {
    await change({ policy: "relaxed" });
    await cluster.submit(1, "-p", "ams");
    await cluster.until("the first job's node is preferred", async () => /^n\d$/.test(await reserved("ams")));
    const node = await reserved("ams");
    await cluster.submit(2, "-p", "ams");
    await cluster.until("they run", async () => (await cluster.nodesOf("ams")).length === 3);
    expect(await cluster.nodesOf("ams")).toEqual([node, node, node]);
    await cluster.submit(13);
    await cluster.until("all others run", async () => (await cluster.nodesOf("other")).length === 13);
    expect(countOf(await cluster.nodesOf("other"), node)).toBe(1);
  });

  it("none: spreads a family's jobs, though the least loaded node has one of them", async () => {
    await change({ policy: "none" });
    await cluster.submit(1, "-p", "ams");
    await cluster.until("the first job's node is no longer preferred", async () => {
      return /^n\[|,/.test(await reserved("ams")) && (await reserved("ams")) !== "n[1-4]";
    });
    const [node] = await cluster.nodesOf("ams");
    // Every other node gets two jobs, so that the family's is the least loaded.
    const nodes = ["n1", "n2", "n3", "n4"].filter((each) => each !== node);
    for (const each of nodes) await cluster.submit(2, "-w", each);
    await cluster.until("they run", async () => (await cluster.nodesOf("other")).length === 6);
    await cluster.submit(1, "-p", "ams");
    await cluster.until("it runs", async () => (await cluster.nodesOf("ams")).length === 2);
    expect(new Set(await cluster.nodesOf("ams")).size).toBe(2);
  });
});
