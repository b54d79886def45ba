import { stateText } from "../../live/store/job-states.ts";
import type { Client } from "../../live/client/client.ts";
import { printable } from "../live/printable.ts";
import { readOutput } from "../live/job-output.ts";
import type { JobDetails } from "../live/job-text.ts";
import type { Task } from "./sent-array.ts";

/** Why a task that is over has made no run. */
export interface Problem {
  readonly text: string;
  /** Whether the run itself refused what it was given. */
  readonly isBadInput: boolean;
  /** Whether another try may go well: it was lost or killed, and did not fail. */
  readonly mayPass: boolean;
}

/** The exit status for bad input. */
const BAD_INPUT = 2;
/** As shells give it. */
const NO_PROGRAM = 127;

/** What the run itself said; else what the farm says of it. */
export async function problemOf(farm: Client, { number, state, reason, exitStatus }: Task): Promise<Problem> {
  if (state === "ended")
    return { text: "what it printed was not kept whole", isBadInput: false, mayPass: true };
  const text = printable(`it ${stateText(state)}${reason === "" ? "" : `: ${reason}`}`);
  if (state !== "failed") return { text, isBadInput: false, mayPass: state === "lost" };
  const said = (await textOf(farm, number, "stderr")).trimEnd().split("\n").at(-1)!;
  if (said.startsWith("croft: "))
    return {
      text: printable(said.slice("croft: ".length)),
      isBadInput: exitStatus === BAD_INPUT,
      mayPass: false,
    };
  if (exitStatus === NO_PROGRAM)
    return {
      text: `${text}. Is Croft there, on its machine? --croft PATH says where`,
      isBadInput: false,
      mayPass: false,
    };
  const job = await farm.insist(() => farm.get<JobDetails>(`/v1/jobs/${number}`));
  const outcome = job.attempts.at(-1)?.outcome ?? null;
  const isKilled = outcome?.kind === "exited" && outcome.cause === "itself" && job.exitSignal !== null;
  return { text, isBadInput: false, mayPass: isKilled };
}

/** What a task that is over has printed. */
export async function textOf(farm: Client, job: number, stream: "stdout" | "stderr"): Promise<string> {
  return (await readOutput(farm, String(job), stream)).toString("utf8");
}
