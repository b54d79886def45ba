import { afterEach, expect, it } from "vitest";

import { planFor, podOf, PodWorld } from "./world.fixture.ts";

let world: PodWorld;
afterEach(() => world.close());

/** The values of all series whose names have some beginning. */
async function measured(begin: string): Promise<Record<string, number>> {
  const lines = (await world.metrics.text()).split("\n").filter((line) => line.startsWith(begin));
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.lastIndexOf(" ");
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

it("count what is bound, refused, waits and is gated, as kube-scheduler names it", async () => {
  world = await PodWorld.make();
  world.node("n1", { cores: "2" });
  world.open();
  world.pod("a");
  world.pod("b");
  await world.placed("a", "b");
  world.pod("waits");
  world.pod("large", { cores: "8" });
  world.pod("gated", { schedulingGates: [{ name: "later" }] });
  world.pod("theirs", { schedulerName: "default-scheduler" });
  await world.told("waits", "WaitingForTurn");
  await world.told("large", "Unschedulable");
  await world.until("the third pod", () => world.schedulers[0].farm.pending.gated === 1);
  expect(await measured("scheduler_pending_pods")).toEqual({
    'scheduler_pending_pods{queue="active"}': 1,
    'scheduler_pending_pods{queue="backoff"}': 0,
    'scheduler_pending_pods{queue="unschedulable"}': 1,
    'scheduler_pending_pods{queue="gated"}': 1,
  });
  world.server.refusesBindings = 500;
  world.end("a");
  await world.told("waits", "BindFailed");
  expect(world.schedulers[0].farm.pending).toEqual({ active: 0, backoff: 1, unschedulable: 1, gated: 1 });
  world.server.refusesBindings = null;
  await world.placed("waits");
  await world.until("the answer", () => world.schedulers[0].farm.pending.backoff === 0);
  const attempts = await measured("scheduler_schedule_attempts_total");
  expect(attempts['scheduler_schedule_attempts_total{profile="croft",result="scheduled"}']).toBe(3);
  expect(
    attempts['scheduler_schedule_attempts_total{profile="croft",result="error"}'],
  ).toBeGreaterThanOrEqual(1);
  expect(await measured("scheduler_pod_scheduling_sli_duration_seconds_count")).toEqual({
    scheduler_pod_scheduling_sli_duration_seconds_count: 3,
  });
  const durations = await measured("scheduler_scheduling_attempt_duration_seconds_count");
  expect(
    durations['scheduler_scheduling_attempt_duration_seconds_count{profile="croft",result="scheduled"}'],
  ).toBe(3);
  expect(await measured("leader_election_master_status")).toEqual({
    'leader_election_master_status{name="croft-croft"}': 1,
  });
  const requests = await measured("rest_client_requests_total");
  expect(requests['rest_client_requests_total{code="500",method="POST"}']).toBeGreaterThanOrEqual(1);
  expect(requests['rest_client_requests_total{code="2xx",method="GET"}']).toBeGreaterThanOrEqual(2);
  expect((await measured("croft_turn_seconds_count"))["croft_turn_seconds_count"]).toBeGreaterThanOrEqual(3);
});

it("count evictions and their victims", async () => {
  world = await PodWorld.make(planFor({ victim: "lowest-priority" }));
  world.node("n1", { cores: "2" });
  for (const name of ["low", "lower"])
    world.server.set("pods", { ...podOf(name, { nodeName: "n1" }), status: { phase: "Running" } });
  world.open();
  world.pod("high", { cores: "2", priority: 10 });
  await world.told("high", "Preempting");
  expect(await measured("scheduler_preemption_attempts_total")).toEqual({
    scheduler_preemption_attempts_total: 1,
  });
  expect(await measured("scheduler_preemption_victims_sum")).toEqual({ scheduler_preemption_victims_sum: 2 });
});
