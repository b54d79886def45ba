import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Node } from "../engines/kubernetes/objects.ts";
import type { ScheduledPod } from "./objects.ts";
import { PodFarm } from "./pod-farm.ts";
import type { Start } from "./units.ts";
import { nodeOf, planFor, podOf } from "./world.fixture.ts";

/** What may happen, with the number of whom it happens to, from 0 to 1. */
const acts = [
  "pod",
  "pod",
  "pod",
  "end",
  "end",
  "answered",
  "answered",
  "answered",
  "refused",
  "seen",
  "seen",
  "foreign",
  "node",
  "node gone",
  "node back",
  "anew",
  "time",
] as const;
const act = fc.record({
  kind: fc.constantFrom(...acts),
  who: fc.double({ min: 0, max: 0.999, noNaN: true }),
  cores: fc.integer({ min: 1, max: 3 }),
});

const CORES = 4;

/** A cluster as the API server has it, beside what the scheduler has been told of it, late and in any order of pods. */
class Cluster {
  /** No pod keeps a node free, so that any starts where there is room. */
  readonly farm = new PodFarm(planFor({}, { reserving: 0 }));
  readonly pods = new Map<string, ScheduledPod>();
  readonly nodes = new Set<string>();
  readonly away = new Set<string>();
  /** Binds that were sent, and have no answer yet. */
  readonly sent: Start[] = [];
  readonly binds = new Map<string, number>();
  at = 1e6;
  private made = 0;

  add(cores: number, spec: object = {}): void {
    const uid = `u${++this.made}`;
    const pod = podOf(`p${String(this.made).padStart(5, "0")}`, {
      cores: String(cores),
      memory: "0",
      ...spec,
    });
    const whole = { ...pod, metadata: { ...pod.metadata, uid, resourceVersion: "1" } } as ScheduledPod;
    this.pods.set(uid, whole);
    this.farm.seePod(whole);
  }

  addNode(): void {
    const name = `n${++this.made}`;
    this.nodes.add(name);
    this.farm.seeNode(nodeOf(name, { cores: String(CORES) }) as unknown as Node);
  }

  /** With the pods that are still on it. */
  back(node: string): void {
    this.away.delete(node);
    this.nodes.add(node);
    this.farm.seeNode(nodeOf(node, { cores: String(CORES) }) as unknown as Node);
  }

  turn(): void {
    const starts = this.farm.turn(this.at);
    for (const { pods } of starts)
      for (const { pod } of pods) expect(this.pods.get(pod.metadata.uid)?.spec.nodeName).toBeUndefined();
    this.sent.push(...starts);
    this.check();
  }

  /** The API server takes a binding, unless the pod is gone or bound. */
  answer({ unit, pods }: Start, isTaken: boolean): void {
    for (const { pod, node } of pods) {
      const { uid } = pod.metadata;
      const now = this.pods.get(uid);
      if (now === undefined) this.farm.settled(uid);
      else if (!isTaken) this.farm.failed(this.at, unit, "refused");
      else {
        expect(now.spec.nodeName).toBeUndefined();
        this.pods.set(uid, { ...now, spec: { ...now.spec, nodeName: node } });
        this.binds.set(uid, (this.binds.get(uid) ?? 0) + 1);
        this.farm.bound(uid, node);
      }
    }
  }

  /** No node is given more than it has: what is on it, and what is about to be. */
  check(): void {
    const used = new Map<string, number>();
    const take = (pod: ScheduledPod | undefined, node: string): void => {
      const cores = Number(pod?.spec.containers?.[0]?.resources?.requests?.["cpu"] ?? 0);
      used.set(node, (used.get(node) ?? 0) + cores);
    };
    for (const pod of this.pods.values()) if (pod.spec.nodeName !== undefined) take(pod, pod.spec.nodeName);
    for (const { pods } of this.sent)
      for (const { pod, node } of pods) take(this.pods.get(pod.metadata.uid), node);
    for (const [node, cores] of used) expect([node, cores <= CORES]).toEqual([node, true]);
  }

  freeWithoutOurs(node: string): number {
    let free = CORES;
    for (const { spec } of this.pods.values())
      if (spec.nodeName === node && spec.schedulerName !== "croft")
        free -= Number(spec.containers![0].resources!.requests!["cpu"]);
    return free;
  }

  freeOf(node: string): number {
    let free = CORES;
    for (const { spec } of this.pods.values())
      if (spec.nodeName === node) free -= Number(spec.containers![0].resources!.requests!["cpu"]);
    return free;
  }
}

describe("pods as jobs", () => {
  it("fill no node beyond what it has, are bound once, and start where there is room", () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 120 }), (list) => {
        const cluster = new Cluster();
        const { farm, pods, nodes, sent } = cluster;
        cluster.addNode();
        const pick = <Value>(values: Iterable<Value>, who: number): Value | undefined => {
          const all = [...values];
          return all[Math.floor(who * all.length)];
        };
        for (const { kind, who, cores } of list) {
          cluster.at += 0.1;
          if (kind === "pod") cluster.add(cores);
          else if (kind === "end") {
            const uid = pick(pods.keys(), who);
            if (uid !== undefined) {
              pods.delete(uid);
              farm.removePod(uid);
            }
          } else if (kind === "answered" || kind === "refused") {
            const start = sent.splice(Math.floor(who * sent.length), 1)[0];
            if (start !== undefined) cluster.answer(start, kind === "answered");
          } else if (kind === "seen") {
            const pod = pick(pods.values(), who);
            if (pod !== undefined) farm.seePod(pod);
          } else if (kind === "foreign") {
            const node = pick(
              [...nodes].filter((each) => cluster.freeOf(each) >= cores && sent.length === 0),
              who,
            );
            if (node !== undefined) cluster.add(cores, { schedulerName: "other", nodeName: node });
          } else if (kind === "node") cluster.addNode();
          else if (kind === "node gone") {
            const node = pick(nodes, who);
            if (node !== undefined && nodes.delete(node)) farm.removeNode(node);
            if (node !== undefined) cluster.away.add(node);
          } else if (kind === "node back") {
            const node = pick(cluster.away, who);
            if (node !== undefined) cluster.back(node);
          } else if (kind === "time") cluster.at += 100;
          else farm.forget();
          cluster.turn();
        }
        // In the end all is answered, and whoever has failed is tried again.
        for (let rounds = 0; rounds < 3; rounds++) {
          for (const start of sent.splice(0)) cluster.answer(start, true);
          cluster.at += 100;
          cluster.turn();
        }
        expect(sent).toEqual([]);
        for (const count of cluster.binds.values()) expect(count).toBe(1);
        for (const { spec, metadata } of pods.values()) {
          if (spec.nodeName !== undefined) continue;
          const cores = Number(spec.containers![0].resources!.requests!["cpu"]);
          const room = [...nodes].filter((node) => cluster.freeOf(node) >= cores);
          expect([metadata.uid, room]).toEqual([metadata.uid, []]);
          // All that is on nodes is there by our choice or others', and only theirs is in the way for good.
          const wide = [...nodes].some((node) => cluster.freeWithoutOurs(node) >= cores);
          const reason = cluster.farm.waiting.verdicts.get(metadata.uid)?.reason;
          expect([metadata.uid, reason]).toEqual([metadata.uid, wide ? "WaitingForTurn" : "Unschedulable"]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("keep their family's nodes while they are being bound, also where a new decision engine is needed", () => {
    const farm = new PodFarm(planFor({ familyLabel: "flow", packing: "exclusive" }));
    farm.seeNode(nodeOf("n1") as unknown as Node);
    const see = (name: string, flow: string, priority: number): void => {
      const pod = podOf(name, { labels: { flow }, priority });
      const metadata = { ...pod.metadata, uid: name, resourceVersion: "1" };
      farm.seePod({ ...pod, metadata });
    };
    const started = (at: number): string[] => farm.turn(at).flatMap(({ unit }) => [...unit.uids]);
    see("a", "one", 0);
    expect(started(1000)).toEqual(["a"]);
    // A priority that is not known yet has all begun anew.
    see("b", "other", 5);
    see("c", "one", 5);
    expect(started(1001)).toEqual([]);
    farm.bound("a", "n1");
    expect(started(1002)).toEqual(["c"]);
  });

  it("are placed by a new scheduler as by the one before", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 30 }), (sizes) => {
        const cluster = new Cluster();
        for (let node = 0; node < 3; node++) cluster.addNode();
        for (const cores of sizes) cluster.add(cores);
        cluster.turn();
        for (const start of cluster.sent.splice(0)) cluster.answer(start, true);
        const next = new PodFarm(planFor());
        for (const node of cluster.nodes)
          next.seeNode(nodeOf(node, { cores: String(CORES) }) as unknown as Node);
        for (const pod of cluster.pods.values()) next.seePod(pod);
        expect(next.turn(cluster.at)).toEqual([]);
        const free = (farm: PodFarm): number => farm.freeCoresMilli;
        cluster.turn();
        expect(free(next)).toBe(free(cluster.farm));
      }),
    );
  });
});
