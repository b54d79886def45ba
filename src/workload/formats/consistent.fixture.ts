import { expect } from "vitest";

import type { CodedColumn, Workload } from "../workload.ts";

/** Fails the test where a column breaks what `Workload` promises of it. */
export function expectConsistent(workload: Workload): void {
  const { count } = workload;
  expect(count).toBeGreaterThan(0);
  const { submitSeconds, runtimeSeconds, coresMilli, memoryMiB, gpuMilli, tasks } = workload;
  const { estimateSeconds, jobNumber, recordedWaitSeconds, priority, notes } = workload;

  expect(
    submitSeconds.every(
      (submit, row) => Number.isFinite(submit) && submit >= (submitSeconds[row - 1] ?? submit),
    ),
  ).toBe(true);
  expect(runtimeSeconds.every((runtime) => runtime >= 0 && Number.isFinite(runtime))).toBe(true);
  expect(coresMilli.every((cores) => cores >= 1)).toBe(true);
  expect(memoryMiB?.every((memory) => memory >= 0) ?? true).toBe(true);
  expect(gpuMilli?.every((gpu) => gpu >= 0) ?? true).toBe(true);
  expect(tasks?.every((tasks) => tasks >= 1) ?? true).toBe(true);
  expect(estimateSeconds?.every((estimate) => !(estimate < 0)) ?? true).toBe(true);
  expect(recordedWaitSeconds?.every((wait) => !(wait < 0)) ?? true).toBe(true);
  for (const column of [submitSeconds, runtimeSeconds, coresMilli, memoryMiB, gpuMilli, tasks]) {
    expect(column?.length ?? count).toBe(count);
  }
  for (const column of [estimateSeconds, jobNumber, recordedWaitSeconds, priority]) {
    expect(column?.length ?? count).toBe(count);
    expect(column?.buffer ?? submitSeconds.buffer).toBeInstanceOf(SharedArrayBuffer);
  }
  const { project, user, queue, policy, requires, pools, site, group } = workload;
  for (const column of [project, user, queue, policy, requires, pools, site, group]) {
    if (column !== null) expectNamesFor(column, count);
  }
  if (workload.restartPools !== undefined) expectNamesFor(workload.restartPools, count);
  if (workload.licences !== undefined) expectNamesFor(workload.licences, count);
  if (workload.state !== undefined) expectNamesFor(workload.state, count);
  if (workload.nodes !== undefined) expectNamesFor(workload.nodes, count);
  expect(workload.arrayIndex?.length ?? count).toBe(count);
  expect(workload.arrayIndex?.every((index) => index >= -1) ?? true).toBe(true);
  for (const note of notes) {
    expect(note.what).not.toBe("");
    expect(note.count).toBeGreaterThan(0);
    expect(note.firstLine ?? 1).toBeGreaterThan(0);
  }
}

function expectNamesFor({ codes, names }: CodedColumn, count: number): void {
  expect(codes.length).toBe(count);
  expect(codes.every((code) => code >= 0 && code < names.length)).toBe(true);
}
