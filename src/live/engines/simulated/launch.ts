import { attemptKey } from "../attempt-id.ts";
import type { StartFailed, StartRequest } from "../engine.ts";
import { startFailed } from "../outcome.ts";
import { requestProblem } from "../request.ts";
import { newAttempt, type SimulatedAttempt } from "./attempt.ts";
import { exponential, seeded } from "./draws.ts";
import type { SimulatedMachines } from "./machines.ts";
import type { Occupancy } from "./occupancy.ts";
import type { SimulatedSettings } from "./settings.ts";

/** A new attempt, and why it does not start; null: it does. */
export function launch(
  request: StartRequest,
  settings: SimulatedSettings,
  fleet: SimulatedMachines,
  occupancy: Occupancy,
  now: number,
): { attempt: SimulatedAttempt; failure: StartFailed | null } {
  const key = attemptKey(request.id);
  const { startFails, runSeconds, status } = fateOf(key, request, settings);
  const drawn = startFails === null ? null : startFailed(request.id, startFails, "it was drawn so");
  return {
    attempt: {
      ...newAttempt(key, request.placement, now),
      runSeconds,
      limitSeconds: request.limits.seconds,
      status,
    },
    failure: refusalOf(request, fleet, occupancy) ?? drawn,
  };
}

/** What will happen to an attempt. It depends only on the seed and the attempt's name, not on the order of starts. */
interface Fate {
  /** Null: it starts. */
  readonly startFails: "machine" | "transient" | null;
  /** Until it ends by itself, in simulated seconds. */
  readonly runSeconds: number;
  readonly status: number;
}

/** A job can say how long it pretends to run, and with what status it ends. */
const SECONDS = "CROFT_SIMULATED_SECONDS";
const STATUS = "CROFT_SIMULATED_STATUS";

function fateOf(key: string, { environment }: StartRequest, settings: SimulatedSettings): Fate {
  const random = seeded(settings.seed, key);
  const lot = random.unit();
  const { machine, transient } = settings.startsFailing;
  const seconds = Number(environment[SECONDS]);
  const status = Number(environment[STATUS]);
  return {
    startFails: lot < machine ? "machine" : lot < machine + transient ? "transient" : null,
    runSeconds:
      seconds >= 0 && Number.isFinite(seconds) ? seconds : exponential(random, settings.runMeanSeconds),
    status: Number.isInteger(status) && status >= 0 && status <= 255 ? status : 0,
  };
}

function refusalOf(
  request: StartRequest,
  fleet: SimulatedMachines,
  occupancy: Occupancy,
): StartFailed | null {
  const { id, placement } = request;
  const problem = requestProblem(request);
  if (problem !== null) return startFailed(id, "job", problem);
  for (const part of placement) {
    const machine = fleet.get(part.machine);
    if (machine === undefined) return startFailed(id, "machine", `there is no machine ${part.machine}`);
    if (machine.state !== "up") return startFailed(id, "machine", `${machine.name} is ${machine.state}`);
    const lacks = occupancy.lacks(machine, part);
    if (lacks !== null) return startFailed(id, "transient", `${machine.name} has ${lacks} left`);
  }
  return null;
}
