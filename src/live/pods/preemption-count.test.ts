import * as fc from "fast-check";
import { expect, it } from "vitest";

import type { Node } from "../engines/kubernetes/objects.ts";
import type { ScheduledPod } from "./objects.ts";
import { PodFarm } from "./pod-farm.ts";
import type { Start } from "./units.ts";
import type { Eviction } from "./preemptions.ts";
import { nodeOf, planFor, podOf } from "./world.fixture.ts";

const CORES = 4;
const NODES = ["n1", "n2", "n3"];
const GANG = "scheduling.x-k8s.io/pod-group";
/** Labels that budgets select by; of the first there are evictions enough, of the second none. */
const APPS = [null, null, "free", "kept", "some"] as const;

const act = fc.record({
  kind: fc.constantFrom(
    ...(["pod", "pod", "pod", "answered", "answered", "evicted", "evicted", "evicted"] as const),
    ...(["gone", "gone", "end", "seen", "seen", "seen", "time", "anew", "next"] as const),
  ),
  who: fc.nat(999).map((thousandths) => thousandths / 1000),
  cores: fc.constantFrom(1, 2, 3),
  priority: fc.constantFrom(3, 0, 1, 0, 2),
  app: fc.constantFrom(...APPS),
  flag: fc.constantFrom("", "", "", "", "never", "gang"),
});
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

const coresOf = ({ spec }: ScheduledPod): number => Number(spec.containers![0].resources!.requests!["cpu"]);
const priorityOf = ({ spec }: ScheduledPod): number => spec.priority ?? 0;
const isLeaving = ({ metadata }: ScheduledPod): boolean => metadata.deletionTimestamp !== undefined;
const appOf = ({ metadata }: ScheduledPod): string => metadata.labels?.["app"] ?? "";

const uidOf = ({ pod }: { readonly pod: ScheduledPod }): string => pod.metadata.uid;
const sum = (pods: readonly ScheduledPod[]): number => pods.map(coresOf).reduce((a, b) => a + b, 0);

/** A cluster as the API server has it, with budgets, beside a scheduler that is told of it late. */
class Cluster {
  farm = this.newFarm();
  readonly pods = new Map<string, ScheduledPod>();
  readonly budgets = new Map<string, number>([
    ["free", Infinity],
    ["kept", 0],
    ["some", 2],
  ]);
  sent: Start[] = [];
  evictions: Eviction[] = [];
  /** UIDs of pods that evictions have ended, once for each time. */
  readonly evicted: string[] = [];
  at = 1e6;
  private made = 0;

  private newFarm(): PodFarm {
    const farm = new PodFarm(planFor({ victim: "lowest-priority" }, { reserving: 0 }));
    for (const name of NODES) farm.seeNode(nodeOf(name, { cores: String(CORES) }) as unknown as Node);
    return farm;
  }

  /** The scheduler has died: the next one finds what the API server has. */
  next(): void {
    this.farm = this.newFarm();
    [this.sent, this.evictions] = [[], []];
    for (const pod of this.pods.values()) this.farm.seePod(pod);
  }

  add({ cores, priority, app, flag, who }: Act): void {
    const uid = `u${++this.made}`;
    const node = NODES[Math.floor(who * NODES.length)];
    // A pod of a gang is there already: nobody has to tell of its PodGroup.
    if (flag === "gang" && this.freeOf(node) < cores) return;
    const labels = { ...(app === null ? {} : { app }), ...(flag === "gang" ? { [GANG]: "g" } : {}) };
    const pod = podOf(`p${String(this.made).padStart(5, "0")}`, {
      cores: String(cores),
      memory: "0",
      priority,
      labels,
      ...(flag === "gang" ? { nodeName: node } : {}),
      ...(flag === "never" ? { preemptionPolicy: "Never" } : {}),
    });
    this.put({ ...pod, metadata: { ...pod.metadata, uid } } as ScheduledPod);
    this.farm.seePod(this.pods.get(uid)!);
  }

  put(pod: ScheduledPod): void {
    this.pods.set(pod.metadata.uid, pod);
  }

  remove(uid: string): void {
    this.pods.delete(uid);
    this.farm.removePod(uid);
  }

  turn(): void {
    this.sent.push(...this.farm.turn(this.at));
    for (const eviction of this.farm.preemptions.take()) {
      this.checkRoom(eviction);
      this.evictions.push(eviction);
    }
    for (const node of NODES) expect(this.freeOf(node)).toBeGreaterThanOrEqual(0);
  }

  answer({ pods }: Start): void {
    for (const { pod, node } of pods) {
      const now = this.pods.get(pod.metadata.uid);
      if (now === undefined) continue;
      expect(now.spec.nodeName).toBeUndefined();
      this.put({ ...now, spec: { ...now.spec, nodeName: node } });
      this.farm.bound(pod.metadata.uid, node);
    }
  }

  /** As the evictor does it, the budgets counted plainly. */
  evict(eviction: Eviction): void {
    const { preemptions } = this.farm;
    const victims = eviction.victims
      .map(({ pod }) => this.pods.get(pod.metadata.uid))
      .filter((pod) => pod !== undefined && !preemptions.isLeaving(pod)) as ScheduledPod[];
    const given = eviction.victims.map(({ pod }) => pod);
    const staying = given.filter(({ metadata }) => victims.some((pod) => pod.metadata.uid === metadata.uid));
    if (!preemptions.isWanted(eviction))
      return preemptions.refused(this.at, eviction, staying, null, () => false);
    this.check(eviction, victims);
    const forbidden = victims.find((pod) => (this.budgets.get(appOf(pod)) ?? Infinity) <= 0);
    for (const { pod, node } of eviction.preemptors) this.nominate(pod.metadata.uid, node);
    for (const pod of victims) {
      if (pod === forbidden) {
        for (const each of eviction.preemptors) this.nominate(each.pod.metadata.uid, null);
        const at = victims.indexOf(pod);
        const left = staying.filter(({ metadata }) =>
          victims.slice(at).some((each) => each.metadata.uid === metadata.uid),
        );
        return preemptions.refused(
          this.at,
          eviction,
          left,
          { name: "budget", message: "refused" },
          (each) => appOf(each) === appOf(pod) && appOf(pod) !== "",
        );
      }
      const { uid } = pod.metadata;
      const app = appOf(pod);
      if (this.budgets.has(app)) this.budgets.set(app, this.budgets.get(app)! - 1);
      this.put({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } });
      this.evicted.push(uid);
      preemptions.leaves(uid);
    }
    preemptions.evicted(eviction);
  }

  private nominate(uid: string, node: string | null): void {
    const pod = this.pods.get(uid);
    if (pod === undefined) return;
    const { nominatedNodeName: _, ...status } = pod.status!;
    this.put({ ...pod, status: node === null ? status : { ...status, nominatedNodeName: node } });
    this.farm.preemptions.nominate(uid, node);
  }

  /** As many are decided on as make room, and no more: counted from the pods alone. */
  private checkRoom({ node, victims, preemptors }: Eviction): void {
    const { preemptions } = this.farm;
    const given = victims.map(({ pod }) => pod.metadata.uid);
    const leaving = (decided: readonly Eviction[]): number => {
      const uids = new Set([...given, ...decided.flatMap((each) => each.victims.map(uidOf))]);
      return sum(
        [...this.pods.values()].filter(
          (pod) => pod.spec.nodeName === node && (preemptions.isLeaving(pod) || uids.has(pod.metadata.uid)),
        ),
      );
    };
    const wanted = sum(preemptors.map(({ pod }) => pod));
    // An earlier decision may be taken back, or not: who it was for is gone.
    const most = this.freeOf(node) + leaving(this.evictions);
    const least = this.freeOf(node) + leaving(this.evictions.filter((each) => preemptions.isWanted(each)));
    const isTight = victims.every(({ pod }) => preemptions.isLeaving(pod) || least - coresOf(pod) < wanted);
    expect([node, most >= wanted, isTight]).toEqual([node, true, true]);
  }

  /** Who may be evicted: counted from the pods alone. */
  private check({ node, preemptors }: Eviction, victims: readonly ScheduledPod[]): void {
    const wanting = preemptors
      .map(({ pod }) => this.pods.get(pod.metadata.uid))
      .filter((pod) => pod !== undefined && pod.spec.nodeName === undefined) as ScheduledPod[];
    // One that says Never may start beside the others.
    const highest = Math.max(
      ...wanting.filter(({ spec }) => spec.preemptionPolicy !== "Never").map(priorityOf),
    );
    const problems = [
      ...victims.filter((pod) => pod.spec.nodeName !== node).map(() => "a victim is elsewhere"),
      ...victims
        .filter((pod) => priorityOf(pod) >= highest)
        .map(() => "a victim is as urgent as all who may have it evicted"),
      ...victims.filter(({ metadata }) => metadata.labels?.[GANG] !== undefined).map(() => "of a gang"),
    ];
    expect([problems, { node, victims: victims.length }]).toEqual([[], { node, victims: victims.length }]);
  }

  freeOf(node: string): number {
    let free = CORES;
    for (const pod of this.pods.values()) if (pod.spec.nodeName === node) free -= coresOf(pod);
    for (const { pods } of this.sent)
      for (const { pod, node: to } of pods) {
        const now = this.pods.get(pod.metadata.uid);
        if (to === node && now !== undefined && now.spec.nodeName === undefined) free -= coresOf(pod);
      }
    return free;
  }
}

it("pods are evicted for more urgent ones alone, as many as are needed, as budgets allow, and once", () => {
  let evictions = 0;
  fc.assert(
    fc.property(fc.array(act, { minLength: 30, maxLength: 100, size: "max" }), (acts) => {
      const cluster = new Cluster();
      const pick = <Value>(values: readonly Value[], who: number): Value | undefined =>
        values[Math.floor(who * values.length)];
      for (const each of acts) {
        const { kind, who } = each;
        const { farm, pods } = cluster;
        cluster.at += 0.1;
        const all = [...pods.values()];
        if (kind === "pod") cluster.add(each);
        else if (kind === "answered") cluster.sent.splice(0, 1).forEach((start) => cluster.answer(start));
        else if (kind === "evicted") cluster.evictions.splice(0, 1).forEach((one) => cluster.evict(one));
        else if (kind === "seen") {
          const pod = pick(all, who);
          if (pod !== undefined) farm.seePod(pod);
        } else if (kind === "gone" || kind === "end") {
          const pod = pick(
            all.filter((one) => kind === "end" || isLeaving(one)),
            who,
          );
          if (pod !== undefined) cluster.remove(pod.metadata.uid);
        } else if (kind === "time") cluster.at += 40;
        else if (kind === "anew") farm.forget();
        else cluster.next();
        cluster.turn();
      }
      // In the end all is answered, seen and gone that is to go.
      for (let rounds = 0; rounds < 60; rounds++) {
        for (const start of cluster.sent.splice(0)) cluster.answer(start);
        for (const eviction of cluster.evictions.splice(0)) cluster.evict(eviction);
        for (const pod of cluster.pods.values())
          if (isLeaving(pod)) cluster.remove(pod.metadata.uid);
          else cluster.farm.seePod(pod);
        cluster.at += 2;
        cluster.turn();
      }
      // What budgets forbid is tried now and then.
      expect(cluster.sent).toEqual([]);
      expect(new Set(cluster.evicted).size).toBe(cluster.evicted.length);
      evictions += cluster.evicted.length;
      const all = [...cluster.pods.values()];
      for (const pod of all) {
        if (pod.spec.nodeName !== undefined) continue;
        const may = pod.spec.preemptionPolicy !== "Never";
        const wouldFit = NODES.filter((node) => {
          const evictable = all.filter(
            (each) =>
              may &&
              each.spec.nodeName === node &&
              priorityOf(each) < priorityOf(pod) &&
              each.metadata.labels?.[GANG] === undefined &&
              (appOf(each) === "" || appOf(each) === "free"),
          );
          const room = cluster.freeOf(node) + evictable.map(coresOf).reduce((a, b) => a + b, 0);
          return room >= coresOf(pod);
        });
        expect([pod.metadata.name, wouldFit]).toEqual([pod.metadata.name, []]);
      }
    }),
    { numRuns: 200 },
  );
  expect(evictions).toBeGreaterThan(30);
});
