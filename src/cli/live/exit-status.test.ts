import { readFileSync } from "node:fs";

import { expect, it } from "vitest";

import { FarmError, NoAnswer } from "../../live/client/farm-error.ts";
import { InputError } from "../../workload/errors.ts";
import { EXIT_STATUS_HELP, liveStatuses, statusOfError, statusOfJob } from "./exit-status.ts";

it("is told in the documentation and in help as it is", () => {
  const page = readFileSync(new URL("../../../docs/live/submit.md", import.meta.url), "utf8");
  const [, section = ""] = page.split("### Exit status\n");
  const rows = [...section.split("\n## ")[0].matchAll(/^\| (\d+) +\| (.*?) +\|$/gm)];
  expect(rows.map(([, status, meaning]) => [Number(status), meaning])).toEqual(Object.values(liveStatuses));
  const help = EXIT_STATUS_HELP.replaceAll(/\s+/g, " ");
  for (const [status, meaning] of Object.values(liveStatuses))
    expect(help).toContain(`${status} ${meaning.replaceAll("`", "")}`);
});

it("has a status for each way to fail, and 1 for none of them", () => {
  const statuses = [
    new InputError("x"),
    new NoAnswer("x", "not"),
    new FarmError(503, "x"),
    new FarmError(404, "x"),
    ...[401, 403, 409, 413, 422, 429].map((status) => new FarmError(status, "x")),
    new FarmError(500, "x"),
    new Error("x"),
  ].map(statusOfError);
  expect(statuses).toEqual([2, 110, 110, 111, 112, 112, 112, 112, 112, 112, 117, 117]);
});

it("passes on the job's own status, and no other", () => {
  const itself = { kind: "exited", cause: "itself" };
  const of = (job: object, outcome: object | null): number =>
    statusOfJob({
      exitStatus: null,
      exitSignal: null,
      ...job,
      attempts: [{ outcome }],
    } as never);
  expect(of({ state: "ended", exitStatus: 0 }, itself)).toBe(0);
  for (const exitStatus of [1, 2, 110, 139, 255])
    expect(of({ state: "failed", exitStatus, exitSignal: null }, itself)).toBe(exitStatus);
  // A guess of the signal does not change the status.
  expect(of({ state: "failed", exitStatus: 139, exitSignal: 11 }, itself)).toBe(139);
  expect(of({ state: "failed", exitSignal: 9 }, itself)).toBe(137);
  for (const cause of ["time", "memory", "cores", "output", "outside"])
    for (const exitStatus of [0, 1, null])
      expect(of({ state: "failed", exitStatus, exitSignal: 15 }, { kind: "exited", cause })).toBe(116);
  expect(of({ state: "failed" }, { kind: "start-failed" })).toBe(116);
  expect(of({ state: "cancelled", exitSignal: 15 }, { kind: "exited", cause: "asked" })).toBe(113);
  expect(of({ state: "cancelled" }, null)).toBe(113);
  expect(of({ state: "rejected" }, null)).toBe(114);
  expect(of({ state: "lost" }, { kind: "lost" })).toBe(115);
});
