import { describe, expect, it } from "vitest";

import type { ExitFile } from "../wrapper/attempt-folder.ts";
import { newAttempt, type SlurmAttempt } from "./attempt.ts";
import { decide, type Patience, type View } from "./decide.ts";
import type { SlurmJob } from "./queue.ts";

const id = { job: "00000000-0000-4000-8000-000000000000", attempt: 1 };
const NOW = 1000;
const patience: Patience = { startSeconds: 300, lostSeconds: 60 };
const claim = {
  kind: "claim",
  pid: 1,
  startTicks: 1,
  boot: "b",
  monotonicSeconds: 100,
  slurmJob: "7",
  machine: "n1",
} as const;
const exit: ExitFile = {
  status: 4,
  signal: null,
  monotonicSeconds: 130.5,
  cpuSeconds: 2,
  unixSeconds: 1e9,
  refused: null,
};

function job(state: string, change: Partial<SlurmJob> = {}): SlurmJob {
  const nodes = state === "PENDING" ? "" : "n1";
  return { id: "7", state, uid: 0, reason: "None", usedSeconds: 10, nodes, name: "", comment: "", ...change };
}

/** A view of an attempt that nobody has claimed. */
function unclaimed(
  attempt: Partial<SlurmAttempt>,
  jobs: readonly SlurmJob[],
  view: Partial<View> = {},
): View {
  const note = {
    placement: [],
    limits: { memoryMiB: null, coresMilli: null, seconds: 50, graceSeconds: 5 },
    user: null,
  };
  return {
    now: NOW,
    attempt: { ...newAttempt(id, note), isWanted: true, ...attempt },
    jobs,
    start: null,
    exit: null,
    wasStartedAgain: false,
    areMachinesUp: true,
    registeredSince: 0,
    ...view,
  };
}

/** A view of one that is known to have started, as job 7. */
function claimed(attempt: Partial<SlurmAttempt>, jobs: readonly SlurmJob[], view: Partial<View> = {}): View {
  return unclaimed({ claim, state: "running", ...attempt }, jobs, {
    start: { record: claim, unixSeconds: 1e9 },
    ...view,
  });
}

const HELD = job("PENDING", { reason: "JobHeldUser" });
const since = (seconds: number): Partial<SlurmAttempt> => ({ oddSince: NOW - seconds });
const WAIT = { do: "wait", isOdd: false };
const ODD = { do: "wait", isOdd: true };
const fence = (fault: string) => ({ do: "fence", outcome: { kind: "start-failed", fault } });

describe("an attempt that has not started", () => {
  it.each<[string, View, object]>([
    ["is submitted where Slurm does not know it", unclaimed({}, []), { do: "submit" }],
    [
      "is not, before the last submission can have been answered",
      unclaimed({ submittedAt: NOW - 2 }, []),
      WAIT,
    ],
    ["is again, where Slurm has lost it", unclaimed({ submittedAt: NOW - 6 }, []), { do: "submit" }],
    ["is not, where this service was not asked for it", unclaimed({ isWanted: false }, []), WAIT],
    [
      "is not, where it is to end",
      unclaimed({ ending: "asked" }, []),
      { do: "fence", outcome: { cause: "never-ran" } },
    ],
    ["waits with its job", unclaimed(since(299), [job("PENDING", { reason: "Resources" })]), ODD],
    [
      "waits with its job no longer than patience lasts",
      unclaimed(since(300), [job("PENDING")]),
      fence("transient"),
    ],
    [
      "waits less long where its machine is not up",
      unclaimed(since(60), [job("PENDING")], { areMachinesUp: false }),
      fence("machine"),
    ],
    ["waits for the claim of a job that runs", unclaimed(since(299), [job("RUNNING")]), ODD],
    ["does not for ever", unclaimed(since(300), [job("RUNNING")]), fence("machine")],
    [
      "is given up where Slurm never starts it",
      unclaimed({}, [job("PENDING", { reason: "BadConstraints" })]),
      fence("machine"),
    ],
    [
      "is given up where the launch failed",
      unclaimed({}, [job("PENDING", { reason: "launch failed requeued held" })]),
      fence("machine"),
    ],
    [
      "waits where somebody holds it",
      unclaimed(since(10), [job("PENDING", { reason: "JobHeldAdmin" })]),
      ODD,
    ],
    [
      "keeps the job that runs of two",
      unclaimed({}, [job("PENDING"), job("RUNNING", { id: "9" })]),
      { do: "cancel", job: { id: "7" } },
    ],
    [
      "keeps the older of two that wait",
      unclaimed({}, [job("PENDING", { id: "10" }), job("PENDING", { id: "9" })]),
      { do: "cancel", job: { id: "10" } },
    ],
    ["waits a little for a record, where its job is over", unclaimed(since(4), [job("FAILED")]), ODD],
    [
      "has failed, where its job is over without a claim",
      unclaimed(since(5), [job("FAILED")]),
      fence("machine"),
    ],
    ["was cancelled by somebody", unclaimed(since(5), [job("CANCELLED")]), fence("transient")],
    ["had a machine that failed", unclaimed(since(5), [job("NODE_FAIL")]), fence("machine")],
    [
      "starts when its claim is there",
      unclaimed({}, [], { start: { record: claim, unixSeconds: 1 } }),
      { do: "began" },
    ],
    [
      "has not, where its wrapper could not come to the job",
      unclaimed({}, [], {
        start: { record: claim, unixSeconds: 1 },
        exit: { ...exit, refused: "no such folder" },
      }),
      { do: "finish", outcome: { kind: "start-failed", fault: "job", reason: "no such folder" } },
    ],
    [
      "waits for a claim that is being written",
      unclaimed(since(59), [], { start: { record: null, unixSeconds: 1 } }),
      ODD,
    ],
    [
      "is lost where the claim cannot be read",
      unclaimed(since(60), [], { start: { record: null, unixSeconds: 1 } }),
      { do: "finish", outcome: { kind: "lost" } },
    ],
  ])("%s", (_, view, step) => {
    expect(decide(view, patience)).toMatchObject(step);
  });
});

describe("an attempt that has started", () => {
  it.each<[string, View, object]>([
    ["runs", claimed({}, [job("RUNNING")]), WAIT],
    [
      "is ended above its time",
      claimed({}, [job("RUNNING", { usedSeconds: 51 })]),
      { do: "end", cause: "time" },
    ],
    ["is suspended", claimed({ requestedState: "suspended" }, [job("RUNNING")]), { do: "suspend" }],
    [
      "is said to be suspended when it is",
      claimed({ requestedState: "suspended" }, [job("SUSPENDED")]),
      { do: "say", state: "suspended" },
    ],
    [
      "is said so too where nobody wished it",
      claimed({}, [job("SUSPENDED")]),
      { do: "say", state: "suspended" },
    ],
    [
      "is resumed",
      claimed({ state: "suspended", requestedState: "running" }, [job("SUSPENDED")]),
      { do: "resume" },
    ],
    [
      "is said to run when it does",
      claimed({ state: "suspended", requestedState: "running" }, [job("RUNNING")]),
      { do: "say", state: "running" },
    ],
    ["is asked to end", claimed({ ending: "asked", killAt: NOW + 5 }, [job("RUNNING")]), { do: "terminate" }],
    [
      "is asked once",
      claimed({ ending: "asked", killAt: NOW + 5, isTerminated: true }, [job("RUNNING")]),
      WAIT,
    ],
    [
      "is made to end",
      claimed({ ending: "asked", killAt: NOW, isTerminated: true }, [job("RUNNING")]),
      { do: "cancel" },
    ],
    [
      "is woken to be asked",
      claimed({ ending: "asked", killAt: NOW + 5 }, [job("SUSPENDED")]),
      { do: "resume" },
    ],
    [
      "is made to end where it cannot be woken",
      claimed({ ending: "asked", killAt: NOW + 5, isTerminated: true }, [job("SUSPENDED")]),
      { do: "cancel" },
    ],
    [
      "is left to end",
      claimed({ ending: "asked", killAt: NOW - 9, isTerminated: true }, [job("COMPLETING")]),
      WAIT,
    ],
    [
      "is asked later where it was just resumed",
      claimed({ ending: "asked", killAt: NOW + 5, resumedAt: NOW - 2 }, [job("RUNNING")]),
      WAIT,
    ],
    [
      "is not started again where Slurm has forgotten that it runs",
      claimed({}, [job("PENDING")]),
      { do: "hold" },
    ],
    [
      "is not cancelled then, as its processes would run on",
      claimed({ ending: "asked", killAt: NOW }, [job("PENDING")]),
      { do: "hold" },
    ],
    ["may run on until its node has registered", claimed(since(599), [HELD], { registeredSince: null }), ODD],
    ["may run on for a while then", claimed(since(599), [HELD], { registeredSince: NOW - 59 }), ODD],
    [
      "is lost then",
      claimed(since(599), [HELD], { registeredSince: NOW - 60 }),
      { do: "finish", outcome: { kind: "lost" } },
    ],
    [
      "has ended as was wished then",
      claimed({ ...since(599), ending: "asked" }, [HELD], { registeredSince: NOW - 60 }),
      { do: "finish", outcome: { kind: "exited", cause: "asked" } },
    ],
    [
      "has ended by itself before its node has registered",
      claimed(since(5), [HELD], { exit, registeredSince: null }),
      { do: "finish", outcome: { kind: "exited", status: 4, cause: "itself" } },
    ],
    [
      "may run on for long where somebody cancelled what Slurm had forgotten",
      claimed(since(599), [job("CANCELLED", { nodes: "" })]),
      ODD,
    ],
    [
      "has a second job taken back",
      claimed({}, [job("RUNNING"), job("PENDING", { id: "8" })]),
      { do: "cancel", job: { id: "8" } },
    ],
    [
      "has ended when it says so and Slurm too",
      claimed({}, [job("FAILED")], { exit }),
      {
        do: "finish",
        outcome: { kind: "exited", status: 4, cause: "itself", usage: { elapsedSeconds: 30.5 } },
      },
    ],
    ["has not before Slurm says so", claimed(since(4), [job("COMPLETING")], { exit }), ODD],
    [
      "has, where Slurm does not know it any more",
      claimed({}, [], { exit }),
      { do: "finish", outcome: { status: 4 } },
    ],
    [
      "was asked to end",
      claimed({ ending: "asked" }, [job("FAILED")], { exit: { ...exit, status: 143, signal: 15 } }),
      { do: "finish", outcome: { signal: 15, cause: "asked" } },
    ],
    [
      "was ended by Slurm at its time",
      claimed({}, [job("TIMEOUT")], { exit }),
      { do: "finish", outcome: { cause: "time" } },
    ],
    [
      "was ended by somebody else",
      claimed({}, [job("CANCELLED")], { exit }),
      { do: "finish", outcome: { cause: "outside" } },
    ],
    ["may still say how it ended", claimed(since(4), [job("FAILED")]), ODD],
    [
      "is lost where it did not",
      claimed(since(5), [job("FAILED")]),
      { do: "finish", outcome: { kind: "lost" } },
    ],
    [
      "is lost with its machine",
      claimed(since(5), [job("NODE_FAIL")]),
      { do: "finish", outcome: { kind: "lost" } },
    ],
    [
      "was killed for its memory",
      claimed(since(5), [job("OUT_OF_MEMORY")]),
      { do: "finish", outcome: { kind: "exited", status: null, cause: "memory" } },
    ],
    [
      "was killed when it was to end",
      claimed({ ...since(5), ending: "asked" }, [job("CANCELLED")]),
      { do: "finish", outcome: { kind: "exited", cause: "asked" } },
    ],
    ["may run on where Slurm has lost it", claimed(since(59), []), ODD],
    ["is lost after that", claimed(since(60), []), { do: "finish", outcome: { kind: "lost" } }],
    [
      "may run on for long where its machine is cut off",
      claimed(since(599), [], { registeredSince: null }),
      ODD,
    ],
    [
      "is lost then too",
      claimed(since(600), [], { registeredSince: null }),
      { do: "finish", outcome: { kind: "lost" } },
    ],
    [
      "may run on where only its second start has failed",
      claimed(since(59), [job("FAILED")], { wasStartedAgain: true }),
      ODD,
    ],
  ])("%s", (_, view, step) => {
    expect(decide(view, patience)).toMatchObject(step);
  });
});
