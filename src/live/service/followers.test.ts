import { expect, it } from "vitest";

import { Followers } from "./followers.ts";
import { Refusal } from "../refusal.ts";

const stays = new AbortController().signal;

it("tells those that wait, and those that come later, that the farm stops", async () => {
  const followers = new Followers();
  const waiting = followers.until(() => null, 60, stays);
  expect(followers.count).toBe(1);
  followers.stop();
  await expect(waiting).rejects.toThrow(
    new Refusal(503, "the farm is stopping: jobs run on, ask again when it serves"),
  );
  await expect(followers.until(() => 1, 60, stays)).rejects.toThrow("the farm is stopping");
  expect(followers.count).toBe(0);
});

it("finds what is there at once, what is written later, and nothing where the client has gone", async () => {
  const followers = new Followers();
  let found: number | null = 1;
  await expect(followers.until(() => found, 60, stays)).resolves.toBe(1);
  found = null;
  const waiting = followers.until(() => found, 60, stays);
  found = 2;
  followers.wake();
  await expect(waiting).resolves.toBe(2);
  found = null;
  const client = new AbortController();
  const left = followers.until(() => found, 60, client.signal);
  client.abort();
  await expect(left).resolves.toBeNull();
});
