import { expect, it } from "vitest";

import type { ApiRequest, Connection } from "../engines/kubernetes/connection.ts";
import { VirtualClock } from "../engines/system/virtual-clock.fixture.ts";
import type { ScheduledPod } from "./objects.ts";
import { Teller } from "./teller.ts";
import { podOf } from "./world.fixture.ts";

it("tells what was decided while the lease was lost when it is held again, and the latest of each pod", async () => {
  const sent: ApiRequest[] = [];
  const connection: Connection = {
    async call(request) {
      sent.push(request);
      return { ok: true, value: {} };
    },
    follow: () => () => undefined,
    close: () => undefined,
  };
  let isHeld = false;
  const clock = new VirtualClock();
  const teller = new Teller({ connection, clock, name: "croft", mayTell: () => isHeld });
  const pod = (name: string): ScheduledPod => {
    const made = podOf(name);
    return { ...made, metadata: { ...made.metadata, uid: name } } as ScheduledPod;
  };
  teller.tell(pod("a"), { reason: "WaitingForTurn", message: "first" });
  teller.tell(pod("a"), { reason: "WaitingForTurn", message: "second" });
  teller.tell(pod("b"), { reason: "WaitingForTurn", message: "third" });
  await teller.drop("b");
  await clock.pass(60);
  expect(sent).toEqual([]);
  isHeld = true;
  teller.go();
  await clock.pass(1);
  expect(
    sent.map(({ body }) => (body as { status: { conditions: { message: string }[] } }).status),
  ).toMatchObject([{ conditions: [{ message: "second" }] }]);
});
