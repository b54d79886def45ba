import { parentPort, workerData } from "node:worker_threads";

import { InputError, type Workload } from "../../workload/index.ts";
import { resampled } from "../comparison/resampled.ts";
import { errorOfPlugin, loadPlugin } from "../settings/plugin.ts";
import type { Schedule } from "../schedule.ts";
import { simulate } from "../simulate.ts";
import type { RunReply, RunRequest, SentSchedule, WorkerInput } from "./messages.ts";

/** A worker thread: makes one run after the other, as it is told. */

const { workload, on, keepSchedule, plugin, modules } = workerData as WorkerInput;
const port = parentPort!;
for (const module of modules) ((await import(module)) as { register(): void }).register();
if (plugin !== null) await loadPlugin(plugin);

/** The log drawn last: the runs of one draw come one after the other. */
let last: { readonly draw: number; readonly log: Workload } | null = null;

function logOf(draw: number | null): Workload {
  if (draw === null) return workload;
  if (last?.draw !== draw) last = { draw, log: resampled(workload, draw) };
  return last.log;
}

port.on("message", ({ settings, draw, progress }: RunRequest) => {
  try {
    const { result, schedule } = simulate(logOf(draw), on, settings, {
      keepMachines: keepSchedule,
      progress,
    });
    const sent = keepSchedule ? plain(schedule) : null;
    port.postMessage({ kind: "done", result, schedule: sent } satisfies RunReply, buffersOf(sent));
  } catch (cause) {
    const error = (plugin === null ? null : errorOfPlugin(plugin, cause)) ?? cause;
    port.postMessage(
      error instanceof InputError
        ? ({ kind: "bad-input", message: error.message } satisfies RunReply)
        : ({ kind: "failed", error } satisfies RunReply),
    );
  }
});

function plain({ machines, ...columns }: Schedule): SentSchedule {
  return { ...columns, machines: machines?.toLists() ?? null };
}

/** The buffers to hand over. At the log's own pace the submissions are the workload's, which stay shared. */
function buffersOf(schedule: SentSchedule | null): ArrayBuffer[] {
  if (schedule === null) return [];
  const { submitSeconds, startSeconds, endSeconds, promisedSeconds, machines } = schedule;
  return [submitSeconds, startSeconds, endSeconds, promisedSeconds, machines?.only, machines?.lists]
    .map((array) => array?.buffer)
    .filter((buffer) => buffer instanceof ArrayBuffer);
}
