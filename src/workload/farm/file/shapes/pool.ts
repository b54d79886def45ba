import { licenceName, MAX_LICENCES } from "../../../licences.ts";
import {
  anything,
  converted,
  dictionary,
  list,
  located,
  mapping,
  number,
  optional,
  required,
  text,
  textOr,
} from "../shape.ts";
import { MAX_INT32, MAX_SECONDS, nameText, name, secondsWithin, seconds, projectPath } from "./parts.ts";
import { machines } from "./machines.ts";

const engineName = text(/^[a-z][a-z0-9-]{0,49}$/u, "the name of an engine, such as local");
const engine = converted(
  textOr(
    engineName,
    dictionary(anything, {
      names: /^[A-Za-z][A-Za-z0-9]{0,99}$/u,
      problem: "a setting's name is letters and digits",
      most: 100,
    }),
  ),
  (value, at) => {
    if (typeof value === "string") return { kind: value, settings: {} };
    const { kind, ...settings } = Object.fromEntries(value);
    if (typeof kind !== "string") return at.refuse("kind is missing: the name of the engine, such as local");
    return { kind, settings };
  },
);

const gpuKind = text(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/u, "the name of a kind of GPU, such as a100");
const deviceName = text(
  /^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,99}$/u,
  "a device as CUDA_VISIBLE_DEVICES names it, such as 0",
);
const device = located(
  textOr(
    deviceName,
    converted(number({ min: 0, max: 1023, whole: true }), (index) => String(index)),
  ),
);
const gpus = located(
  textOr(
    text(/^auto$/u, "auto"),
    mapping(
      {
        devices: optional(
          "as CUDA_VISIBLE_DEVICES takes them; found unless given",
          list(device, 1, 1024),
          null,
        ),
        kind: optional("what jobs ask for by name; of the device's model unless given", gpuKind, null),
        parts: optional("so many jobs share a device (1)", number({ min: 1, max: 100, whole: true }), 1),
      },
      " (devices, kind, parts), or auto",
    ),
  ),
);

const absolutePath = text(/^\/.{0,4000}$/u, "an absolute path");
const hooks = mapping({
  prolog: optional(
    "a program that is run before each job; if it fails the machine is drained",
    absolutePath,
    null,
  ),
  epilog: optional("a program that is run after each job", absolutePath, null),
  limit: optional("how long each may take (60s)", secondsWithin({ min: 1, max: 3600 }), null),
  scratch: optional("a folder in which each job has one of its own, by TMPDIR", absolutePath, null),
});

export const pool = mapping({
  name: required("unlike any other pool's", nameText),
  site: optional("where it is; may be left out where there is one site", name, null),
  machines: optional(
    "its machines, group by group; a live farm's engine may tell them, a simulation needs them",
    machines,
    null,
  ),
  engine: optional(
    "what runs its jobs in a live farm: local, simulated, or a mapping with kind (slurm, kubernetes) and settings",
    engine,
    null,
  ),
  gpus: optional(
    "the GPUs of its machine, of which the engine local gives each job its own: auto, or a mapping",
    gpus,
    null,
  ),
  hooks: optional(
    "of a live farm: what the engine local does before and after each job",
    located(hooks),
    null,
  ),
  policy: optional("what decides which job goes where: a name that croft policies lists", name, null),
  maxJobs: optional("the heuristics that max-jobs and its like try", list(name, 1, 100), null),
  interval: optional("between scheduling cycles; 0: at every event", seconds, null),
  reservations: optional(
    "all, none, or how many of a cycle's first jobs may reserve a machine",
    textOr(text(/^(all|none)$/u, "all, none or a number"), number({ min: 0, max: MAX_INT32, whole: true })),
    null,
  ),
  shares: optional(
    "fair share: the shares of projects, by path; what is not named has 1",
    dictionary(number({ min: 0, above: true, max: 1e9 }), {
      names: projectPath,
      problem: "this is no project's path",
      most: 100_000,
    }),
    null,
  ),
  fairShare: optional(
    "what shares count: running, the cores that projects use now; usage, what they have used, which decays (running)",
    located(text(/^(running|usage)$/u, "running or usage")),
    null,
  ),
  halfLife: optional(
    "fairShare usage: the time after which half of what was used counts (7d)",
    secondsWithin({ min: 1, max: MAX_SECONDS }),
    null,
  ),
  fairShareOf: optional(
    "fairShare usage: what is counted: cores; memory; dominant, the resource of which a job has the largest part of the pool (cores)",
    located(text(/^(cores|memory|dominant)$/u, "cores, memory or dominant")),
    null,
  ),
  licences: optional(
    "how many it has of each licence, or of what else jobs ask for by name and belongs to no machine",
    dictionary(number({ min: 0, max: MAX_LICENCES, whole: true }), {
      names: licenceName,
      problem:
        "a licence's name has no blanks, commas, semicolons, colons or equals signs, and at most 100 characters",
      most: 10_000,
    }),
    null,
  ),
});
