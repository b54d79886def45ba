import { expect, it } from "vitest";

import { VirtualClock } from "../system/virtual-clock.fixture.ts";
import type { ApiAnswer, ApiFailure, Connection } from "./connection.ts";
import { forgivingStarts } from "./just-back.ts";

const FORBIDDEN = 'nodes is forbidden: User "croft" cannot list resource "nodes" at the cluster scope';

function failure(status: number | null, message = "a fault of the test"): ApiFailure {
  return { ok: false, status, reason: "", message, retryAfterSeconds: null };
}

/** How a server that answers like this is heard of, in calls and by watches. */
function server() {
  const clock = new VirtualClock();
  let answer: ApiAnswer = { ok: true, value: {} };
  const connection: Connection = {
    call: () => Promise.resolve(answer),
    follow: (_path, _query, _began, _receive, ended) => {
      ended(answer.ok ? null : answer);
      return () => undefined;
    },
    close: () => undefined,
  };
  const forgiving = forgivingStarts(connection, clock);
  return {
    clock,
    called: async (next: ApiAnswer): Promise<number | null> => {
      answer = next;
      const heard = await forgiving.call({ method: "GET", path: "/api/v1/nodes" });
      return heard.ok ? 200 : heard.status;
    },
    watched: (next: ApiFailure): number | null | undefined => {
      answer = next;
      let heard: number | null | undefined;
      forgiving.follow(
        "/api/v1/nodes",
        {},
        () => undefined,
        () => undefined,
        (ended) => (heard = ended?.status),
      );
      return heard;
    },
  };
}

it.each([null, 503])(
  "what is forbidden just after a server was away (%s) passes, for a while",
  async (away) => {
    const { called, watched, clock } = server();
    expect(await called(failure(away))).toBe(away);
    await clock.pass(2);
    expect([await called(failure(403, FORBIDDEN)), watched(failure(403, FORBIDDEN))]).toEqual([503, 503]);
    expect(await called(failure(403, 'pods "a" is forbidden: exceeded quota: q'))).toBe(403);
    await clock.pass(20);
    expect([await called(failure(403, FORBIDDEN)), watched(failure(403, FORBIDDEN))]).toEqual([403, 403]);
  },
);

it("a watch that breaks off tells that it is away, and others that are forbidden are told as they are", async () => {
  const { called, watched } = server();
  expect(await called(failure(403, FORBIDDEN))).toBe(403);
  expect(watched(failure(null))).toBe(null);
  expect(await called(failure(403, FORBIDDEN))).toBe(503);
});
