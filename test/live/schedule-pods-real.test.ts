import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { connect } from "../../src/live/engines/kubernetes/connection.ts";
import type { Node } from "../../src/live/engines/kubernetes/objects.ts";
import type { ScheduledPod } from "../../src/live/pods/objects.ts";
import { byAge } from "../../src/live/pods/unit.ts";
import { unsupported, whyUnsupported } from "../../src/live/pods/unsupported.ts";
import { usedBy } from "../../src/live/engines/kubernetes/pod-use.ts";
import { croftIn, temporaryFolder } from "../cli/croft.fixture.ts";
import { hasWholeKubernetes } from "../kubernetes-cluster.fixture.ts";
import { conditionOf, containerOf, POD_GROUPS, PODS, PodsCluster } from "../pods-cluster.fixture.ts";
import { SchedulerProcess } from "../scheduler-process.fixture.ts";
import { RefusedPods } from "../refused-pods.fixture.ts";

const NODES = 6;
const skipped = hasWholeKubernetes
  ? ""
  : " (skipped: needs scripts/kubernetes/build-cluster.sh, and its folder in CROFT_KUBERNETES)";

let world: PodsCluster;
let scheduler: SchedulerProcess;

/** Returns when the scheduler has had a turn with all that was so before. */
let probes = 0;
async function turned(): Promise<void> {
  const name = `probe-${++probes}`;
  await world.makePod(name, {
    containers: [{ ...containerOf("1m", "1Mi"), ports: [{ containerPort: 80, hostPort: 80 }] }],
  });
  await world.until(
    `${name} is told`,
    async () => conditionOf((await world.pod(name))!)?.reason === "Unsupported",
  );
  await world.ask({ method: "DELETE", path: `${PODS}/${name}` });
}

describe.skipIf(!hasWholeKubernetes)(`pods of a real cluster${skipped}`, () => {
  beforeAll(async () => {
    world = await PodsCluster.make(NODES);
    scheduler = new SchedulerProcess(world);
  });
  afterEach(async () => {
    await scheduler.stop();
    await world.clear();
    // Whatever it did, its rights sufficed.
    expect(scheduler.takeSaid()).not.toMatch(/forbidden|cannot be seen|has failed/);
  });
  afterAll(() => world?.close());

  it("of plain Jobs are placed as simulated, also when others have ended", async () => {
    // In one turn, so that the order of their ages is the order of the log.
    const shapes = ["20m", "45m", "70m", "110m"].flatMap((cores) =>
      ["40Mi", "150Mi", "420Mi"].map((memory) => ({ cores, memory })),
    );
    const single = new Set<string>();
    for (let at = 0; at < 80; at++) {
      const pods = at % 2 === 0 ? 4 : 1;
      if (pods === 1) single.add(`job-${at}`);
      await world.job(`job-${at}`, { pods, ...shapes[(at * 7) % shapes.length] });
    }
    await world.until("200 pods", async () => (await world.pods()).length === 200);
    const order = (await world.pods()).sort(byAge);
    const jobOfPod = ({ metadata: { labels } }: ScheduledPod): string => labels!["job-name"];
    scheduler.start();
    await world.until("all are placed or told", async () =>
      (await world.pods()).every((pod) => pod.spec.nodeName !== undefined || conditionOf(pod) !== undefined),
    );
    const first = await world.pods();
    const ended = first
      .filter((pod) => single.has(jobOfPod(pod)) && pod.spec.nodeName !== undefined)
      .slice(0, 15);
    expect(ended).toHaveLength(15);
    for (const pod of ended) {
      await world.removeJob(jobOfPod(pod));
      await world.until("it is gone", async () => (await world.pod(pod.metadata.name)) === null);
      await turned();
    }
    const expected = await simulated(
      order,
      ended.map(({ metadata }) => metadata.name),
    );
    expect(new Set(expected.values()).size).toBe(NODES + 1);
    const live = async (): Promise<Map<string, string>> =>
      new Map(
        [...first.filter((pod) => ended.includes(pod)), ...(await world.pods())].map((pod) => [
          pod.metadata.name,
          pod.spec.nodeName ?? "",
        ]),
      );
    await world
      .until(
        "all are placed as simulated",
        async () => {
          const places = await live();
          return order.every(({ metadata: { name } }) => places.get(name) === expected.get(name));
        },
        30,
      )
      .catch(() => undefined);
    const places = await live();
    const both = (of: ReadonlyMap<string, string>) =>
      order.map(({ metadata: { name } }) => `${name} ${of.get(name)}`);
    expect(both(places)).toEqual(both(expected));
  });

  it("that ask for what is not supported are pending, with a condition and an event", async () => {
    scheduler.start();
    const term = [{ topologyKey: "zone", labelSelector: {} }];
    const near = { requiredDuringSchedulingIgnoredDuringExecution: term };
    const examples: Record<string, object> = {
      "pod affinity": { affinity: { podAffinity: near } },
      "pod anti-affinity": { affinity: { podAntiAffinity: near } },
      "topology spread": {
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule", labelSelector: {} },
        ],
      },
      volumes: { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }] },
      "host ports": {
        containers: [{ ...containerOf("10m", "10Mi"), ports: [{ containerPort: 80, hostPort: 80 }] }],
      },
      "other resources": {
        containers: [
          { name: "main", image: "image", resources: { requests: { "ephemeral-storage": "1Gi" } } },
        ],
      },
    };
    // This version of the API refuses an operator that it does not know, and drops a field.
    const unknown = [
      "operator of node affinity",
      "operator of tolerations",
      "resource claims",
      "workload reference",
    ];
    expect(new Set([...Object.keys(examples), ...unknown])).toEqual(
      new Set(unsupported.map(({ name }) => name)),
    );
    for (const [at, spec] of Object.values(examples).entries()) {
      const name = `unsupported-${at}`;
      await world.makePod(name, spec);
      const message = whyUnsupported({ metadata: { name, uid: "" }, spec } as never, "nvidia.com/gpu");
      const pod = await world.told(name, "Unsupported");
      expect([pod.spec.nodeName, conditionOf(pod)?.message]).toEqual([undefined, message]);
      await world.until(`an event of ${name}`, async () => (await world.eventsOf(name)).length > 0);
      expect(await world.eventsOf(name)).toEqual([`Unsupported: ${message}`]);
    }
    await world.makePod("too-large", { containers: [containerOf("2", "10Mi")] });
    expect(conditionOf(await world.told("too-large", "Unschedulable"))?.message).toBe(
      `0/${NODES} nodes can take it: ${NODES} have too few cores (cpu)`,
    );
  });

  it("of a gang that does not fit are bound none, and all when it does", async () => {
    scheduler.start();
    const gang = async (name: string, pods: number): Promise<void> => {
      await world.ask({
        method: "POST",
        path: POD_GROUPS,
        body: {
          apiVersion: "scheduling.x-k8s.io/v1alpha1",
          kind: "PodGroup",
          metadata: { name },
          spec: { minMember: pods },
        },
      });
      await world.job(name, {
        pods,
        cores: "600m",
        memory: "10Mi",
        labels: { "scheduling.x-k8s.io/pod-group": name },
      });
    };
    const ofGang = async (name: string): Promise<ScheduledPod[]> =>
      (await world.pods()).filter(({ metadata }) => metadata.labels?.["job-name"] === name);
    const allTold = (name: string, pods: number, reason: string): Promise<void> =>
      world.until(
        `${name} is told ${reason}`,
        async () => (await ofGang(name)).filter((pod) => conditionOf(pod)?.reason === reason).length === pods,
      );
    await world.makePod("runs", { containers: [containerOf("500m", "10Mi")] });
    await world.until("it runs", async () => (await world.pod("runs"))?.status?.phase === "Running");
    await gang("wide", NODES + 1);
    await allTold("wide", NODES + 1, "Unschedulable");
    await gang("narrow", NODES);
    await allTold("narrow", NODES, "WaitingForTurn");
    await turned();
    for (const name of ["wide", "narrow"])
      expect((await ofGang(name)).map(({ spec }) => spec.nodeName)).toEqual(
        Array((await ofGang(name)).length).fill(undefined),
      );
    await world.ask({ method: "DELETE", path: `${PODS}/runs` });
    await world.until(
      "it is on all nodes",
      async () => new Set((await ofGang("narrow")).map(({ spec }) => spec.nodeName)).size === NODES,
    );
    expect((await ofGang("wide")).filter(({ spec }) => spec.nodeName !== undefined)).toEqual([]);
  });

  it("and of kube-scheduler on the same nodes are refused by no kubelet, true races aside", async () => {
    world.cluster.startScheduler();
    const refused = new RefusedPods(world.admin, 950);
    try {
      scheduler.start();
      const shape = { cores: "300m", memory: "100Mi" };
      // One after the other nobody is refused.
      for (const [name, schedulerName] of [
        ["theirs", "default-scheduler"],
        ["ours", "croft"],
      ] as const) {
        await world.job(name, { pods: NODES, ...shape, schedulerName });
        await world.until(`${name} run`, async () => (await running(name)) === NODES);
      }
      expect(refused.all()).toEqual([]);
      await world.clear();
      // Both fill the nodes at the same time. What is refused is made again by its Job, and all come to run.
      const jobs = Array.from({ length: 8 }, (_, at) => `${at % 2 === 0 ? "ours" : "theirs"}-${at}`);
      await Promise.all(
        jobs.map((name) =>
          world.job(name, {
            pods: 8,
            cores: "70m",
            memory: "100Mi",
            schedulerName: name.startsWith("ours") ? "croft" : "default-scheduler",
          }),
        ),
      );
      for (const name of jobs) await world.until(`${name} run`, async () => (await running(name)) === 8);
      expect(refused.all().filter((each) => !each.isRace)).toEqual([]);
    } finally {
      refused.close();
      await world.cluster.kill("kube-scheduler");
    }
  });

  it("are nobody's to delete with the scheduler's token", async () => {
    const service = connect(async () => world.credentials(await world.serviceToken()));
    await world.makePod("a", {});
    const answer = await service.call({ method: "DELETE", path: `${PODS}/a` });
    service.close();
    expect(answer).toMatchObject({ ok: false, status: 403 });
  });
});

async function running(job: string): Promise<number> {
  const pods = await world.pods();
  return pods.filter(
    ({ metadata, status }) => metadata.labels?.["job-name"] === job && status?.phase === "Running",
  ).length;
}

/**
 * By pod: where `croft simulate` places it, on the nodes as `kubectl` lists them; empty: nowhere in that time. All are
 * submitted at once, and those that ended do so one after another.
 */
async function simulated(
  order: readonly ScheduledPod[],
  ended: readonly string[],
): Promise<Map<string, string>> {
  const folder = temporaryFolder();
  const seconds = (name: string): number => (ended.includes(name) ? 10 * (1 + ended.indexOf(name)) : 10_000);
  const lines = order.map((pod) => {
    const use = usedBy(pod, "none");
    return `0,${seconds(pod.metadata.name)},${use.coresMilli / 1000},${use.memoryMiB}`;
  });
  writeFileSync(join(folder, "jobs.csv"), `submit,runtime,cores,memory\n${lines.join("\n")}\n`);
  const nodes = await world.list<Node>("/api/v1/nodes");
  writeFileSync(join(folder, "nodes.json"), JSON.stringify({ kind: "NodeList", items: nodes }));
  const run = await croftIn(folder)(
    "simulate",
    "jobs.csv",
    "--machines",
    "nodes.json",
    "--policy",
    "mix-fit",
    "--interval",
    "0",
    "--schedule",
    "schedule.csv",
  );
  if (run.status !== 0) throw new Error(run.stderr);
  const [head, ...rows] = readFileSync(join(folder, "schedule.csv"), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  const [startAt, machineAt] = ["start", "machine"].map((name) => head.indexOf(name));
  return new Map(
    rows.map((row, at) => [order[at].metadata.name, Number(row[startAt]) < 10_000 ? row[machineAt] : ""]),
  );
}
